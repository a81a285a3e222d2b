"""What if: a project's inputs with one thing changed, and how the finish then moves."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from projects.forecasting.calendar import first_day
from projects.forecasting.durations import range_of
from projects.forecasting.inputs import HANDS_MAX, HANDS_MIN, Inputs, Spread, TaskInput
from projects.forecasting.results import Declined, Result, forecast

WEEK: Final = 5.0


@dataclass(frozen=True)
class Slip:
    """A task takes so many working days longer (or, below zero, shorter)."""

    task: str
    days: float
    kind: Literal["slip"] = "slip"


@dataclass(frozen=True)
class Wait:
    """A task can begin on that day at the earliest."""

    task: str
    day: dt.date
    kind: Literal["wait"] = "wait"


@dataclass(frozen=True)
class Hands:
    """So many people more, or fewer, work on it."""

    more: float
    kind: Literal["hands"] = "hands"


@dataclass(frozen=True)
class Drop:
    """A task is left out."""

    task: str
    kind: Literal["drop"] = "drop"


@dataclass(frozen=True)
class More:
    """Work is added that nobody planned: so many days, from half to one and a half times that."""

    title: str
    days: float
    kind: Literal["more"] = "more"


@dataclass(frozen=True)
class Sureness:
    """The estimates are taken to be better or worse than usual."""

    spread: Spread
    kind: Literal["sureness"] = "sureness"


Variant = Slip | Wait | Hands | Drop | More | Sureness


@dataclass(frozen=True)
class Compared:
    """A variant beside the plan as it is: working days by which the middle finish moves."""

    variant: Variant
    result: Result
    moved_days: int
    on_time_change: float | None


def varied(inputs: Inputs, variant: Variant) -> Inputs:
    """The inputs with one thing changed. KeyError for a task that is not among them."""
    match variant:
        case Slip(task, days):
            return inputs.with_task(_longer(_task(inputs, task), days, inputs))
        case Wait(task, day):
            found = _task(inputs, task)
            return inputs.with_task(replace(found, start=max(day, found.start or day)))
        case Hands(more):
            return replace(inputs, hands=min(max(inputs.hands + more, HANDS_MIN), HANDS_MAX))
        case Drop(task):
            return inputs.with_task(replace(_task(inputs, task), status="dropped"))
        case More(title, days):
            low, high = 0.5 * days, 1.5 * days
            return inputs.with_task(TaskInput(f"more {title}", title, low=low, high=high))
        case Sureness(spread):
            return replace(inputs, spread=spread)


def _task(inputs: Inputs, key: str) -> TaskInput:
    found = inputs.task(key)
    if found is None:
        raise KeyError(key)
    return found


def _longer(task: TaskInput, days: float, inputs: Inputs) -> TaskInput:
    """More days of work on both ends of the range, or a later due date where that is all known."""
    if not task.is_estimated and task.due is not None and task.due > inputs.today:
        moved = np.busday_offset(np.datetime64(task.due, "D"), round(days), roll="forward")
        due: dt.date = moved.astype("datetime64[D]").item()
        return replace(task, due=max(due, task.start or due))
    low, high = range_of(task) if task.is_estimated else inputs.usual
    return replace(task, low=max(low + days, 0), high=max(high + days, 0))


def compared(inputs: Inputs, variant: Variant, base: Result) -> Compared | Declined:
    """Computes a variant with the same luck as the plan, so that all that differs is the variant.

    KeyError for a task that is not among the inputs.
    """
    found = forecast(varied(inputs, variant))
    if isinstance(found, Declined):
        return found
    change = None
    if found.on_time is not None and base.on_time is not None:
        change = round(found.on_time - base.on_time, 4)
    return Compared(variant, found, _between(inputs, base, found), change)


def _between(inputs: Inputs, base: Result, found: Result) -> int:
    """Working days from one middle finish to the other; later is above zero."""
    origin = first_day(inputs.today)
    days = np.busday_count(origin, np.array([base.realistic, found.realistic], "datetime64[D]"))
    return int(days[1] - days[0])
