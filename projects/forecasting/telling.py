"""The computed forecast in words: three scenarios, decision points, recommendations; by rules."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any, Literal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pydantic import BaseModel, Field

from futura.percent import whole_percent
from projects.forecasting.calendar import working_days
from projects.forecasting.inputs import Inputs
from projects.forecasting.results import Declined, Result, today_plus
from projects.forecasting.wording import (
    beside_end,
    chance_words,
    day_words,
    days_words,
    listed,
    short_day,
)

Name = Literal["optimistic", "realistic", "pessimistic"]
PERCENT_OF: dict[Name, int] = {"optimistic": 20, "realistic": 50, "pessimistic": 80}


class Scenario(BaseModel):
    """One of the three; `day` and `chance` are computed, the rest is said about them."""

    name: Name
    day: dt.date
    chance: float
    outcome: str
    key_factors: list[str] = Field(default_factory=list)
    warning_signs: list[str] = Field(default_factory=list)

    @property
    def percent(self) -> int:
        """The chance to be done by the day, in per cent."""
        return whole_percent(self.chance)


class DecisionPoint(BaseModel):
    """A day on which to look, and what to decide then."""

    day: dt.date
    what: str


class Told(BaseModel):
    """Everything that is said about a forecast."""

    scenarios: list[Scenario]
    decision_points: list[DecisionPoint] = Field(default_factory=list)
    recommendations: list[str] = Field(default_factory=list)
    assumptions: list[str] = Field(default_factory=list)


def told_by_rules(inputs: Inputs, result: Result) -> Told:
    """The forecast in words, from the computation alone."""
    values = _values(inputs, result)
    scenarios = [
        Scenario(
            name=name,
            day=result.curve[number],
            chance=result.chances[number],
            outcome=outcome(inputs, result.curve[number]),
            key_factors=_factors(name, result, values),
            warning_signs=_signs(name, result, values),
        )
        for name, number in PERCENT_OF.items()
    ]
    return Told(
        scenarios=scenarios,
        decision_points=_decision_points(inputs, result),
        recommendations=_recommendations(inputs, result, values),
        assumptions=_assumptions(inputs),
    )


def outcome(inputs: Inputs, day: dt.date) -> str:
    """“Everything is done by Friday 18 December 2026, 3 working days before the end date.”"""
    if inputs.end is None:
        return _("Everything is done by %(day)s.") % {"day": day_words(day)}
    told = {"day": day_words(day), "beside": beside_end(day, inputs.end)}
    return _("Everything is done by %(day)s, %(beside)s.") % told


def _values(inputs: Inputs, result: Result) -> dict[str, Any]:
    """What the sentences name; empty where there is nothing to name."""
    top = next(iter(result.drivers), None)
    return {
        "task": top.title if top else "",
        "likely": short_day(top.likely) if top else "",
        "days": days_words(top.spread) if top else "",
        "moved": whole_percent(top.critical) if top else 0,
        "drivers": listed([one.title for one in result.drivers[:3]]),
        "blocked": listed(list(result.blocked)),
        "overdue": listed(list(result.overdue)),
        "unestimated": listed(list(result.unestimated)),
        "circles": listed(list(result.circles)),
        "work": days_words(result.work_days),
        "half_work": days_words(result.work_days / 2),
        "half": short_day(_halfway(inputs, result)),
        "late": short_day(result.pessimistic),
        "on_time": whole_percent(result.on_time or 0),
    }


def _written(values: Mapping[str, Any], *lines: tuple[object, str]) -> list[str]:
    """The sentences of which there is something to say."""
    return [words % values for is_there, words in lines if is_there]


def _factors(name: Name, result: Result, values: Mapping[str, Any]) -> list[str]:
    """What makes a course so."""
    number = len(result.drivers[:3])
    lines: dict[Name, tuple[tuple[object, str], ...]] = {
        "optimistic": (
            (number, _("“%(task)s” takes its shortest estimate and is done before %(likely)s.")),
            (result.blocked, _("The cause that blocks %(blocked)s is resolved within days.")),
            (result.unestimated, _("To-dos without an estimate turn out small: %(unestimated)s.")),
        ),
        "realistic": (
            (number, _("Near the middle of the estimate: %(drivers)s.")),
            (number, _("%(work)s of work are left for the people available.")),
        ),
        "pessimistic": (
            (
                number,
                _("“%(task)s” takes its longest estimate, about %(days)s more than the shortest."),
            ),
            (result.blocked, _("%(blocked)s stays blocked for two weeks or more.")),
            (result.overdue, _("%(overdue)s is overdue and keeps slipping.")),
        ),
    }
    return _written(values, *lines[name]) or [_("The estimates hold on average.")]


def _signs(name: Name, result: Result, values: Mapping[str, Any]) -> list[str]:
    """What would show early that a course does not come, or comes."""
    if name == "realistic":
        return [_("By %(half)s, less than about %(half_work)s of work is done.") % values]
    if name == "optimistic":
        lines = _written(values, (result.drivers, _("“%(task)s” is still open after %(likely)s.")))
    else:
        lines = [
            _("“%(task)s” is not done by %(day)s.")
            % {"task": one.title, "day": short_day(one.late)}
            for one in result.drivers[:2]
        ]
    return lines or [_("A to-do takes longer than estimated.")]


def _halfway(inputs: Inputs, result: Result) -> dt.date:
    """The working day in the middle between now and the realistic finish."""
    first, last = today_plus(inputs, 0), result.realistic
    return today_plus(inputs, working_days(first, last) / 2)


def _decision_points(inputs: Inputs, result: Result) -> list[DecisionPoint]:
    """Days on which it can be seen which way it goes, the next one first."""
    found = []
    for driver in result.drivers[:2]:
        if driver.late >= result.pessimistic:
            continue
        told = {"task": driver.title, "moves": days_words(max(driver.moves, 0.5))}
        words = _(
            "If “%(task)s” is not done, decide what to leave out or who can help: each "
            "further day on it moves the finish by about %(moves)s."
        )
        found.append(DecisionPoint(day=driver.late, what=words % told))
    half = _halfway(inputs, result)
    words = _("If clearly less than %(work)s of the work is done, run a new forecast.")
    if inputs.end is not None and half < inputs.end:
        words = _(
            "If clearly less than %(work)s of the work is done, move the end date or reduce "
            "the scope."
        )
    found.append(DecisionPoint(day=half, what=words % {"work": days_words(result.work_days / 2)}))
    return sorted(found, key=lambda one: one.day)


def _recommendations(inputs: Inputs, result: Result, values: Mapping[str, Any]) -> list[str]:
    """What would make the finish earlier or surer, the strongest first."""
    is_late = result.on_time is not None and result.on_time < 0.5
    return _written(
        values,
        (
            result.drivers,
            _(
                "Start with “%(task)s” or split it: it affects the finish most, and in "
                "%(moved)d of 100 runs one more day on it moves the finish."
            ),
        ),
        (result.unestimated, _("Estimate %(unestimated)s to narrow the range.")),
        (
            is_late,
            _(
                "Move the end date to %(late)s or reduce the scope: the end date is met in "
                "only %(on_time)d of 100 runs."
            ),
        ),
        (result.blocked, _("Find out what would unblock %(blocked)s.")),
        (result.circles, _("Resolve what is waiting in a circle: %(circles)s.")),
        (inputs.end is None, _("Set an end date to see the chance of meeting it.")),
    )


def _assumptions(inputs: Inputs) -> list[str]:
    """What the computation took for granted."""
    hands = _hands(inputs.hands)
    ranges = _("An estimate from … to … holds in 8 of 10 cases; 1 in 10 takes longer.")
    found = [hands, ranges]
    without = [one for one in inputs.unestimated if one.due is None]
    if without:
        low, high = (f"{end:g}" for end in inputs.usual)
        told = {"tasks": listed([one.title for one in without]), "low": low, "high": high}
        found.append(
            _("Without an estimate: %(tasks)s, assumed to take %(low)s to %(high)s days.") % told
        )
    if inputs.spread != "usual":
        words = {
            "sure": _("The estimates are assumed to be more reliable than usual."),
            "unsure": _("The estimates are assumed to be less reliable than usual."),
        }
        found.append(words[inputs.spread])
    if inputs.widening > 1:
        too_sure = _("Your earlier forecasts were too narrow: this range is %(n)s times as wide.")
        found.append(too_sure % {"n": f"{inputs.widening:g}"})
    elif inputs.widening < 1:
        found.append(_("Your earlier forecasts were accurate: this range is narrower."))
    return found


def _hands(hands: float) -> str:
    if hands == 1:
        return _("One person works on it full time, Monday to Friday.")
    if hands < 1:
        words = _("One person works on it for %(percent)d %% of the week.")
        return words % {"percent": round(hands * 100)}
    words = _(
        "%(n)s people work on it full time, Monday to Friday, and share the work where possible."
    )
    return words % {"n": f"{hands:g}"}


def chance_line(inputs: Inputs, result: Result) -> str:
    """The chance to meet the end date in a sentence; empty without one."""
    if inputs.end is None or result.on_time is None:
        return ""
    told = {
        "day": short_day(inputs.end),
        "percent": whole_percent(result.on_time),
        "word": chance_words(result.on_time),
    }
    words = _("Done by the end date, %(day)s, in %(percent)d of 100 runs: %(word)s.")
    return words % told


def declined(refusal: Declined, name: str) -> str:
    """Why there is no forecast, and what would make one possible."""
    if refusal.is_empty:
        return _(
            "There is nothing to forecast for %(name)s: it has no open to-dos. Add what is "
            "left to do, with estimates or dates, then run the forecast again."
        ) % {"name": name}
    known = _("No open to-do has a date or an estimate")
    if refusal.known:
        known = ngettext(
            "Only %(n)d open to-do has a date or an estimate",
            "Only %(n)d open to-dos have a date or an estimate",
            refusal.known,
        ) % {"n": refusal.known}
    parts = [_("%(known)s; a forecast needs at least %(needed)d.")]
    if refusal.unestimated:
        parts.append(_("Without an estimate: %(tasks)s."))
    if refusal.known + len(refusal.unestimated) < refusal.needed:
        parts.append(_("Add the to-dos that are still missing, with an estimate each."))
    elif refusal.unestimated:
        parts.append(_("Enter estimates below or in the to-dos."))
    values = {
        "known": known,
        "needed": refusal.needed,
        "tasks": listed(list(refusal.unestimated), 6),
    }
    return " ".join(parts) % values
