"""How days, chances and lengths of time are written in forecasts."""

from __future__ import annotations

import datetime as dt

from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from futura.percent import whole_percent
from projects.forecasting.calendar import working_days


def day_words(day: dt.date) -> str:
    """“Friday 18 December 2026”."""
    return formats.date_format(day, "l j F Y")


def short_day(day: dt.date) -> str:
    """“18 December 2026”."""
    return formats.date_format(day, "j F Y")


def percent(chance: float) -> int:
    """A chance as a whole percentage; only what is certain is 0 or 100."""
    return whole_percent(chance)


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
    if day > end:
        number = max(1, working_days(end + dt.timedelta(days=1), day))
        return ngettext(
            "%(n)d working day after the end date", "%(n)d working days after the end date", number
        ) % {"n": number}
    number = working_days(day + dt.timedelta(days=1), end)
    if not number:
        return _("just before the end date")
    return ngettext(
        "%(n)d working day before the end date", "%(n)d working days before the end date", number
    ) % {"n": number}


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
    shown = [f"“{title}”" for title in titles[:limit]]
    rest = len(titles) - len(shown)
    if rest:
        return _("%(some)s and %(n)d more") % {"some": ", ".join(shown), "n": rest}
    if len(shown) < 2:
        return "".join(shown)
    return _("%(some)s and %(last)s") % {"some": ", ".join(shown[:-1]), "last": shown[-1]}
