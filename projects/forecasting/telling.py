"""The computed forecast in words: three scenarios, decision points, recommendations; by rules."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Literal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pydantic import BaseModel, Field

from projects.forecasting.calendar import working_days
from projects.forecasting.drivers import Driver
from projects.forecasting.inputs import Inputs
from projects.forecasting.results import Declined, Result, today_plus
from projects.forecasting.wording import (
    beside_end,
    chance_words,
    day_words,
    days_words,
    listed,
    percent,
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
        return percent(self.chance)


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


@dataclass(frozen=True)
class Case:
    """What a scenario is told from."""

    inputs: Inputs
    result: Result

    @property
    def top(self) -> Driver | None:
        """The task that drives the finish most."""
        return next(iter(self.result.drivers), None)


def told_by_rules(inputs: Inputs, result: Result) -> Told:
    """The forecast in words, from the computation alone."""
    case = Case(inputs, result)
    return Told(
        scenarios=[
            _scenario(case, "optimistic", _good_factors(case), _good_signs(case)),
            _scenario(case, "realistic", _usual_factors(case), _usual_signs(case)),
            _scenario(case, "pessimistic", _bad_factors(case), _bad_signs(case)),
        ],
        decision_points=decision_points(inputs, result),
        recommendations=recommendations(inputs, result),
        assumptions=assumptions(inputs),
    )


def _scenario(case: Case, name: Name, factors: list[str], signs: list[str]) -> Scenario:
    day = case.result.curve[PERCENT_OF[name]]
    return Scenario(
        name=name,
        day=day,
        chance=case.result.chances[PERCENT_OF[name]],
        outcome=outcome(case.inputs, day),
        key_factors=factors,
        warning_signs=signs,
    )


def outcome(inputs: Inputs, day: dt.date) -> str:
    """“Everything is done by Friday 18 December 2026, 3 working days before the end date.”"""
    if inputs.end is None:
        return _("Everything is done by %(day)s.") % {"day": day_words(day)}
    told = {"day": day_words(day), "beside": beside_end(day, inputs.end)}
    return _("Everything is done by %(day)s, %(beside)s.") % told


def _good_factors(case: Case) -> list[str]:
    found = []
    if case.top:
        told = {"task": case.top.title, "day": short_day(case.top.likely)}
        found.append(_("“%(task)s” stays at its shorter end and is done before %(day)s.") % told)
    if case.result.blocked:
        told = {"tasks": listed(list(case.result.blocked))}
        found.append(_("What blocks %(tasks)s is out of the way within days.") % told)
    if case.result.unestimated:
        told = {"tasks": listed(list(case.result.unestimated))}
        found.append(_("What nobody has estimated turns out small: %(tasks)s.") % told)
    return found or [_("No estimate is exceeded, and nothing comes in between.")]


def _good_signs(case: Case) -> list[str]:
    """What would show early that it does not go this well."""
    if not case.top:
        return [_("A task takes longer than its shorter estimate.")]
    told = {"task": case.top.title, "day": short_day(case.top.likely)}
    return [_("“%(task)s” is still open after %(day)s.") % told]


def _usual_factors(case: Case) -> list[str]:
    titles = [one.title for one in case.result.drivers[:3]]
    if not titles:
        return [_("Tasks take what was estimated, some more and some less.")]
    told = {"tasks": listed(titles), "work": days_words(case.result.work_days)}
    return [
        _("%(tasks)s takes about the middle of the estimate.") % told
        if len(titles) == 1
        else _("%(tasks)s take about the middle of their estimates.") % told,
        _("%(work)s of work are left, for the hands there are.") % told,
    ]


def _usual_signs(case: Case) -> list[str]:
    half = halfway(case.inputs, case.result)
    told = {"day": short_day(half), "work": days_words(case.result.work_days / 2)}
    return [_("By %(day)s, less than about %(work)s of the work is done.") % told]


def _bad_factors(case: Case) -> list[str]:
    found = []
    if case.top:
        told = {"task": case.top.title, "days": days_words(case.top.spread)}
        words = _("“%(task)s” needs its longer end; between the two lie about %(days)s.")
        found.append(words % told)
    if case.result.blocked:
        told = {"tasks": listed(list(case.result.blocked))}
        found.append(_("%(tasks)s stays blocked for two weeks or more.") % told)
    if case.result.overdue:
        told = {"tasks": listed(list(case.result.overdue))}
        found.append(_("%(tasks)s is overdue and keeps slipping.") % told)
    return found or [_("Several estimates are exceeded at once.")]


def _bad_signs(case: Case) -> list[str]:
    found = []
    for driver in case.result.drivers[:2]:
        told = {"task": driver.title, "day": short_day(driver.late)}
        found.append(_("“%(task)s” is not done by %(day)s.") % told)
    if len(case.result.unestimated) > 1:
        told = {"tasks": listed(list(case.result.unestimated))}
        found.append(_("Still nobody knows how much work %(tasks)s are.") % told)
    return found or [_("A second task goes beyond its longer estimate.")]


def halfway(inputs: Inputs, result: Result) -> dt.date:
    """The working day in the middle between now and the realistic finish."""
    first, last = today_plus(inputs, 0), result.realistic
    return today_plus(inputs, working_days(first, last) / 2)


def decision_points(inputs: Inputs, result: Result) -> list[DecisionPoint]:
    """Days on which it can be seen which way it goes, the next one first."""
    found = []
    for driver in result.drivers[:2]:
        if driver.late >= result.pessimistic:
            continue
        told = {"task": driver.title, "moves": days_words(max(driver.moves, 0.5))}
        words = _(
            "If “%(task)s” is not done, decide what to leave out or who can help: every further "
            "day on it moves the finish by about %(moves)s."
        )
        found.append(DecisionPoint(day=driver.late, what=words % told))
    half = halfway(inputs, result)
    told = {"work": days_words(result.work_days / 2)}
    if inputs.end is not None and half < inputs.end:
        words = _(
            "If clearly less than %(work)s of the work is done, move the end date or make the "
            "goal smaller; later it is decided for you."
        )
    else:
        words = _("If clearly less than %(work)s of the work is done, forecast anew.")
    found.append(DecisionPoint(day=half, what=words % told))
    return sorted(found, key=lambda one: one.day)


def recommendations(inputs: Inputs, result: Result) -> list[str]:
    """What would make the finish earlier or surer, the strongest first."""
    found = []
    driver = next(iter(result.drivers), None)
    if driver is not None:
        told = {"task": driver.title, "percent": percent(driver.critical)}
        words = _(
            "Look after “%(task)s” first, or cut it into parts: the finish follows it most, and in "
            "%(percent)d of 100 runs a day longer there moves it."
        )
        found.append(words % told)
    if result.unestimated:
        told = {"tasks": listed(list(result.unestimated))}
        found.append(_("Estimate %(tasks)s; that makes the range narrower.") % told)
    if result.on_time is not None and result.on_time < 0.5 and inputs.end:
        told = {"day": short_day(result.pessimistic), "percent": percent(result.on_time)}
        words = _(
            "Promise %(day)s instead, or leave something out: the end date is met in %(percent)d "
            "of 100 runs only."
        )
        found.append(words % told)
    if result.blocked:
        told = {"tasks": listed(list(result.blocked))}
        found.append(_("Find out today what would free %(tasks)s.") % told)
    if result.circles:
        told = {"tasks": listed(list(result.circles))}
        found.append(_("Mend what waits in a circle: %(tasks)s.") % told)
    if inputs.end is None:
        found.append(_("Set an end date; then the chance to meet it can be told."))
    return found


def assumptions(inputs: Inputs) -> list[str]:
    """What the computation took for granted."""
    hands = _hands(inputs.hands)
    ranges = _("An estimate from … to … holds in 8 of 10 cases; 1 in 10 takes longer.")
    found = [hands, ranges]
    without = [one for one in inputs.unestimated if one.due is None]
    if without:
        low, high = (f"{end:g}" for end in inputs.usual)
        told = {"tasks": listed([one.title for one in without]), "low": low, "high": high}
        found.append(_("Without an estimate: %(tasks)s, taken as %(low)s to %(high)s days.") % told)
    if inputs.spread != "usual":
        words = {
            "sure": _("The estimates are taken to be surer than usual."),
            "unsure": _("The estimates are taken to be less sure than usual."),
        }
        found.append(words[inputs.spread])
    if inputs.widening > 1:
        too_sure = _("Your earlier forecasts were too sure: the days lie %(n)s times as far apart.")
        found.append(too_sure % {"n": f"{inputs.widening:g}"})
    elif inputs.widening < 1:
        found.append(_("Your earlier forecasts held well: the days lie nearer together."))
    return found


def _hands(hands: float) -> str:
    if hands == 1:
        return _("One person works on it all day, Monday to Friday.")
    if hands < 1:
        words = _("One person works on it for %(percent)d %% of the week.")
        return words % {"percent": round(hands * 100)}
    words = _("%(n)s people work on it all day, Monday to Friday, and share what can be.")
    return words % {"n": f"{hands:g}"}


def chance_line(inputs: Inputs, result: Result) -> str:
    """The chance to meet the end date in a sentence; empty without one."""
    if inputs.end is None or result.on_time is None:
        return ""
    told = {
        "day": short_day(inputs.end),
        "percent": percent(result.on_time),
        "word": chance_words(result.on_time),
    }
    words = _("Done by the end date, %(day)s, in %(percent)d of 100 runs: %(word)s.")
    return words % told


def declined(refusal: Declined, name: str) -> str:
    """Why there is no forecast, and what would make one possible."""
    if refusal.is_empty:
        return _(
            "There is nothing to forecast for %(name)s: no to-do is open. Add what is left to do, "
            "with estimates or dates, and come back."
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
        parts.append(_("Give estimates below, or on the to-dos themselves."))
    values = {
        "known": known,
        "needed": refusal.needed,
        "tasks": listed(list(refusal.unestimated), 6),
    }
    return " ".join(parts) % values
