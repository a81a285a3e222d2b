"""A computed forecast: three dates, the curve, the chance to meet the end date, what drives it;
and how good it was once the project is done."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, cast

import numpy as np
from pydantic import TypeAdapter

from projects.forecasting.inputs import NEEDED, Days, Floats, Inputs, day_at, days_at, first_day
from projects.forecasting.simulation import RUNS, Network, course, finishes, network, widened

PERCENTS: Final = tuple(range(5, 100, 5))
MARKS: Final = (20, 50, 80)  # optimistic, realistic, pessimistic (DECISIONS 30)
NAMED: Final = 5
TRIED: Final = 12  # the tasks with the strongest link are tried out; the rest cannot be named
LEAST: Final = 0.05  # below such a share, or such a link, a task does not drive anything
TRIAL_RUNS: Final = 500


@dataclass(frozen=True)
class Driver:
    """A task that the finish depends on.

    `critical` is the share of runs in which one more day here moves the finish (the criticality
    index); `link` the rank correlation of its length, waiting included, with the finish; `spread`
    the days between its shorter and longer end, waiting included. Begun as soon as it can be, it
    is done by `likely` in 5 of 10 runs and by `late` in 8 of 10.
    """

    id: str
    title: str
    critical: float
    link: float
    spread: float
    is_estimated: bool
    likely: dt.date
    late: dt.date


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
    runs: int = RUNS
    version: int = 1

    @property
    def optimistic(self) -> dt.date:
        return self.curve[20]

    @property
    def realistic(self) -> dt.date:
        return self.curve[50]

    @property
    def pessimistic(self) -> dt.date:
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

    usable: int
    unestimated: tuple[str, ...]


def forecast(inputs: Inputs, *, runs: int = RUNS) -> Result | Declined:
    """Computes a forecast; the same inputs give the same result."""
    if len(inputs.usable) < NEEDED:
        return Declined(len(inputs.usable), tuple(item.title for item in inputs.unestimated))
    net = network(inputs, runs=runs)
    done = finishes(net)
    days = days_at(net.origin, widened(done, inputs.widening), net.off)
    curve = {percent: _percentile(days, percent) for percent in PERCENTS}
    return Result(
        curve=curve,
        chances={percent: _chance(days, curve[percent]) for percent in MARKS},
        on_time=_chance(days, inputs.end) if inputs.end else None,
        first=_as_day(days.min()),
        last=_percentile(days, 99),
        work_days=round(float(np.median(net.work.sum(axis=1))), 1),
        drivers=drivers(net, done),
        unestimated=tuple(item.title for item in inputs.unestimated),
        overdue=tuple(o.title for o in inputs.open_tasks if o.due and o.due < inputs.today),
        blocked=tuple(o.title for o in inputs.open_tasks if o.status == "blocked"),
        runs=runs,
    )


def _percentile(days: Days, percent: int) -> dt.date:
    """The first day by which at least so many per cent of the runs are done."""
    return _as_day(np.quantile(days.astype(np.int64), percent / 100, method="inverted_cdf"))


def _as_day(number: Any) -> dt.date:
    return np.datetime64(int(np.int64(number)), "D").item()


def _chance(days: Days, day: dt.date) -> float:
    return round(float((days <= np.datetime64(day, "D")).mean()), 4)


def today_plus(inputs: Inputs, days: float) -> dt.date:
    """The working day on which so many working days from the first one are over."""
    return day_at(first_day(inputs.today, inputs.off), days, inputs.off)


def drivers(net: Network, done: Floats) -> tuple[Driver, ...]:
    """At most five tasks, the strongest first."""
    taken = net.lengths + net.waits
    links = _links(taken, done)
    trial = replace(net, lengths=net.lengths[:TRIAL_RUNS], waits=net.waits[:TRIAL_RUNS])
    before = done[:TRIAL_RUNS]
    _starts, ends = course(net)
    matches = []
    for place in np.argsort(-links, kind="stable")[:TRIED].tolist():
        longer = trial.lengths.copy()
        longer[:, place] += 1.0
        moved = finishes(replace(trial, lengths=longer)) - before
        low, high = np.quantile(taken[:, place], (0.1, 0.9))
        likely, late = np.quantile(ends[:, place], (0.5, 0.8))
        task = net.readings[place].task
        matches.append(
            Driver(
                id=task.id,
                title=task.title,
                critical=round(float((moved > 1e-6).mean()), 3),
                link=round(float(links[place]), 3),
                spread=round(float(high - low), 1),
                is_estimated=task.is_estimated,
                likely=day_at(net.origin, float(likely), net.off),
                late=day_at(net.origin, float(late), net.off),
            )
        )
    strong = [match for match in matches if match.critical >= LEAST and match.link >= LEAST]
    return tuple(
        sorted(strong, key=lambda driver: (-driver.critical * driver.link, driver.id))[:NAMED]
    )


def _links(taken: Floats, done: Floats) -> Floats:
    """`(tasks,)` Spearman's rank correlations; 0 for what never varies."""
    ranks = np.column_stack([_ranks(column) for column in (*taken.T, done)])
    with np.errstate(invalid="ignore", divide="ignore"):
        links: Floats = np.nan_to_num(np.atleast_2d(np.corrcoef(ranks, rowvar=False))[-1, :-1])
    return links


def _ranks(values: Floats) -> Floats:
    """`(n,)` ranks from 1; equal values share the mean of theirs."""
    _each, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[place]


EDGES: Final = (20, 80)
EIGHTY: Final = 0.8416212335729143  # standard deviations to the eightieth percentile
LEAST_DEVIATION: Final = 0.5  # days; a forecast can hardly be surer
FARTHEST_MISS: Final = 6.0
TRUST: Final = 3
NARROWEST, WIDEST = 0.6, 3.0


def score(result: Result, actual: dt.date) -> tuple[float, int]:
    """Judges a forecast by the day the project was really done: by how many days it was off, and
    the percentage of runs that were done by that day.

    The days are twice the mean pinball loss over the stored percentiles in calendar days: near to
    the continuous ranked probability score; 0 is a sure and right forecast, and a forecast that
    names one day without doubt scores the days by which it was wrong.
    """
    days = np.array([result.curve[percent] for percent in PERCENTS], "datetime64[D]")
    missed = (np.datetime64(actual, "D") - days).astype(np.int64)
    levels = np.array(PERCENTS) / 100
    losses = np.where(missed >= 0, levels * missed, (levels - 1) * missed)
    fell_at = max((percent for percent in PERCENTS if result.curve[percent] <= actual), default=0)
    return round(float(2 * losses.mean()), 2), fell_at


def standardised(result: Result, actual: dt.date) -> float:
    """By how many of the forecast's own standard deviations the real day lay from its middle."""
    low, high = (result.curve[edge] for edge in EDGES)
    deviation = max((high - low).days / (2 * EIGHTY), LEAST_DEVIATION)
    missed: float = (actual - result.realistic).days / deviation
    return max(-FARTHEST_MISS, min(missed, FARTHEST_MISS))


def widening_from(past: Sequence[Sequence[float]]) -> float:
    """How much farther apart the days of the next forecast lie, from those that were scored.

    `past` has for each finished project the standardised misses of its forecasts. Forecasts that
    were sure and wrong give more than 1, those that were needlessly wide less. As many invented
    projects in which everything fell as forecast (`TRUST`) stand beside the real ones, so that one
    surprise does not decide.
    """
    squares = [sum(miss**2 for miss in misses) / len(misses) for misses in past if misses]
    if not squares:
        return 1.0
    mean = (TRUST + sum(squares)) / (TRUST + len(squares))
    return round(min(max(math.sqrt(mean), NARROWEST), WIDEST), 2)
