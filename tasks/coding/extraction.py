"""Step 1 with a model: from the conversation to tasks, each with the words of the person.

The model understands; what it lists is checked by structure: the message is the person's and the
quote is found in it (DECISIONS 45). An empty list is an answer (46).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, pairwise
from typing import Final

from futura.errors import ModelUnavailable
from futura.limits import TASK_STATEMENT_CHARS
from futura.llm.checks import Reason
from futura.llm.client import Llm, side_by_side
from futura.llm.outcomes import Outcome
from futura.text import locate
from tasks.coding.prompts import ExtractionAnswer, FoundTask, extraction_messages
from tasks.coding.records import (
    EACH,
    MOST_AT_ONCE,
    Source,
    SourceTurn,
    one_line,
    own_words,
    told_task,
)
from tasks.interview.analysis import LONG_BYTES, pieces, without_cards
from tasks.interview.state import Card, SurveyState
from tasks.models import WorkTask
from tasks.stretches import most_tasks

PIECE_BYTES: Final = 1_000
TASK_CHARS: Final = 200  # of a message that tells at length


def extract(source: Source, *, llm: Llm) -> list[WorkTask]:
    """The person's tasks (unsaved), in the order of the answer.

    Until they are worded, the person's own words are the statements; empty where those do not fit.
    Raises ModelUnavailable, also where nothing that the model names stands on the person's words.
    """
    if not source.turns:
        return []
    turns = list(chain.from_iterable(map(_pieces, source.turns)))
    picked = source.state.selected_cards
    # which cards are theirs the selection says: one that a message names may be given back
    shown = [
        replace(turn, text=without_cards(turn.text, source.state.cards)[0])
        if turn.is_person
        else turn
        for turn in turns
    ]

    def ask(only: range) -> ExtractionAnswer:
        messages = extraction_messages(source.job_title, shown, picked, only=only)
        texts = [turns[place].text for place in only if turns[place].is_person]
        is_long = sum(len(text.encode()) for text in texts) > LONG_BYTES
        return llm.structured("extraction", messages, ExtractionAnswer, is_long=is_long)

    stretches = _stretches(turns, source.state)
    check = _Check(turns, picked)
    for only, answer in zip(stretches, side_by_side(ask, stretches), strict=True):
        for item in answer.extracted_tasks:
            if item.message - 1 in only or not 0 < item.message <= len(turns):
                check.add(item)
    used = len(check.tasks) + check.as_cards
    llm.checked("extraction", used=used, refused=check.refused)
    if check.refused and not used:
        raise ModelUnavailable(reason=Outcome.WRONG_SCHEMA.value)
    return check.tasks


def _pieces(turn: SourceTurn) -> list[SourceTurn]:
    """A long message of the person as several, of whole sentences; any other turn as it is."""
    if not turn.is_person:
        return [turn]
    return [replace(turn, text=text) for text, _start in pieces(turn.text, PIECE_BYTES)]


def _stretches(turns: Sequence[SourceTurn], state: SurveyState) -> list[range]:
    """The places of all turns in stretches that are about as long to answer; a question stands
    with its reply. How many tasks a message told, the talk has noted, or its length says.
    """
    noted = Counter(mention.message_id for mention in state.mentioned_activities)
    number = Counter(turn.message_id for turn in turns)
    counts = [
        max(noted[str(turn.message_id)] // number[turn.message_id], len(turn.text) // TASK_CHARS)
        if turn.is_person
        else 0
        for turn in turns
    ]
    most = max(EACH, -(-sum(counts) // MOST_AT_ONCE))
    starts, count = [0], 0
    for place, turn in enumerate(turns):
        if not turn.is_person:
            continue
        if count and count + counts[place] > most:
            starts.append(place - (not turns[place - 1].is_person))
            count = 0
        count += counts[place]
    return [range(start, end) for start, end in pairwise([*starts, len(turns)])]


class _Check:
    """Takes the items of one answer, refuses what does not stand on the person's words."""

    def __init__(self, turns: Sequence[SourceTurn], picked: Sequence[Card]) -> None:
        self._turns = turns
        self._picked = picked
        self._stretches: Counter[tuple[object, str]] = Counter()
        self._seen: set[tuple[object, str, str]] = set()
        self.tasks: list[WorkTask] = []
        self.as_cards = 0
        self.refused: Counter[str] = Counter()

    def add(self, item: FoundTask) -> None:
        task = self._verified(item)
        if isinstance(task, Reason):
            self.refused[task] += 1
        elif self._is_card(item, task):
            self.as_cards += 1
        elif (key := (task.message_id, task.quote, task.raw)) in self._seen:
            self.refused[Reason.NAMED_TWICE] += 1
        elif self._is_exhausted(task):
            self.refused[Reason.TOO_MANY] += 1
        else:
            self._seen.add(key)
            self.tasks.append(task)

    def _verified(self, item: FoundTask) -> WorkTask | Reason:
        raw = one_line(item.task)
        if not raw or len(raw) > TASK_STATEMENT_CHARS:
            return Reason.TOO_LONG if raw else Reason.EMPTY
        turn = self._turn(item.message)
        if turn is None:
            return Reason.NOT_THE_PERSONS_MESSAGE
        is_question_named = not turn.is_person
        if is_question_named:  # "yes" is in the reply to it
            reply = self._turn(item.message + 1)
            if reply is None or not reply.is_person:
                return Reason.NOT_THE_PERSONS_MESSAGE
            if locate(item.quote, self._said(reply)) is None:
                return Reason.NOT_THE_PERSONS_MESSAGE
            turn = reply
        text = self._said(turn)
        span = locate(item.quote, text)
        if span is None:
            return Reason.QUOTE_NOT_FOUND
        is_confirmed = is_question_named or self._is_question(item.question, turn)
        quote = text[slice(*span)]
        statement = own_words(raw, quote, is_confirmed=is_confirmed)
        return told_task(raw, quote, turn.message_id, statement=statement)

    def _said(self, turn: SourceTurn) -> str:
        """The whole message that a turn is a piece of: models mistake one piece for the next."""
        return "".join(each.text for each in self._turns if each.message_id == turn.message_id)

    def _turn(self, number: int) -> SourceTurn | None:
        return self._turns[number - 1] if 0 < number <= len(self._turns) else None

    def _is_question(self, number: int, answer: SourceTurn) -> bool:
        """Whether the question that an item names was put before the answer; 0 names none."""
        question = self._turn(number)
        if number and (question is None or question.is_person):
            self.refused[Reason.UNKNOWN_ID] += 1
            return False
        before = self._turns[: self._turns.index(answer)]
        return question is not None and question in before

    def _is_card(self, item: FoundTask, task: WorkTask) -> bool:
        """Whether the item is a picked card, by its id or letter by letter."""
        ids = {card.id for card in self._picked}
        if item.card and item.card not in ids:
            self.refused[Reason.UNKNOWN_ID] += 1
        names = {_bare(card.statement) for card in self._picked}
        return item.card in ids or not names.isdisjoint((_bare(task.raw), _bare(task.quote)))

    def _is_exhausted(self, task: WorkTask) -> bool:
        stretch = (task.message_id, task.quote)
        self._stretches[stretch] += 1
        return self._stretches[stretch] > most_tasks(len(task.quote))


def _bare(text: str) -> str:
    """For comparison letter by letter: one case, without the marks of a list around it."""
    return " ".join(text.casefold().split()).strip(' .•-–*"“”')
