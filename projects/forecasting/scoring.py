"""How good a forecast was, once the project is done, and what later ones learn from it."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from projects.forecasting.results import PERCENTS, Result

EDGES: Final = (20, 80)
EIGHTY: Final = 0.8416212335729143  # standard deviations to the eightieth percentile
LEAST_DEVIATION: Final = 0.5  # days; a forecast can hardly be surer
FARTHEST_MISS: Final = 6.0
TRUST: Final = 3
NARROWEST, WIDEST = 0.6, 3.0


@dataclass(frozen=True)
class Score:
    """A forecast beside what happened.

    `days` is twice the mean pinball loss over the stored percentiles in calendar days: near to the
    continuous ranked probability score; 0 is a sure and right forecast, and a forecast that names
    one day without doubt scores the days by which it was wrong. `fell_at` is the percentage of
    runs that were done by the real day.
    """

    days: float
    fell_at: int


def score(result: Result, actual: dt.date) -> Score:
    """Judges a forecast by the day the project was really done."""
    told = np.array([result.curve[one] for one in PERCENTS], "datetime64[D]").astype(np.int64)
    real = np.datetime64(actual, "D").astype(np.int64)
    levels = np.array(PERCENTS) / 100
    missed = real - told
    losses = np.where(missed >= 0, levels * missed, (levels - 1) * missed)
    fell_at = max((one for one in PERCENTS if result.curve[one] <= actual), default=0)
    return Score(round(float(2 * losses.mean()), 2), fell_at)


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
