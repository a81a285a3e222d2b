"""Which tasks drive the finish: whose length it follows, and where a day longer moves it."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Final

import numpy as np

from projects.forecasting.calendar import Floats, day_at
from projects.forecasting.simulation import Network, earliest_ends, finishes

NAMED: Final = 5
TRIED: Final = 12  # the tasks with the strongest link are tried out; the rest cannot be named
LEAST: Final = 0.05  # below such a share, or such a link, a task does not drive anything
TRIAL_RUNS: Final = 500


@dataclass(frozen=True)
class Driver:
    """A task that the finish depends on.

    `critical` is the share of runs in which one more day here moves the finish (the criticality
    index); `link` the rank correlation of its length, waiting included, with the finish; `moves`
    the days by which that one day moves the finish on average; `spread` the days between its
    shorter and longer end, waiting included. Begun as soon as it can be, it is done by `likely` in
    5 of 10 runs and by `late` in 8 of 10.
    """

    id: str
    title: str
    critical: float
    link: float
    moves: float
    spread: float
    is_estimated: bool
    likely: dt.date
    late: dt.date


def drivers(net: Network, done: Floats) -> tuple[Driver, ...]:
    """At most five tasks, the strongest first."""
    taken = net.lengths + net.waits
    links = _links(taken, done)
    trial = _shortened(net)
    before = done[: len(trial.lengths)]
    ends = earliest_ends(net)
    found = []
    for place in np.argsort(-links, kind="stable")[:TRIED].tolist():
        moved = finishes(trial, extra=(place, 1.0)) - before
        low, high = np.quantile(taken[:, place], (0.1, 0.9))
        likely, late = np.quantile(ends[:, place], (0.5, 0.8))
        task = net.readings[place].task
        found.append(
            Driver(
                id=task.id,
                title=task.title,
                critical=round(float((moved > 1e-6).mean()), 3),
                link=round(float(links[place]), 3),
                moves=round(float(moved.mean()), 2),
                spread=round(float(high - low), 1),
                is_estimated=task.is_estimated,
                likely=day_at(net.origin, float(likely), net.off),
                late=day_at(net.origin, float(late), net.off),
            )
        )
    strong = [one for one in found if one.critical >= LEAST and one.link >= LEAST]
    return tuple(sorted(strong, key=lambda one: (-one.critical * one.link, one.id))[:NAMED])


def _shortened(net: Network) -> Network:
    lengths, waits = net.lengths[:TRIAL_RUNS], net.waits[:TRIAL_RUNS]
    return Network(net.origin, net.readings, net.order, lengths, waits, net.hands, net.off)


def _links(taken: Floats, done: Floats) -> Floats:
    """`(tasks,)` Spearman's rank correlations; 0 for what never varies."""
    ranks = np.column_stack([_ranks(one) for one in (*taken.T, done)])
    ranks -= ranks.mean(axis=0)
    lengths = np.sqrt((ranks**2).sum(axis=0))
    lengths[lengths == 0] = 1.0
    ranks /= lengths
    links: Floats = ranks[:, :-1].T @ ranks[:, -1]
    return links


def _ranks(values: Floats) -> Floats:
    """`(n,)` ranks from 1; equal values share the mean of theirs."""
    _each, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - (counts - 1) / 2)[place]
    return ranks
