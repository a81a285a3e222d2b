"""What the model read in a message, checked by structure: quotes located, tasks known, dates."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from chat.assistant.delimiter import Delimiter
from futura.llm.client import Llm
from futura.text import locate
from projects.forecasting.inputs import Inputs
from projects.forecasting.variants import (
    REST,
    Away,
    Deadline,
    Drop,
    Hands,
    Hours,
    More,
    Remaining,
    Slip,
    Sureness,
    Takes,
    Team,
    Variant,
    Wait,
)
from projects.modes.forecast.prompts import (
    ReadingInput,
    SituationReading,
    TaskEstimate,
    WhatIf,
    reading_messages,
)
from projects.modes.forecast.texts import title_of
from projects.modes.rows import Snapshot

STAGE = "forecast_reading"
DAYS_MAX = 3_650
PEOPLE_MAX = 50
HOURS_MAX = 100


@dataclass
class Reading:
    """What a message says: what counts from now on, what is tried out, what no longer holds.

    `refused` counts what the checks left out, by reason.
    """

    assumptions: list[Variant] = field(default_factory=list)
    branch: list[Variant] = field(default_factory=list)
    withdrawn: list[str] = field(default_factory=list)
    refused: dict[str, int] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether nothing bears on the computation."""
        return not (self.assumptions or self.branch or self.withdrawn)

    def refuse(self, reason: str) -> None:
        """Counts something that was left out."""
        self.refused[reason] = self.refused.get(reason, 0) + 1


def reading_of(
    text: str,
    question: str,
    inputs: Inputs,
    snapshot: Snapshot,
    assumptions: Sequence[Variant],
    llm: Llm,
    delimiter: Delimiter,
) -> Reading:
    """What the message says for the computation. Raises ModelUnavailable."""
    refs = {ref: str(task.pk) for ref, task in snapshot.refs.items() if inputs.task(str(task.pk))}
    given = ReadingInput(
        message=text,
        question=question,
        tasks="\n".join(f"{ref}: {snapshot.refs[ref].title}" for ref in refs),
        assumptions="\n".join(
            f"a{number}: {title_of(one, inputs)}" for number, one in enumerate(assumptions, 1)
        ),
        today=inputs.today.isoformat(),
    )
    answer = llm.structured(
        STAGE, reading_messages(given, delimiter), SituationReading,
        prompt_version=SituationReading.VERSION,
    )  # fmt: skip
    reading = checked(answer, text, refs, assumptions)
    used = len(reading.assumptions) + len(reading.branch) + len(reading.withdrawn)
    llm.checked(STAGE, used=used, refused=reading.refused)
    return reading


def checked(
    answer: SituationReading, text: str, refs: Mapping[str, str], existing: Sequence[Variant] = ()
) -> Reading:
    """The answer as typed assumptions; what has no words in the message, or no task, is refused."""
    reading = Reading()
    ids = {**refs, REST: REST}

    def take(into: list[Variant], quote: str | None, make: Callable[[str], Variant | None]) -> None:
        if not quote or locate(quote, text) is None:
            reading.refuse("quote not found")
        elif (made := make(quote)) is None:
            reading.refuse("incomplete or out of bounds")
        else:
            into.append(made)

    def counted(quote: str | None, make: Callable[[str], Variant | None]) -> None:
        take(reading.assumptions, quote, make)

    if answer.hands is not None:
        people = answer.hands
        counted(answer.hands_quote, lambda q: Team(people, q) if 0 < people <= PEOPLE_MAX else None)
    if answer.hours_a_week is not None:
        hours = answer.hours_a_week
        counted(answer.hours_quote, lambda q: Hours(hours, q) if 0 < hours <= HOURS_MAX else None)
    if answer.spread is not None:
        reading.assumptions.append(Sureness(answer.spread))
    for one in answer.estimates:
        counted(one.quote, partial(_length, one, ids))
    for gone in answer.absences:
        counted(gone.quote, partial(_away, gone.first, gone.last, gone.people))
    for due in answer.deadlines:
        counted(due.quote, partial(_deadline, due.day, due.task, refs))
    for tried in answer.what_ifs:
        take(reading.branch, tried.quote, partial(_tried, tried, ids))
    reading.withdrawn = _named(answer.withdrawn, existing)
    return reading


def _named(names: Iterable[str], existing: Sequence[Variant]) -> list[str]:
    by_name = {f"a{number}": one.subject for number, one in enumerate(existing, 1)}
    return [by_name[name] for name in names if name in by_name]


def _length(given: TaskEstimate, ids: Mapping[str, str], quote: str) -> Variant | None:
    low, high = sorted((given.low, given.high))
    task = ids.get(given.task)
    if task is None or (given.is_remaining and task == REST):
        return None
    return (
        Remaining(task, low, high, quote) if given.is_remaining else Takes(task, low, high, quote)
    )


def _tried(given: WhatIf, ids: Mapping[str, str], quote: str) -> Variant | None:
    """The change to try out, where everything that it needs is there and in its bounds."""
    known = ids.get(given.task or "")
    task = known if known != REST else None
    days = given.days if given.days and abs(given.days) <= DAYS_MAX else None
    day, people = day_of(given.day), given.people
    match given.kind:
        case "slip":
            return Slip(task, days, quote) if task and days else None
        case "wait":
            return Wait(task, day, quote) if task and day else None
        case "hands":
            return Hands(people, quote) if people and abs(people) <= PEOPLE_MAX else None
        case "drop":
            return Drop(task, quote) if task else None
        case "more":
            return More((given.title or quote)[:60], days, quote) if days and days > 0 else None
        case "takes":
            return _takes(known, given.low, given.high, quote)
        case "hours":
            hours = given.hours
            return Hours(hours, quote) if hours and 0 < hours <= HOURS_MAX else None
        case "away":
            return _away(given.day or "", given.last or given.day or "", people, quote)
        case "deadline":
            return _deadline(given.day or "", given.task, ids, quote)
        case _:
            return Sureness("unsure", quote)


def _takes(task: str | None, low: float | None, high: float | None, quote: str) -> Variant | None:
    ends = sorted(one for one in (low, high) if one is not None)
    if not task or not ends or not 0 <= ends[0] <= ends[-1] <= DAYS_MAX:
        return None
    return Takes(task, ends[0], ends[-1], quote)


def _away(first: str, last: str, people: float | None, quote: str) -> Variant | None:
    start, end = day_of(first), day_of(last)
    number = 1.0 if people is None else people
    if start is None or end is None or end < start or not 0 < number <= PEOPLE_MAX:
        return None
    return Away(start, end, number, quote)


def _deadline(day: str, task: str | None, ids: Mapping[str, str], quote: str) -> Variant | None:
    due, key = day_of(day), ids.get(task or "", "")
    if due is None or (task and key in {"", REST}):
        return None
    return Deadline(due, key, quote)


def day_of(text: str | None) -> dt.date | None:
    """An ISO date; None for anything else."""
    try:
        return dt.date.fromisoformat(text) if text else None
    except ValueError:
        return None
