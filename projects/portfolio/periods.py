"""Stretches of time between months as they are stored (2024-06, or 2024): in words, and counted."""

from __future__ import annotations

import datetime as dt

from django.utils.formats import date_format
from django.utils.translation import gettext as _


def period_text(started: str, ended: str, *, is_current: bool = False) -> str:
    """“June 2021 to March 2024”, “since June 2021”, “2019”; empty for nothing."""
    first, last = month(started), month(ended)
    if first and (is_current and not last):
        return _("since %(month)s") % {"month": first}
    if first and last and first != last:
        return _("%(first)s to %(last)s") % {"first": first, "last": last}
    return first or last


def month(text: str) -> str:
    """“June 2024” for 2024-06; a year stays as it is; empty for what is no month."""
    if len(text) < len("2024-06"):
        return text
    try:
        return date_format(dt.date(int(text[:4]), int(text[5:7]), 1), "F Y")
    except ValueError:
        return text


def months_between(start: str, end: str, *, today: dt.date, is_current: bool) -> int | None:
    """Months from one month to another; the present month closes what goes on.

    None where a bound is missing or names only a year (ambiguous), or the end lies before.
    """
    last = f"{today:%Y-%m}" if is_current and not end else end
    if len(start) < len("2024-06") or len(last) < len("2024-06"):
        return None
    difference = 12 * (int(last[:4]) - int(start[:4])) + int(last[5:]) - int(start[5:])
    return difference if difference >= 0 else None
