"""What the steps of the pipeline hand on: turns, tasks as told, tasks about to be written."""

from __future__ import annotations

import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from chat.models import Message
from tasks.interview.state import Card
from tasks.models import WorkTask
from tasks.stretches import Decisions

MAX_CHARS: Final = 200
MAX_WORDS: Final = 25
"""What a statement may have at most (DECISIONS 45)."""
_LINE_ENDS: Final = re.compile(r"[\r\n\t\v\f\u2028\u2029]+")


@dataclass(frozen=True)
class SourceTurn:
    """One message of the conversation; `shown` are the ids of cards that were shown before it."""

    role: str
    text: str
    message_id: uuid.UUID
    shown: frozenset[str] = frozenset()

    @property
    def is_person(self) -> bool:
        """Whether the person wrote it."""
        return self.role == Message.Role.PERSON


@dataclass(frozen=True)
class Source:
    """What one run reads: new messages with their context, cards, what is on the list.

    `decisions` are the stretches that the person took out of the tasks or added themselves.
    """

    job_title: str
    turns: Sequence[SourceTurn]
    cards: Sequence[Card] = ()
    picked: frozenset[str] = frozenset()
    card_messages: dict[str, uuid.UUID] = field(default_factory=dict)
    listed: Sequence[WorkTask] = ()
    last_seq: int = 0
    language: str = "en"
    decisions: Decisions = field(default_factory=Decisions)

    def undecided(self, tasks: Sequence[RawTask]) -> list[RawTask]:
        """Without what stands on a stretch that the person decided about."""
        texts = {turn.message_id: turn.text for turn in self.turns}
        return [
            task
            for task in tasks
            if self.decisions.allows(
                message_id=task.message_id,
                text=texts.get(task.message_id, ""),
                quote=task.quote,
                task=task.raw,
            )
        ]

    def added_tasks(self) -> list[NewTask]:
        """The stretches that the person added, word for word, each once."""
        listed = {(str(row.message_id), row.quote) for row in self.listed}
        turns = {str(turn.message_id): turn for turn in self.turns if turn.is_person}
        return [
            told_task(Statement(one_line(words)), RawTask(words, words, turn.message_id))
            for mention in self.decisions.added
            if (turn := turns.get(mention.message_id))
            if (words := turn.text[mention.start : mention.end])
            if (mention.message_id, words) not in listed
        ]

    @property
    def new_cards(self) -> list[Card]:
        """Those picked that are not on the list yet."""
        listed = {task.suggestion_id for task in self.listed}
        return [card for card in self.cards if card.id in self.picked and card.id not in listed]


@dataclass(frozen=True)
class RawTask:
    """A task as it was told, with its stretch of the person's message.

    `is_confirmed`: the question has the words, the stretch is the "yes" to it.
    """

    raw: str
    quote: str
    message_id: uuid.UUID
    is_confirmed: bool = False


@dataclass(frozen=True)
class Statement:
    """A task statement, and the same in English where it is in another language."""

    text: str
    english: str = ""


@dataclass(frozen=True)
class NewTask:
    """A task about to be written, with those that were merged into it."""

    statement: Statement
    raw: str
    quote: str
    message_id: uuid.UUID | None
    source: WorkTask.Source = WorkTask.Source.CHAT
    suggestion_id: str = ""
    merged_from: tuple[dict[str, Any], ...] = ()


def told_task(statement: Statement, task: RawTask) -> NewTask:
    """The new task of what was told."""
    return NewTask(statement, task.raw, task.quote, task.message_id)


def card_task(card: Card, source: Source) -> NewTask:
    """The new task of a picked card; its quote is the card's text (DECISIONS 16)."""
    return NewTask(
        Statement(card.statement),
        raw=card.statement,
        quote=card.statement,
        message_id=source.card_messages.get(card.id),
        source=WorkTask.Source.SUGGESTION,
        suggestion_id=card.id,
    )


def merged(tasks: Sequence[NewTask], chosen: NewTask, statement: Statement, reason: str) -> NewTask:
    """One task of several: what `chosen` was told with, under this statement."""
    others = [*chosen.merged_from]
    for task in tasks:
        if task is not chosen:
            entry = {
                "statement": task.statement.text,
                "quote": task.quote,
                "message_id": str(task.message_id) if task.message_id else None,
                "reason": reason,
            }
            others += [entry, *task.merged_from]
    card_ids = [task.suggestion_id for task in (chosen, *tasks) if task.suggestion_id]
    return NewTask(
        statement,
        chosen.raw,
        chosen.quote,
        chosen.message_id,
        chosen.source,
        card_ids[0] if card_ids else "",
        tuple(others),
    )


def one_line(text: str) -> str:
    """The text without line ends and outer blanks, else as it is."""
    return _LINE_ENDS.sub(" ", text).strip()


def fits(text: str) -> bool:
    """Whether a statement is short enough; in scripts without blanks its characters count."""
    return 0 < len(text) <= MAX_CHARS and len(text.split()) <= MAX_WORDS
