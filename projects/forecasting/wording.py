"""Forecasts in words: days, chances and conditions; three scenarios, decision dates,
recommendations; why there is none."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Final, Literal

from django.utils import formats
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy, ngettext
from pydantic import BaseModel, Field

from futura.percent import whole_percent
from futura.text import quoted
from projects.forecasting.inputs import NEEDED, Inputs, working_days
from projects.forecasting.results import Declined, Result, today_plus
from projects.forecasting.variants import REST, Variant


def day_words(day: dt.date) -> str:
    return formats.date_format(day, "l j F Y")


def short_day(day: dt.date) -> str:
    return formats.date_format(day, "j F Y")


def days_words(number: float) -> str:
    """“3 working days”, “less than a working day”."""
    whole = round(number)
    if whole == 0:
        return _("less than a working day")
    return ngettext("%(n)d working day", "%(n)d working days", whole) % {"n": whole}


def beside_end(day: dt.date, end: dt.date) -> str:
    """How a finish lies to the end date, in words."""
    if day == end:
        return _("exactly on the end date")
    first, last = sorted((day, end))
    days = days_words(max(1, working_days(first + dt.timedelta(days=1), last)))
    words = _("%(days)s after the end date") if day > end else _("%(days)s before the end date")
    return words % {"days": days}


def listed(titles: Sequence[str], limit: int = 3) -> str:
    """“A”, “A” and “B”, or “A”, “B” and 4 more."""
    displayed = [quoted(title) for title in titles[:limit]]
    hidden = len(titles) - len(displayed)
    if hidden:
        return _("%(some)s and %(n)d more") % {"some": ", ".join(displayed), "n": hidden}
    if len(displayed) < 2:
        return "".join(displayed)
    return _("%(some)s and %(last)s") % {"some": ", ".join(displayed[:-1]), "last": displayed[-1]}


_CONDITIONS: Final[Mapping[str, str | Promise]] = {
    "takes": gettext_lazy("%(task)s takes %(range)s"),
    "remaining": gettext_lazy("%(range)s are left of %(task)s"),
    "team": gettext_lazy("%(n)s people work on it"),
    "one in team": gettext_lazy("one person works on it"),
    "hours": gettext_lazy("%(n)s hours a week are available"),
    "one in hours": gettext_lazy("one hour a week is available"),
    "away": gettext_lazy("%(n)s people are away from %(first)s to %(last)s"),
    "one in away": gettext_lazy("one person is away from %(first)s to %(last)s"),
    "deadline": gettext_lazy("everything is due on %(day)s"),
    "task deadline": gettext_lazy("%(task)s is due on %(day)s"),
    "slip": gettext_lazy("%(task)s takes %(days)s longer"),
    "slip less": gettext_lazy("%(task)s takes %(days)s less"),
    "wait": gettext_lazy("%(task)s cannot begin before %(day)s"),
    "hands": gettext_lazy("%(n)s more people work on it full time"),
    "one in hands": gettext_lazy("one more person works on it full time"),
    "hands less": gettext_lazy("%(n)s fewer people work on it"),
    "one in hands less": gettext_lazy("one person fewer works on it"),
    "drop": gettext_lazy("%(task)s is left out"),
    "more": gettext_lazy("%(title)s is added (%(days)s of work)"),
    "sure": gettext_lazy("the estimates are better than usual"),
    "usual": gettext_lazy("the estimates are as good as usual"),
    "unsure": gettext_lazy("the estimates are worse than usual"),
}


def title_of(variant: Variant, inputs: Inputs) -> str:
    """A change as the condition that it is: “Build the sheet” takes 10 working days longer."""
    number = {"hours": variant.hours, "hands": abs(variant.more)}.get(variant.kind, variant.people)
    task = inputs.task(variant.task)
    named = quoted(task.title) if task else variant.task
    values = {
        "task": _("everything without an estimate") if variant.task == REST else named,
        "title": variant.title,
        "days": days_words(abs(variant.days)),
        "range": range_words(variant.low, variant.high),
        "n": figure(number),
        "day": short_day(variant.day) if variant.day else "",
        "first": short_day(variant.first) if variant.first else "",
        "last": short_day(variant.last) if variant.last else "",
    }
    return str(_CONDITIONS[_condition(variant, number)]) % values


def _condition(variant: Variant, number: float) -> str:
    kind = f"{variant.kind} less" if min(variant.days, variant.more) < 0 else variant.kind
    match variant.kind:
        case "team" | "away" | "hands" | "hours" if number == 1:
            return f"one in {kind}"
        case "deadline" if variant.task:
            return "task deadline"
        case "sureness":
            return variant.spread
    return kind


def figure(number: float) -> str:
    """A number as people of the language write it: 2, or 2,5."""
    return formats.number_format(Decimal(f"{number:g}"), use_l10n=True)


def range_words(low: float, high: float) -> str:
    if low == high:
        return ngettext("%(n)s day", "%(n)s days", 1 if high == 1 else 2) % {"n": figure(high)}
    return _("%(low)s to %(high)s days") % {"low": figure(low), "high": figure(high)}


def branch_title(variants: Sequence[Variant], inputs: Inputs) -> str:
    return ", ".join(title_of(variant, inputs) for variant in variants)


def moved_words(days: int) -> str:
    if not days:
        return _("unchanged")
    values = {"days": days_words(abs(days))}
    return (_("%(days)s later") if days > 0 else _("%(days)s earlier")) % values


Name = Literal["optimistic", "realistic", "pessimistic"]
NAMES: Final[dict[str, str | Promise]] = {
    "optimistic": gettext_lazy("Optimistic"),
    "realistic": gettext_lazy("Realistic"),
    "pessimistic": gettext_lazy("Pessimistic"),
}
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
        return whole_percent(self.chance)


class DecisionPoint(BaseModel):
    """A day on which to look, and what to decide then."""

    day: dt.date
    what: str


class Explanation(BaseModel):
    """Everything that is said about a forecast."""

    scenarios: list[Scenario]
    decision_points: list[DecisionPoint] = Field(default_factory=list)
    recommendations: list[str] = Field(default_factory=list)
    assumptions: list[str] = Field(default_factory=list)


def explained(inputs: Inputs, result: Result) -> Explanation:
    """The forecast in words, from the computation alone."""
    return Explanation(
        scenarios=_scenarios(inputs, result),
        decision_points=_decision_points(inputs, result),
        recommendations=_recommendations(inputs, result),
        assumptions=_assumptions(inputs),
    )


def outcome(inputs: Inputs, day: dt.date) -> str:
    """“Everything is done by Friday 18 December 2026, 3 working days before the end date.”"""
    if inputs.end is None:
        return _("Everything is done by %(day)s.") % {"day": day_words(day)}
    values = {"day": day_words(day), "beside": beside_end(day, inputs.end)}
    return _("Everything is done by %(day)s, %(beside)s.") % values


def _scenarios(inputs: Inputs, result: Result) -> list[Scenario]:
    top = next(iter(result.drivers), None)
    values = {
        "task": top.title if top else "",
        "likely": short_day(top.likely) if top else "",
        "days": days_words(top.spread) if top else "",
        "work": days_words(result.work_days),
        "half_work": days_words(result.work_days / 2),
        "half": short_day(_halfway(inputs, result)),
        "day": short_day(top.late) if top else "",
    }
    shortest = _("“%(task)s” takes its shortest estimate and is done before %(likely)s.")
    longest = _("“%(task)s” takes its longest estimate, about %(days)s more than the shortest.")
    if top and not top.is_estimated:
        shortest = _("“%(task)s” is done before %(likely)s.")
        longest = _("“%(task)s” is done about %(days)s later than at best.")
    by_driver: dict[Name, tuple[str, str]] = {
        "optimistic": (
            shortest,
            _("“%(task)s” is still open after %(likely)s."),
        ),
        "realistic": (
            _("%(work)s of work are left for the people available."),
            _("By %(half)s, less than about %(half_work)s of work is done."),
        ),
        "pessimistic": (longest, _("“%(task)s” is not done by %(day)s.")),
    }
    otherwise = _("The estimates hold on average."), _("A to-do takes longer than estimated.")
    scenarios = []
    for name, number in PERCENT_OF.items():
        factor, sign = by_driver[name] if top else otherwise
        scenarios.append(
            Scenario(
                name=name,
                day=result.curve[number],
                chance=result.chances[number],
                outcome=outcome(inputs, result.curve[number]),
                key_factors=[factor % values],
                warning_signs=[sign % values],
            )
        )
    return scenarios


def _halfway(inputs: Inputs, result: Result) -> dt.date:
    """The working day in the middle between now and the realistic finish."""
    first, last = today_plus(inputs, 0), result.realistic
    return today_plus(inputs, working_days(first, last) / 2)


def _decision_points(inputs: Inputs, result: Result) -> list[DecisionPoint]:
    words = _("If “%(task)s” is not done, decide what to leave out or who can help.")
    points = [
        DecisionPoint(day=driver.late, what=words % {"task": driver.title})
        for driver in result.drivers[:2]
        if driver.late < result.pessimistic
    ]
    half = _(
        "If clearly less than %(work)s of the work is done, run a new forecast, move the end date "
        "or reduce the scope."
    ) % {"work": days_words(result.work_days / 2)}
    points.append(DecisionPoint(day=_halfway(inputs, result), what=half))
    return sorted(points, key=lambda point: point.day)


def _recommendations(inputs: Inputs, result: Result) -> list[str]:
    lines = []
    if result.drivers:
        first = _("Start with “%(task)s” or split it: it affects the finish most.")
        lines.append(first % {"task": result.drivers[0].title})
    if result.unestimated:
        estimate = _("Estimate %(unestimated)s to narrow the range.")
        lines.append(estimate % {"unestimated": listed(result.unestimated)})
    if result.on_time is not None and result.on_time < 0.5:
        words = _(
            "Move the end date to %(late)s or reduce the scope: the end date is met in only "
            "%(on_time)d of 100 runs."
        )
        chance = whole_percent(result.on_time)
        lines.append(words % {"late": short_day(result.pessimistic), "on_time": chance})
    if result.blocked:
        unblock = _("Find out what would unblock %(blocked)s.")
        lines.append(unblock % {"blocked": listed(result.blocked)})
    if inputs.end is None:
        lines.append(_("Set an end date to see the chance of meeting it."))
    return lines


def _assumptions(inputs: Inputs) -> list[str]:
    hands = _hands(inputs.hands)
    ranges = _("An estimate from … to … holds in 8 of 10 cases; 1 in 10 takes longer.")
    matches = [hands, ranges]
    without = [item for item in inputs.unestimated if item.due is None]
    if without:
        low, high = map(figure, inputs.usual)
        values = {"tasks": listed([item.title for item in without]), "low": low, "high": high}
        matches.append(
            _("Without an estimate: %(tasks)s, assumed to take %(low)s to %(high)s days.") % values
        )
    if inputs.spread != "usual":
        words = {
            "sure": _("The estimates are assumed to be more reliable than usual."),
            "unsure": _("The estimates are assumed to be less reliable than usual."),
        }
        matches.append(words[inputs.spread])
    if inputs.widening > 1:
        too_sure = _("Your earlier forecasts were too narrow: this range is %(n)s times as wide.")
        matches.append(too_sure % {"n": figure(inputs.widening)})
    elif inputs.widening < 1:
        matches.append(_("Your earlier forecasts were accurate: this range is narrower."))
    return matches


def _hands(hands: float) -> str:
    if hands == 1:
        return _("One person works on it full time, Monday to Friday.")
    if hands < 1:
        words = _("One person works on it for %(percent)d %% of the week.")
        return words % {"percent": round(hands * 100)}
    words = _(
        "%(n)s people work on it full time, Monday to Friday, and share the work where possible."
    )
    return words % {"n": figure(hands)}


def chance_line(inputs: Inputs, result: Result) -> str:
    """The chance to meet the end date in a sentence; empty without one."""
    if inputs.end is None or result.on_time is None:
        return ""
    values = {
        "day": short_day(inputs.end),
        "percent": whole_percent(result.on_time),
    }
    return _("Done by the end date, %(day)s, in %(percent)d of 100 runs.") % values


def forecast_text(inputs: Inputs, result: Result) -> str:
    """The whole forecast as Markdown."""
    words = explained(inputs, result)
    parts = [headline(inputs, result)]
    for scenario in words.scenarios:
        likelihood = _("done by then in %(percent)d of 100 runs") % {"percent": scenario.percent}
        factors = "- " + _("Key factors") + ": " + " ".join(scenario.key_factors)
        signs = "- " + _("Warning signs") + ": " + " ".join(scenario.warning_signs)
        heading = f"**{NAMES[scenario.name]}** ({likelihood})"
        parts.append(f"{heading}\n\n{scenario.outcome}\n\n{factors}\n{signs}")
    if words.decision_points:
        lines = [f"- **{short_day(point.day)}**: {point.what}" for point in words.decision_points]
        parts.append("\n".join(["**" + _("Decision dates") + "**", "", *lines]))
    if words.recommendations:
        lines = [f"- {text}" for text in words.recommendations]
        parts.append("\n".join(["**" + _("Recommendations") + "**", "", *lines]))
    parts.append(_("Assumed: %(all)s") % {"all": " ".join(words.assumptions)})
    return "\n\n".join(parts)


def headline(inputs: Inputs, result: Result) -> str:
    words = _("Done by **%(day)s** in half of the runs.") % {"day": day_words(result.realistic)}
    return " ".join(filter(None, [words, chance_line(inputs, result)]))


def declined(refusal: Declined, name: str) -> str:
    """Why there is no forecast, and what would make one possible."""
    if not refusal.usable and not refusal.unestimated:
        return _(
            "There is nothing to forecast for %(name)s: it has no open to-dos. Add what is "
            "left to do, with estimates or dates, then run the forecast again."
        ) % {"name": name}
    words = _(
        "A forecast needs at least %(needed)d open to-dos with a date or an estimate; "
        "%(name)s has %(n)d."
    )
    parts = [words % {"needed": NEEDED, "name": name, "n": refusal.usable}]
    if refusal.unestimated:
        without = _("Without an estimate: %(tasks)s.")
        parts.append(without % {"tasks": listed(refusal.unestimated, 6)})
    parts.append(_("Enter estimates below or in the to-dos."))
    return " ".join(parts)
