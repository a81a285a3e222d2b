"""Stretches of time in words: months as they are stored (2024-06, or 2024) to what people read."""

from __future__ import annotations

import datetime as dt

from django.utils.formats import date_format
from django.utils.translation import gettext as _


def told(started: str, ended: str, *, is_current: bool = False) -> str:
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
