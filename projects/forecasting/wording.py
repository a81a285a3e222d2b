"""How days, chances, lengths of time and conditions are written in forecasts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Final

from django.utils import formats
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from futura.text import quoted
from projects.forecasting.calendar import working_days
from projects.forecasting.inputs import Inputs
from projects.forecasting.variants import REST, Variant


def day_words(day: dt.date) -> str:
    """“Friday 18 December 2026”."""
    return formats.date_format(day, "l j F Y")


def short_day(day: dt.date) -> str:
    """“18 December 2026”."""
    return formats.date_format(day, "j F Y")


def days_words(number: float) -> str:
    """“3 working days”, “half a working day”."""
    whole = round(number)
    if whole == 0:
        return _("half a working day") if number >= 0.25 else _("less than half a working day")
    return ngettext("%(n)d working day", "%(n)d working days", whole) % {"n": whole}


def beside_end(day: dt.date, end: dt.date) -> str:
    """How a finish lies to the end date, in words."""
    if day == end:
        return _("exactly on the end date")
    first, last = sorted((day, end))
    days = days_words(max(1, working_days(first + dt.timedelta(days=1), last)))
    words = _("%(days)s after the end date") if day > end else _("%(days)s before the end date")
    return words % {"days": days}


def chance_words(chance: float) -> str:
    """A chance in words that people use."""
    steps = (
        (0.95, _("almost certain")),
        (0.75, _("likely")),
        (0.55, _("more likely than not")),
        (0.45, _("about even")),
        (0.2, _("less likely than not")),
        (0.05, _("unlikely")),
    )
    return next((word for least, word in steps if chance >= least), _("very unlikely"))


def listed(titles: list[str], limit: int = 3) -> str:
    """“A”, “A” and “B”, or “A”, “B” and 4 more."""
    shown = [quoted(title) for title in titles[:limit]]
    rest = len(titles) - len(shown)
    if rest:
        return _("%(some)s and %(n)d more") % {"some": ", ".join(shown), "n": rest}
    if len(shown) < 2:
        return "".join(shown)
    return _("%(some)s and %(last)s") % {"some": ", ".join(shown[:-1]), "last": shown[-1]}


def sentence(text: str) -> str:
    """With a capital at the beginning."""
    return text[:1].upper() + text[1:]


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
    "hands": gettext_lazy("%(n)s more people work on it"),
    "one in hands": gettext_lazy("one more person works on it"),
    "hands less": gettext_lazy("%(n)s fewer people work on it"),
    "one in hands less": gettext_lazy("one person fewer works on it"),
    "drop": gettext_lazy("%(task)s is left out"),
    "more": gettext_lazy("%(title)s is added (%(days)s of work)"),
    "sure": gettext_lazy("the estimates are better than usual"),
    "usual": gettext_lazy("the estimates are as good as usual"),
    "unsure": gettext_lazy("the estimates are worse than usual"),
}


def title_of(one: Variant, inputs: Inputs) -> str:
    """A change as the condition that it is: “Build the sheet” takes 10 working days longer."""
    values = {
        "task": _task_words(inputs, one.task),
        "title": one.title,
        "days": days_words(abs(one.days)),
        "range": range_words(one.low, one.high),
        "n": f"{_number(one):g}",
        "day": short_day(one.day) if one.day else "",
        "first": short_day(one.first) if one.first else "",
        "last": short_day(one.last) if one.last else "",
    }
    return str(_CONDITIONS[_condition(one)]) % values


def _number(one: Variant) -> float:
    return {"hours": one.hours, "hands": abs(one.more)}.get(one.kind, one.people)


def _condition(one: Variant) -> str:
    """Its entry in the table of conditions."""
    kind = f"{one.kind} less" if min(one.days, one.more) < 0 else one.kind
    match one.kind:
        case "team" | "away" | "hands" | "hours" if _number(one) == 1:
            return f"one in {kind}"
        case "deadline" if one.task:
            return "task deadline"
        case "sureness":
            return one.spread
    return kind


def range_words(low: float, high: float) -> str:
    """“10 to 20 days”, “2 days”."""
    if low == high:
        return ngettext("%(n)s day", "%(n)s days", round(high)) % {"n": f"{high:g}"}
    return _("%(low)s to %(high)s days") % {"low": f"{low:g}", "high": f"{high:g}"}


def _task_words(inputs: Inputs, key: str) -> str:
    if key == REST:
        return _("everything without an estimate")
    task = inputs.task(key)
    return quoted(task.title) if task else key


def branch_title(variants: Sequence[Variant], inputs: Inputs) -> str:
    """All conditions of a branch."""
    return ", ".join(title_of(one, inputs) for one in variants)


def moved_words(days: int) -> str:
    """“10 working days later”."""
    if not days:
        return _("unchanged")
    values = {"days": days_words(abs(days))}
    return (_("%(days)s later") if days > 0 else _("%(days)s earlier")) % values
