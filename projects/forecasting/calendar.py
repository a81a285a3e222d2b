"""Working days as distances from the first one: Monday to Friday without the days off.

`off` are days on which nobody works, as `datetime64[D]`; none unless somebody named them.
"""

from __future__ import annotations

import datetime as dt
from typing import Final

import numpy as np
import numpy.typing as npt

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
    """The same for one."""
    day: dt.date = days_at(origin, np.array([distance]), off)[0].astype("datetime64[D]").item()
    return day


def working_days(first: dt.date, last: dt.date) -> int:
    """Days one can work on from the first to the last, both counted; 0 when there are none."""
    return max(0, int(np.busday_count(np.datetime64(first, "D"), np.datetime64(last, "D") + 1)))
