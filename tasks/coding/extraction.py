"""Step 1 with a model: from the conversation to tasks, each with the words of the person.

The model understands; what it lists is checked by structure: the message is the person's and the
quote is found in it (DECISIONS 45). An empty list is an answer (46).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from operator import itemgetter
from typing import Final

from futura.errors import ModelUnavailable
from futura.limits import TASK_STATEMENT_CHARS
from futura.llm.checks import Reason
from futura.llm.client import Llm, each_side_by_side
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


@dataclass(frozen=True)
class Extraction:
    """The person's tasks (unsaved), in the order of the talk, and what could not be read.

    Until they are worded, the person's own words are the statements; empty where those do not fit.
    """

    tasks: list[WorkTask]
    unread: Sequence[SourceTurn] = ()
    failure: ModelUnavailable | None = None

    def is_unread(self, task: WorkTask) -> bool:
        """Whether it stands, as far as it has a place, on what could not be read."""
        return any(
            task.message_id == turn.message_id
            and (task.quote in turn.text or turn.text.strip() in task.quote)
            for turn in self.unread
        )


def extract(source: Source, *, llm: Llm) -> Extraction:
    """Raises ModelUnavailable where nothing can be read, also where nothing that the model names
    stands on the person's words.
    """
    if not source.turns:
        return Extraction([])
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
    answers = each_side_by_side(ask, stretches, at_once=len(stretches))
    failures = [answer for answer in answers if isinstance(answer, ModelUnavailable)]
    if len(failures) == len(answers):
        raise failures[0]
    check = _Check(turns, picked)
    named = [
        (number, place, item)
        for number, answer in enumerate(answers)
        if isinstance(answer, ExtractionAnswer)
        for item in answer.extracted_tasks
        for place in [check.place_of(item)]
    ]
    # of each message the answer that was asked about it, else the first that quotes it
    speaker: dict[int, int] = {}
    for number, place, _item in sorted(named, key=lambda at: at[1] not in stretches[at[0]]):
        speaker.setdefault(place, number)
    for number, place, item in sorted(named, key=itemgetter(1)):
        if place < 0 or speaker[place] == number:
            check.add(item)
    used = len(check.tasks) + check.as_cards
    llm.checked("extraction", used=used, refused=check.refused)
    if check.refused and not used:
        raise ModelUnavailable(reason=Outcome.WRONG_SCHEMA.value)
    unread = [
        turns[place]
        for only, answer in zip(stretches, answers, strict=True)
        if isinstance(answer, ModelUnavailable)
        for place in only
        if turns[place].is_person and place not in speaker
    ]
    return Extraction(check.tasks, unread, failures[0] if unread else None)


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

    def place_of(self, item: FoundTask) -> int:
        """Of the turn that an item stands on: a question's reply, the piece that has its words.

        -1 where its words stand nowhere.
        """
        place = self._place(item.message)
        if place is None:
            return -1
        turn = self._turns[place]
        pieces = [n for n, at in enumerate(self._turns) if at.message_id == turn.message_id]
        exact = [n for n in (place, *pieces) if item.quote in self._turns[n].text]
        if not exact and locate(item.quote, self._whole_text(turn)) is None:
            return -1
        return (exact or [place])[0]

    def add(self, item: FoundTask) -> None:
        task = self._verified(item)
        if isinstance(task, Reason):
            self.refused[task] += 1
        elif self._is_card(task):
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
        place = self._place(item.message)
        if place is None:
            return Reason.NOT_THE_PERSONS_MESSAGE
        turn = self._turns[place]
        is_question_named = place == item.message
        text = self._whole_text(turn)
        span = locate(item.quote, text)
        if span is None and is_question_named:
            return Reason.NOT_THE_PERSONS_MESSAGE
        if span is None:
            return Reason.QUOTE_NOT_FOUND
        question = self._turn(item.message - 1)
        is_confirmed = is_question_named or (
            question is not None and not question.is_person and bool(locate(raw, question.text))
        )
        quote = text[slice(*span)]
        statement = own_words(raw, quote, is_confirmed=is_confirmed)
        return told_task(raw, quote, turn.message_id, statement=statement)

    def _place(self, number: int) -> int | None:
        """Of the person's turn that a number names: itself, or the reply to a question ("yes")."""
        turn = self._turn(number)
        if turn is None or turn.is_person:
            return None if turn is None else number - 1
        reply = self._turn(number + 1)
        return number if reply is not None and reply.is_person else None

    def _turn(self, number: int) -> SourceTurn | None:
        return self._turns[number - 1] if 0 < number <= len(self._turns) else None

    def _whole_text(self, turn: SourceTurn) -> str:
        """The whole message that a turn is a piece of: models mistake one piece for the next."""
        return "".join(each.text for each in self._turns if each.message_id == turn.message_id)

    def _is_card(self, task: WorkTask) -> bool:
        """Whether it is, letter by letter, a picked card, which is on the list already."""
        names = {_bare(card.statement) for card in self._picked}
        return not names.isdisjoint((_bare(task.raw), _bare(task.quote)))

    def _is_exhausted(self, task: WorkTask) -> bool:
        stretch = (task.message_id, task.quote)
        self._stretches[stretch] += 1
        return self._stretches[stretch] > most_tasks(len(task.quote))


def _bare(text: str) -> str:
    """For comparison letter by letter: one case, without the marks of a list around it."""
    return " ".join(text.casefold().split()).strip(' .•-–*"“”')
