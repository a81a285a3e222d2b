"""What a forecast is computed from, as plain values that can be stored and computed again."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, Final, Literal, Self, cast

import numpy as np

from projects.forecasting.calendar import NO_DAYS, Days

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
        """Whether there is still something to do."""
        return self.status not in DONE

    @property
    def is_estimated(self) -> bool:
        """Whether somebody said how much work it is."""
        return self.low is not None or self.high is not None

    @property
    def is_dated(self) -> bool:
        """Whether a day is attached to it."""
        return self.start is not None or self.due is not None


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
    farther apart (`projects.forecasting.scoring`).
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
        days = [day for one in self.absences for day in _days_off(one, self.hands)]
        return np.array(sorted(set(days)), dtype="datetime64[D]") if days else NO_DAYS

    @property
    def open_tasks(self) -> list[TaskInput]:
        """What is neither done nor dropped."""
        return [task for task in self.tasks if task.is_open]

    @property
    def known(self) -> list[TaskInput]:
        """Open tasks with a date or an estimate."""
        return [one for one in self.open_tasks if one.is_dated or one.is_estimated]

    @property
    def unestimated(self) -> list[TaskInput]:
        """Open tasks of which nobody said how much work they are."""
        return [task for task in self.open_tasks if not task.is_estimated]

    @property
    def is_enough(self) -> bool:
        """Whether a forecast can be made at all."""
        return len(self.known) >= NEEDED

    def task(self, key: str) -> TaskInput | None:
        """The task of that id."""
        return next((task for task in self.tasks if task.id == key), None)

    def with_task(self, changed: TaskInput) -> Inputs:
        """The same with one task changed, or added at the end when its id is new."""
        if self.task(changed.id) is None:
            return replace(self, tasks=(*self.tasks, changed))
        tasks = tuple(changed if task.id == changed.id else task for task in self.tasks)
        return replace(self, tasks=tasks)

    def as_json(self) -> dict[str, Any]:
        """Plain values; `from_json` reads them back."""
        return cast("dict[str, Any]", plain_of(asdict(self)))

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """The inputs as they were stored. KeyError or ValueError for anything else."""
        tasks = tuple(_task(one) for one in stored["tasks"])
        return cls(
            today=dt.date.fromisoformat(stored["today"]),
            tasks=tasks,
            start=_day(stored["start"]),
            end=_day(stored["end"]),
            hands=float(stored["hands"]),
            spread=stored["spread"],
            usual=(float(stored["usual"][0]), float(stored["usual"][1])),
            seed=int(stored["seed"]),
            absences=tuple(_absence(one) for one in stored.get("absences", ())),
            widening=float(stored.get("widening", 1.0)),
        )


def _days_off(absence: Absence, hands: float) -> list[dt.date]:
    share = min(1.0, absence.people / max(hands, absence.people, 1.0))
    length = min((absence.last - absence.first).days + 1, ABSENCE_DAYS_MAX)
    days = [absence.first + dt.timedelta(days=number) for number in range(max(length, 0))]
    working = [day for day in days if day.weekday() < 5]
    return [
        day for number, day in enumerate(working) if int((number + 1) * share) > int(number * share)
    ]


def _absence(stored: Mapping[str, Any]) -> Absence:
    first, last = (dt.date.fromisoformat(stored[name]) for name in ("first", "last"))
    return Absence(first, last, float(stored["people"]))


def _task(stored: Mapping[str, Any]) -> TaskInput:
    return TaskInput(
        **{
            **stored,
            "start": _day(stored["start"]),
            "due": _day(stored["due"]),
            "depends_on": tuple(stored["depends_on"]),
        }
    )


def _day(text: str | None) -> dt.date | None:
    return dt.date.fromisoformat(text) if text else None


def plain_of(value: Any) -> Any:
    """Days as text, tuples as lists, all the way down."""
    if isinstance(value, dt.date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {key: plain_of(one) for key, one in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain_of(one) for one in value]
    return value
