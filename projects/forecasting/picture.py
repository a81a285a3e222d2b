"""The picture of a forecast: the share of runs that are done, day by day, with its marks.

Only numbers for the template: coordinates in a drawing of `WIDTH` by `HEIGHT`, and where the words
beside it belong. Nothing here is a colour or a text.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Final

from projects.forecasting.inputs import Inputs
from projects.forecasting.results import MARKS, Result

WIDTH: Final = 640
HEIGHT: Final = 240
MARGIN: Final = 8


@dataclass(frozen=True)
class Mark:
    """One of the three days (20, 50, 80), or the end date (0)."""

    percent: int
    day: dt.date
    x: float
    y: float


@dataclass(frozen=True)
class Picture:
    """`line` and `area` are the points of a curve; `marks` stand on it; `end` is the end date."""

    line: str
    area: str
    marks: tuple[Mark, ...]
    end: Mark | None
    first: dt.date
    last: dt.date
    weeks: tuple[float, ...]
    width: int = WIDTH
    height: int = HEIGHT

    @property
    def base(self) -> float:
        """Where the ground is."""
        return HEIGHT - MARGIN


def picture_of(inputs: Inputs, result: Result) -> Picture:
    """The cumulative curve from the first finish of any run to the last but one in a hundred."""
    days = [result.first, result.last]
    if inputs.end is not None and abs((inputs.end - result.realistic).days) < 400:
        days.append(inputs.end)
    first, last = min(days), max(days)
    span = max((last - first).days, 1)

    def x(day: dt.date) -> float:
        at = MARGIN + (day - first).days / span * (WIDTH - 2 * MARGIN)
        return round(min(max(at, MARGIN), WIDTH - MARGIN), 1)

    points = [(x(result.first), _y(0))]
    points += [(x(day), _y(percent)) for percent, day in sorted(result.curve.items())]
    points += [(x(result.last), _y(99)), (x(last), _y(100))]
    ground = f"{points[-1][0]},{_y(0)} {points[0][0]},{_y(0)}"
    line = " ".join(f"{a},{b}" for a, b in points)
    marks = tuple(Mark(one, result.curve[one], x(result.curve[one]), _y(one)) for one in MARKS)
    end = None
    if inputs.end is not None:
        end = Mark(0, inputs.end, x(inputs.end), _y(100 * (result.on_time or 0)))
    mondays = (first + dt.timedelta(days=n) for n in range(span + 1))
    weeks = tuple(x(day) for day in mondays if day.weekday() == 0) if span <= 180 else ()
    return Picture(line, f"{line} {ground}", marks, end, first, last, weeks)


def _y(percent: float) -> float:
    return round(HEIGHT - MARGIN - percent / 100 * (HEIGHT - 2 * MARGIN), 1)
