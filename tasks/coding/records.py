"""What the steps of the pipeline hand on: what a run reads, and the tasks to be written."""

from __future__ import annotations

import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from chat.models import Message
from futura.limits import TASK_STATEMENT_CHARS
from tasks.interview.state import Card, SurveyState
from tasks.models import SurveyResponse, WorkTask
from tasks.stretches import may_list, place_of


def read(response_id: uuid.UUID) -> Source:
    response = SurveyResponse.objects.select_related("session").get(pk=response_id)
    state = SurveyState.model_validate(response.session.state or {})
    stored = list(
        Message.objects.filter(session_id=response_id).exclude(text="", parts=[]).order_by("seq")
    )
    messages = [message for message in stored if message.superseded_at is None]
    return Source(
        job_title=response.job_title,
        turns=_turns(messages, after=response.processed_to_seq),
        # a card may have been picked from an answer that was replaced since
        card_messages={**_card_messages(stored), **_card_messages(messages)},
        listed=list(response.tasks.all()),
        state=state,
        last_seq=max((m.seq for m in messages if m.role == Message.Role.PERSON), default=0),
    )


def _turns(messages: Sequence[Message], *, after: int) -> list[SourceTurn]:
    """Messages not yet taken over, and the question before them; none without the person's."""
    turns: list[SourceTurn] = []
    question: SourceTurn | None = None
    for message in messages:
        turn = SourceTurn(message.role, message.text, message.pk)
        if message.seq > after:
            if question is not None and not turns:
                turns.append(question)
            turns.append(turn)
        else:
            question = None if turn.is_person else turn
    return turns if any(turn.is_person for turn in turns) else []


def _card_messages(messages: Sequence[Message]) -> dict[str, uuid.UUID]:
    """Which message showed a card first: card id → message id."""
    displayed: dict[str, uuid.UUID] = {}
    for message in messages:
        parts = [part for part in message.parts if part.get("type") == "suggestions"]
        for card in (card for part in parts for card in part.get("cards", ())):
            displayed.setdefault(str(card.get("id", "")), message.pk)
    return displayed


MAX_CHARS: Final = 200
MAX_WORDS: Final = 25
"""What a statement may have at most (DECISIONS 45)."""
MANY: Final = 20
"""More tasks than an answer of the usual length can word or compare."""
EACH: Final = 2
MOST_AT_ONCE: Final = 8
"""Tasks of one answer, and answers side by side: nobody waits for one answer about all of them."""
_LINE_ENDS: Final = re.compile(r"[\r\n\t\v\f\u2028\u2029]+")


@dataclass(frozen=True)
class SourceTurn:
    """One message of the conversation."""

    role: str
    text: str
    message_id: uuid.UUID

    @property
    def is_person(self) -> bool:
        return self.role == Message.Role.PERSON


@dataclass(frozen=True)
class Source:
    """What one run reads: new messages with their context, what is on the list."""

    job_title: str
    turns: Sequence[SourceTurn]
    state: SurveyState = field(default_factory=SurveyState)
    card_messages: dict[str, uuid.UUID] = field(default_factory=dict)
    listed: Sequence[WorkTask] = ()
    last_seq: int = 0

    def undecided(self, tasks: Sequence[WorkTask]) -> list[WorkTask]:
        """Without what stands on a stretch that the person decided about."""
        texts: dict[uuid.UUID | None, str] = {turn.message_id: turn.text for turn in self.turns}
        return [
            task
            for task in tasks
            if may_list(
                self.state,
                message_id=str(task.message_id),
                text=texts.get(task.message_id, ""),
                quote=task.quote,
                task=task.raw,
            )
        ]

    def only(self, turns: Sequence[SourceTurn]) -> Source:
        """Without the person's messages that none of these turns is of."""
        ids = {turn.message_id for turn in turns}
        shown = [turn for turn in self.turns if not turn.is_person or turn.message_id in ids]
        return replace(self, turns=shown)

    def in_order(self, tasks: Sequence[WorkTask]) -> list[WorkTask]:
        """By the places of their quotes in the talk."""
        ids: list[uuid.UUID | None] = [turn.message_id for turn in self.turns]

        def place(task: WorkTask) -> tuple[int, int]:
            number = ids.index(task.message_id)
            return number, self.turns[number].text.find(task.quote)

        return sorted(tasks, key=place)

    def added_tasks(self) -> list[WorkTask]:
        """The stretches that the person added, word for word, each once."""
        listed = {(str(row.message_id), row.quote) for row in self.listed}
        turns = {str(turn.message_id): turn for turn in self.turns if turn.is_person}
        return [
            told_task(words, words, turn.message_id, statement=one_line(words))
            for mention in self.state.mentioned_activities
            if mention.by_hand and place_of(mention)
            if (turn := turns.get(mention.message_id))
            if (words := turn.text[mention.start : mention.end])
            if (mention.message_id, words) not in listed
        ]

    @property
    def new_cards(self) -> list[Card]:
        """Those picked that are not on the list yet."""
        listed = {task.suggestion_id for task in self.listed}
        return [card for card in self.state.selected_cards if card.id not in listed]


def told_task(raw: str, quote: str, message_id: uuid.UUID, *, statement: str) -> WorkTask:
    """A new task (unsaved) as it was told, with its stretch of the person's message."""
    return WorkTask(
        statement=statement[:TASK_STATEMENT_CHARS], raw=raw, quote=quote, message_id=message_id
    )


def card_task(card: Card, source: Source) -> WorkTask:
    """The new task of a picked card; its quote is the card's text (DECISIONS 16)."""
    return WorkTask(
        statement=card.statement[:TASK_STATEMENT_CHARS],
        raw=card.statement,
        quote=card.statement,
        message_id=source.card_messages.get(card.id),
        source=WorkTask.Source.SUGGESTION,
        suggestion_id=card.id[:64],
    )


def merged(tasks: Sequence[WorkTask], chosen: WorkTask, reason: str) -> WorkTask:
    """One task of several: `chosen`, with what it was merged from."""
    others = [*chosen.merged_from]
    for task in tasks:
        if task is not chosen:
            entry = {
                "statement": task.statement,
                "quote": task.quote,
                "message_id": str(task.message_id) if task.message_id else None,
                "reason": reason,
            }
            others += [entry, *task.merged_from]
    card_ids = [task.suggestion_id for task in (chosen, *tasks) if task.suggestion_id]
    chosen.suggestion_id = card_ids[0] if card_ids else ""
    chosen.merged_from = others
    return chosen


def one_line(text: str) -> str:
    """The text without line ends and outer blanks, else as it is."""
    return _LINE_ENDS.sub(" ", text).strip()


def own_words(raw: str, quote: str, *, is_confirmed: bool) -> str:
    """What the person said, as a statement; after a bare "yes" what was asked. Empty for none."""
    words = (raw,) if is_confirmed else (quote, raw)
    return next((text for text in map(one_line, words) if fits(text)), "")


def fits(text: str) -> bool:
    """Whether a statement is short enough; in scripts without blanks its characters count."""
    return 0 < len(text) <= MAX_CHARS and len(text.split()) <= MAX_WORDS
