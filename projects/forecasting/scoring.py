"""How good a forecast was, once the project is done."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Final

import numpy as np

from projects.forecasting.results import PERCENTS, Result

EDGES: Final = (20, 80)


@dataclass(frozen=True)
class Score:
    """A forecast beside what happened.

    `days` is twice the mean pinball loss over the stored percentiles in calendar days: near to the
    continuous ranked probability score; 0 is a sure and right forecast, and a forecast that names
    one day without doubt scores the days by which it was wrong. `fell_at` is the percentage of
    runs that were done by the real day, `is_within` whether it fell between the optimistic and the
    pessimistic day, as it should in 6 of 10 forecasts.
    """

    days: float
    fell_at: int
    is_within: bool


def score(result: Result, actual: dt.date) -> Score:
    """Judges a forecast by the day the project was really done."""
    told = np.array([result.curve[one] for one in PERCENTS], "datetime64[D]").astype(np.int64)
    real = np.datetime64(actual, "D").astype(np.int64)
    levels = np.array(PERCENTS) / 100
    missed = real - told
    losses = np.where(missed >= 0, levels * missed, (levels - 1) * missed)
    low, high = (result.curve[edge] for edge in EDGES)
    fell_at = max((one for one in PERCENTS if result.curve[one] <= actual), default=0)
    return Score(round(float(2 * losses.mean()), 2), fell_at, low <= actual <= high)
