"""What a forecast is computed from: working days, and a project as plain values that are stored."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, Literal, cast

import numpy as np
import numpy.typing as npt
from pydantic import TypeAdapter

# Working days as distances from the first one, Monday to Friday without the days off. `off` are
# days on which nobody works; none unless somebody named them.
Floats = npt.NDArray[np.float64]
Days = npt.NDArray[np.datetime64]
NO_DAYS: Final[Days] = np.array([], dtype="datetime64[D]")
TINY: Final = 1e-9
FARTHEST: Final = 20_000  # working days; a finish beyond it is "not in sight" and is cut


def first_day(today: dt.date, off: Days = NO_DAYS) -> np.datetime64:
    """Today, or the next day that can be worked on."""
    return np.busday_offset(np.datetime64(today, "D"), 0, roll="forward", holidays=off)


def begins(origin: np.datetime64, day: dt.date, off: Days = NO_DAYS) -> float:
    """The distance at which a day begins; 0 for days gone by."""
    return max(0.0, float(np.busday_count(origin, np.datetime64(day, "D"), holidays=off)))


def ends(origin: np.datetime64, day: dt.date, off: Days = NO_DAYS) -> float:
    """The distance at which a day ends; on a day off, when the working day before ends."""
    return max(0.0, float(np.busday_count(origin, np.datetime64(day, "D") + 1, holidays=off)))


def days_at(origin: np.datetime64, distances: Floats, off: Days = NO_DAYS) -> Days:
    """The working days on which work is done that takes up so much time from the origin."""
    whole = np.ceil(np.clip(distances, 0, FARTHEST) - TINY).astype(np.int64) - 1
    return np.busday_offset(origin, np.maximum(whole, 0), roll="forward", holidays=off)


def day_at(origin: np.datetime64, distance: float, off: Days = NO_DAYS) -> dt.date:
    day = days_at(origin, np.array([distance]), off)[0].astype("datetime64[D]").item()
    return cast("dt.date", day)


def working_days(first: dt.date, last: dt.date) -> int:
    """Days one can work on from the first to the last, both counted; 0 when there are none."""
    return max(0, int(np.busday_count(np.datetime64(first, "D"), np.datetime64(last, "D") + 1)))


Spread = Literal["sure", "usual", "unsure"]

NEEDED: Final = 3  # dated or estimated open tasks below which no forecast is made (DECISIONS 30)
DONE: Final = frozenset({"completed", "dropped"})
BLOCKED: Final = "blocked"
USUAL: Final = (1.0, 5.0)  # days a task takes, where no task of the project has an estimate
HANDS_MAX: Final = 50.0
HANDS_MIN: Final = 0.05
ABSENCE_DAYS_MAX: Final = 1_000


@dataclass(frozen=True)
class TaskInput:
    """A to-do as the simulation sees it. Estimates are working days of one person."""

    id: str
    title: str
    status: str = "available"
    priority: str = "normal"
    start: dt.date | None = None
    due: dt.date | None = None
    low: float | None = None
    high: float | None = None
    depends_on: tuple[str, ...] = ()

    @property
    def is_open(self) -> bool:
        return self.status not in DONE

    @property
    def is_estimated(self) -> bool:
        return self.low is not None or self.high is not None


@dataclass(frozen=True)
class Absence:
    """Days, both counted, on which so many people do not work on it."""

    first: dt.date
    last: dt.date
    people: float = 1.0


@dataclass(frozen=True)
class Inputs:
    """A project at one moment, with the assumptions.

    `hands` is how many people work on it all day (0.5: one person, half of the time). `spread`
    says how sure the person is of the estimates as a whole. `usual` is what a task takes of which
    nobody said it; it is kept here, so that a variant does not change it. `seed` makes it all
    repeatable. `widening` comes from earlier forecasts that were scored: above 1 the days lie
    farther apart (`results.widening_from`).
    """

    today: dt.date
    tasks: tuple[TaskInput, ...]
    start: dt.date | None = None
    end: dt.date | None = None
    hands: float = 1.0
    spread: Spread = "usual"
    usual: tuple[float, float] = USUAL
    seed: int = 1
    absences: tuple[Absence, ...] = ()
    widening: float = 1.0

    @cached_property
    def off(self) -> Days:
        """Days on which nothing is done. Where only some of several people are away, their share
        of the days counts as off: with one of two away, every second day.
        """
        days = [day for absence in self.absences for day in _days_off(absence, self.hands)]
        return np.array(sorted(set(days)), dtype="datetime64[D]") if days else NO_DAYS

    @property
    def open_tasks(self) -> list[TaskInput]:
        return [task for task in self.tasks if task.is_open]

    @property
    def usable(self) -> list[TaskInput]:
        return [task for task in self.open_tasks if task.start or task.due or task.is_estimated]

    @property
    def unestimated(self) -> list[TaskInput]:
        """Open tasks of which nobody said how much work they are."""
        return [task for task in self.open_tasks if not task.is_estimated]

    def task(self, key: str) -> TaskInput | None:
        return next((task for task in self.tasks if task.id == key), None)

    def with_task(self, changed: TaskInput) -> Inputs:
        """The same with one task changed, or added at the end when its id is new."""
        if self.task(changed.id) is None:
            return replace(self, tasks=(*self.tasks, changed))
        tasks = tuple(changed if task.id == changed.id else task for task in self.tasks)
        return replace(self, tasks=tasks)

    def as_json(self) -> dict[str, Any]:
        """Plain values; `from_json` reads them back."""
        return cast("dict[str, Any]", _JSON.dump_python(self, mode="json"))

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Inputs:
        """The inputs as they were stored. ValueError for anything else."""
        return _JSON.validate_python(stored)


_JSON: Final = TypeAdapter(Inputs)


def _days_off(absence: Absence, hands: float) -> list[dt.date]:
    share = min(1.0, absence.people / max(hands, absence.people, 1.0))
    length = min((absence.last - absence.first).days + 1, ABSENCE_DAYS_MAX)
    days = [absence.first + dt.timedelta(days=number) for number in range(max(length, 0))]
    working = [day for day in days if day.weekday() < 5]
    return [
        day for number, day in enumerate(working) if int((number + 1) * share) > int(number * share)
    ]
