"""A computed forecast: three dates, the curve, the chance to meet the end date, what drives it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast

import numpy as np
from pydantic import TypeAdapter

from projects.forecasting.calendar import Days, day_at, days_at, first_day
from projects.forecasting.drivers import Driver, drivers
from projects.forecasting.inputs import NEEDED, Inputs
from projects.forecasting.simulation import RUNS, finishes, network, widened

PERCENTS: Final = tuple(range(5, 100, 5))
MARKS: Final = (20, 50, 80)  # optimistic, realistic, pessimistic (DECISIONS 30)
VERSION: Final = 1


@dataclass(frozen=True)
class Result:
    """What a simulation found. Chances are shares from 0 to 1; the rest is plain and storable.

    `curve` has the day by which so many per cent of the runs were done, `on_time` the chance to be
    done by the project's end date (None without one), `chances` the simulated chance to be done by
    each of the three days (a little above its percentage, since days are whole), `work_days` the
    work that is left in the middle run, as days of one person.
    """

    curve: Mapping[int, dt.date]
    chances: Mapping[int, float]
    on_time: float | None
    first: dt.date
    last: dt.date
    work_days: float
    drivers: tuple[Driver, ...] = ()
    unestimated: tuple[str, ...] = ()
    overdue: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    circles: tuple[str, ...] = ()
    runs: int = RUNS
    version: int = field(default=VERSION)

    @property
    def optimistic(self) -> dt.date:
        """In 20 of 100 runs everything was done by then."""
        return self.curve[20]

    @property
    def realistic(self) -> dt.date:
        """In 50 of 100."""
        return self.curve[50]

    @property
    def pessimistic(self) -> dt.date:
        """In 80 of 100."""
        return self.curve[80]

    def as_json(self) -> dict[str, Any]:
        """Plain values; `from_json` reads them back."""
        return cast("dict[str, Any]", _JSON.dump_python(self, mode="json"))

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Result:
        """The result as it was stored. ValueError for anything else."""
        return _JSON.validate_python(stored)


_JSON: Final = TypeAdapter(Result)


@dataclass(frozen=True)
class Declined:
    """Why no forecast is made: too little is known. The tasks that could be estimated are named."""

    known: int
    unestimated: tuple[str, ...]
    needed: int = NEEDED

    @property
    def is_empty(self) -> bool:
        """Whether there is no open task at all."""
        return not self.known and not self.unestimated


def forecast(inputs: Inputs, *, runs: int = RUNS) -> Result | Declined:
    """Computes a forecast; the same inputs give the same result."""
    if not inputs.is_enough:
        return Declined(len(inputs.known), tuple(one.title for one in inputs.unestimated))
    net = network(inputs, runs=runs)
    done = finishes(net)
    days = days_at(net.origin, widened(done, inputs.widening), net.off)
    curve = {percent: _percentile(days, percent) for percent in PERCENTS}
    titles = {one.id: one.title for one in inputs.tasks}
    return Result(
        curve=curve,
        chances={percent: _chance(days, curve[percent]) for percent in MARKS},
        on_time=_chance(days, inputs.end) if inputs.end else None,
        first=_as_day(days.min()),
        last=_percentile(days, 99),
        work_days=round(float(np.median(net.work.sum(axis=1))), 1),
        drivers=drivers(net, done),
        unestimated=tuple(one.title for one in inputs.unestimated),
        overdue=tuple(o.title for o in inputs.open_tasks if o.due and o.due < inputs.today),
        blocked=tuple(o.title for o in inputs.open_tasks if o.status == "blocked"),
        circles=tuple(titles[key] for key, _ in net.order.circles),
        runs=runs,
    )


def _percentile(days: Days, percent: int) -> dt.date:
    """The first day by which at least so many per cent of the runs are done."""
    return _as_day(np.quantile(days.astype(np.int64), percent / 100, method="inverted_cdf"))


def _as_day(number: Any) -> dt.date:
    day: dt.date = np.datetime64(int(np.int64(number)), "D").item()
    return day


def _chance(days: Days, day: dt.date) -> float:
    return round(float((days <= np.datetime64(day, "D")).mean()), 4)


def today_plus(inputs: Inputs, days: float) -> dt.date:
    """The working day on which so many working days from the first one are over."""
    return day_at(first_day(inputs.today, inputs.off), days, inputs.off)
