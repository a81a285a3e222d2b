"""The days that a to-do is moved to by one press."""

from __future__ import annotations

import datetime as dt

from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _

from futura.errors import BadInput


def day_of(told: str, day: str = "") -> dt.date | None:
    """`today`, `tomorrow`, `week` (next Monday), `none`, or `day`: the one given.

    Raises BadInput.
    """
    today = timezone.localdate()
    near = {
        "today": today,
        "tomorrow": today + dt.timedelta(days=1),
        "week": today + dt.timedelta(days=7 - today.weekday()),
        "none": None,
    }
    if told in near:
        return near[told]
    try:
        found = parse_date(day.strip()) if told == "day" else None
    except ValueError:
        found = None
    if found is None:
        raise BadInput(_("Choose a day."), field="day")
    return found
