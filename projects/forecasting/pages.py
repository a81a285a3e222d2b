"""What the page of a forecast shows: its chart, in coordinates, and its words."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.dateparse import parse_date
from django.utils.functional import Promise
from django.utils.translation import gettext as _, ngettext

from futura.percent import whole_percent
from projects.forecasting.inputs import Inputs
from projects.forecasting.models import Forecast
from projects.forecasting.results import MARKS, Result
from projects.forecasting.wording import NAMES, Explanation, chance_line

WIDTH: Final = 640
HEIGHT: Final = 240
MARGIN: Final = 8


def chart_of(inputs: Inputs, result: Result) -> dict[str, Any]:
    """The cumulative curve from the first finish of any run to the last but one in a hundred.

    `line` and `area` are its points; `marks` stand on it, each with `percent` and `day`; `end` is
    the end date, where there is one.
    """
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
    return {
        "line": line,
        "area": f"{line} {ground}",
        "marks": [
            {"percent": mark, "day": day, "x": x(day), "y": _y(mark)}
            for mark in MARKS
            for day in [result.curve[mark]]
        ],
        "end": {"day": inputs.end, "x": x(inputs.end)} if inputs.end else None,
        "first": first,
        "last": last,
        "width": WIDTH,
        "height": HEIGHT,
        "base": HEIGHT - MARGIN,
    }


def _y(percent: float) -> float:
    return round(HEIGHT - MARGIN - percent / 100 * (HEIGHT - 2 * MARGIN), 1)


@dataclass(frozen=True)
class Page:
    """A stored forecast, read back for the page."""

    forecast: Forecast
    inputs: Inputs
    result: Result
    explanation: Explanation
    chart: Mapping[str, Any]

    @property
    def scenarios(self) -> Sequence[tuple[str | Promise, object]]:
        return [(NAMES[scenario.name], scenario) for scenario in self.explanation.scenarios]

    @property
    def chance(self) -> str:
        return chance_line(self.inputs, self.result)

    @property
    def drivers(self) -> Sequence[tuple[object, int]]:
        """Each with its link in per cent."""
        return [(driver, whole_percent(driver.link)) for driver in self.result.drivers]

    @property
    def branches(self) -> Sequence[Mapping[str, Any]]:
        """The plan as it is, and beside it what was tried out; empty when nothing was.

        `days` are the three of each (None where an old record lacks one).
        """
        if not self.forecast.variants:
            return []
        result = self.result
        chance = None if result.on_time is None else whole_percent(result.on_time)
        days = [result.optimistic, result.realistic, result.pessimistic]
        plan = {"title": _("Current plan"), "days": days, "on_time": chance}
        tried = [
            {**row, "days": [parse_date(row.get(name, "")) for name in NAMES]}
            for row in self.forecast.variants
        ]
        return [plan, *tried]

    @property
    def score_words(self) -> str:
        """How good it was, in two sentences; empty before the project is done."""
        actual, days = self.forecast.actual_finish, round(self.forecast.score or 0)
        if actual is None:
            return ""
        where = _("%(percent)d of 100 runs were done by then.")
        off = ngettext(
            "Error of the forecast: %(n)d day, its range included.",
            "Error of the forecast: %(n)d days, its range included.",
            days,
        )
        return f"{where} {off}" % {"percent": self.forecast.fell_at or 0, "n": days}


def page_of(forecast: Forecast) -> Page:
    """Reads a stored forecast. No query."""
    inputs, result = Inputs.from_json(forecast.inputs), Result.from_json(forecast.results)
    details = Explanation.model_validate(forecast.told)
    return Page(forecast, inputs, result, details, chart_of(inputs, result))
