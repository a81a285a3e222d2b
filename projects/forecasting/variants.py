"""What is assumed and what if: typed changes to a project's inputs, kept as JSON, compared.

An assumption is something that was said and counts from then on; a what-if is the same kind of
change, computed beside the plan. Each says by its `subject` which figure it names: a later one
with the same subject replaces it, and no other.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Final, Literal

import numpy as np
from pydantic import Field, TypeAdapter

from projects.forecasting.calendar import first_day
from projects.forecasting.durations import range_of
from projects.forecasting.inputs import (
    HANDS_MAX,
    HANDS_MIN,
    Absence,
    Inputs,
    Spread,
    TaskInput,
)
from projects.forecasting.results import Declined, Result, forecast

WEEK: Final = 5.0
HOURS_A_WEEK: Final = 40.0
REST: Final = "rest"  # in the place of a task: every open task that has no estimate


@dataclass(frozen=True)
class Takes:
    """A task, or the rest, takes from `low` to `high` working days in all."""

    task: str
    low: float
    high: float
    quote: str = ""
    kind: Literal["takes"] = "takes"

    @property
    def subject(self) -> str:
        """The length of that task."""
        return f"length {self.task}"


@dataclass(frozen=True)
class Remaining:
    """So much of a task is left: working days from now on."""

    task: str
    low: float
    high: float
    quote: str = ""
    kind: Literal["remaining"] = "remaining"

    @property
    def subject(self) -> str:
        """The length of that task, as for `Takes`."""
        return f"length {self.task}"


@dataclass(frozen=True)
class Team:
    """So many people work on it."""

    people: float
    quote: str = ""
    kind: Literal["team"] = "team"

    @property
    def subject(self) -> str:
        """How many people there are."""
        return "team"


@dataclass(frozen=True)
class Hours:
    """Each of them works on it for so many hours a week."""

    hours: float
    quote: str = ""
    kind: Literal["hours"] = "hours"

    @property
    def subject(self) -> str:
        """The hours of a week."""
        return "hours"


@dataclass(frozen=True)
class Away:
    """So many people are away on these days, both counted."""

    first: dt.date
    last: dt.date
    people: float = 1.0
    quote: str = ""
    kind: Literal["away"] = "away"

    @property
    def subject(self) -> str:
        """An absence that begins on that day."""
        return f"away {self.first}"


@dataclass(frozen=True)
class Deadline:
    """The project (no task), or one task, has to be done on that day."""

    day: dt.date
    task: str = ""
    quote: str = ""
    kind: Literal["deadline"] = "deadline"

    @property
    def subject(self) -> str:
        """The deadline of the project or of that task."""
        return f"deadline {self.task}"


@dataclass(frozen=True)
class Slip:
    """A task takes so many working days longer (or, below zero, shorter)."""

    task: str
    days: float
    quote: str = ""
    kind: Literal["slip"] = "slip"

    @property
    def subject(self) -> str:
        """By how much that task slips."""
        return f"slip {self.task}"


@dataclass(frozen=True)
class Wait:
    """A task can begin on that day at the earliest."""

    task: str
    day: dt.date
    quote: str = ""
    kind: Literal["wait"] = "wait"

    @property
    def subject(self) -> str:
        """When that task can begin."""
        return f"start {self.task}"


@dataclass(frozen=True)
class Hands:
    """So many people more, or fewer, work on it."""

    more: float
    quote: str = ""
    kind: Literal["hands"] = "hands"

    @property
    def subject(self) -> str:
        """How many more there are."""
        return "hands"


@dataclass(frozen=True)
class Drop:
    """A task is left out."""

    task: str
    quote: str = ""
    kind: Literal["drop"] = "drop"

    @property
    def subject(self) -> str:
        """Whether that task is done at all."""
        return f"drop {self.task}"


@dataclass(frozen=True)
class More:
    """Work is added that nobody planned: so many days, from half to one and a half times that."""

    title: str
    days: float
    quote: str = ""
    kind: Literal["more"] = "more"

    @property
    def subject(self) -> str:
        """The added work of that title."""
        return f"more {self.title}"


@dataclass(frozen=True)
class Sureness:
    """The estimates are taken to be better or worse than usual."""

    spread: Spread
    quote: str = ""
    kind: Literal["sureness"] = "sureness"

    @property
    def subject(self) -> str:
        """How sure the estimates are."""
        return "sureness"


Variant = (
    Takes | Remaining | Team | Hours | Away | Deadline | Slip | Wait | Hands | Drop | More
    | Sureness
)  # fmt: skip
JSON: Final[TypeAdapter[list[Variant]]] = TypeAdapter(
    list[Annotated[Variant, Field(discriminator="kind")]]
)
# the people before their hours, the rest after the tasks that were named
_ORDER: Final = {Team: 0, Hours: 1, Takes: 3, Remaining: 3}


@dataclass(frozen=True)
class Compared:
    """A branch beside the plan as it is: working days by which the middle finish moves."""

    variants: tuple[Variant, ...]
    result: Result
    moved_days: int
    on_time_change: float | None


def merged(existing: Iterable[Variant], added: Iterable[Variant]) -> list[Variant]:
    """Both; what is added replaces what names the same figure."""
    by_subject = {one.subject: one for one in existing}
    return list((by_subject | {one.subject: one for one in added}).values())


def assumed(inputs: Inputs, variants: Iterable[Variant]) -> Inputs:
    """The inputs with all of these. What names a task that is not there any more is left out."""

    def order(one: Variant) -> tuple[int, bool]:
        return _ORDER.get(type(one), 2), getattr(one, "task", "") == REST

    for one in sorted(variants, key=order):
        task = getattr(one, "task", "")
        if task in {"", REST} or inputs.task(task) is not None:
            inputs = varied(inputs, one)
    return inputs


def varied(inputs: Inputs, variant: Variant) -> Inputs:
    """The inputs with one thing changed. KeyError for a task that is not among them."""
    match variant:
        case Takes(task, low, high) | Remaining(task, low, high):
            return _lengths(inputs, task, low, high)
        case Team(people):
            return replace(inputs, hands=_hands(people))
        case Hours(hours):
            return replace(inputs, hands=_hands(inputs.hands * hours / HOURS_A_WEEK))
        case Away(first, last, people):
            return replace(inputs, absences=(*inputs.absences, Absence(first, last, people)))
        case Deadline(day, ""):
            return replace(inputs, end=day)
        case Deadline(day, task):
            return inputs.with_task(replace(_task(inputs, task), due=day))
        case Slip(task, days):
            return inputs.with_task(_longer(_task(inputs, task), days, inputs))
        case Wait(task, day):
            waiting = _task(inputs, task)
            return inputs.with_task(replace(waiting, start=max(day, waiting.start or day)))
        case Hands(more):
            return replace(inputs, hands=_hands(inputs.hands + more))
        case Drop(task):
            return inputs.with_task(replace(_task(inputs, task), status="dropped"))
        case More(title, days):
            low, high = 0.5 * days, 1.5 * days
            return inputs.with_task(TaskInput(f"more {title}", title, low=low, high=high))
        case Sureness(spread):
            return replace(inputs, spread=spread)


def _hands(number: float) -> float:
    return min(max(number, HANDS_MIN), HANDS_MAX)


def _lengths(inputs: Inputs, task: str, low: float, high: float) -> Inputs:
    tasks = inputs.unestimated if task == REST else [_task(inputs, task)]
    for one in tasks:
        inputs = inputs.with_task(replace(one, low=min(low, high), high=max(low, high)))
    return inputs


def _task(inputs: Inputs, key: str) -> TaskInput:
    task = inputs.task(key)
    if task is None:
        raise KeyError(key)
    return task


def _longer(task: TaskInput, days: float, inputs: Inputs) -> TaskInput:
    """More days of work on both ends of the range, or a later due date where that is all known."""
    if not task.is_estimated and task.due is not None and task.due > inputs.today:
        moved = np.busday_offset(np.datetime64(task.due, "D"), round(days), roll="forward")
        due: dt.date = moved.astype("datetime64[D]").item()
        return replace(task, due=max(due, task.start or due))
    low, high = range_of(task) if task.is_estimated else inputs.usual
    return replace(task, low=max(low + days, 0), high=max(high + days, 0))


def compared(inputs: Inputs, variants: Sequence[Variant], base: Result) -> Compared | Declined:
    """Computes a branch with the same luck as the plan, so that all that differs is the branch.

    KeyError for a task that is not among the inputs.
    """
    for one in variants:
        if getattr(one, "task", "") not in {"", REST}:
            _task(inputs, one.task)  # type: ignore[union-attr]
    branch = forecast(assumed(inputs, variants))
    if isinstance(branch, Declined):
        return branch
    change = None
    if branch.on_time is not None and base.on_time is not None:
        change = round(branch.on_time - base.on_time, 4)
    return Compared(tuple(variants), branch, _between(inputs, base, branch), change)


def _between(inputs: Inputs, base: Result, branch: Result) -> int:
    """Working days from one middle finish to the other; later is above zero."""
    origin = first_day(inputs.today)
    days = np.busday_count(origin, np.array([base.realistic, branch.realistic], "datetime64[D]"))
    return int(days[1] - days[0])
