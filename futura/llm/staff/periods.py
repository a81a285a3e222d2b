"""The stretches of time that the ledger pages speak of, in the site's time zone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

FIRST_DAY: Final = date(2000, 1, 1)
LAST_DAY: Final = date(9000, 1, 1)
MONTH: Final = re.compile(r"(\d{4})-(\d{2})")


class Span(models.TextChoices):
    """What can be chosen."""

    TODAY = "today", _("Today")
    WEEK = "7", _("7 days")
    MONTH_OF_DAYS = "30", _("30 days")
    MONTH = "month", _("A month")
    OWN = "own", _("Own dates")
    ALL = "all", _("Everything")


@dataclass(frozen=True)
class Period:
    """From `since` on, before `until`; None leaves that end open."""

    since: datetime | None = None
    until: datetime | None = None


def period_of(
    span: str, *, month: date | None = None, since: date | None = None, until: date | None = None
) -> Period:
    """The period of a choice; without the month or dates it needs, the present month."""
    today = timezone.localdate()
    match span:
        case Span.ALL:
            return Period()
        case Span.TODAY:
            return Period(_start(today))
        case Span.WEEK | Span.MONTH_OF_DAYS:
            return Period(_start(today - timedelta(days=int(span) - 1)))
        case Span.OWN if since or until:
            return Period(
                _start(since) if since else None,
                _start(min(until, LAST_DAY) + timedelta(days=1)) if until else None,
            )
    return month_of(month or today)


def month_of(day: date) -> Period:
    """The calendar month around a day."""
    first = day.replace(day=1)
    return Period(_start(first), _start(next_month(first)))


def next_month(day: date) -> date:
    """The first of the month after."""
    return (day.replace(day=1) + timedelta(days=32)).replace(day=1)


def month_in(text: str) -> date | None:
    """The first day of a month written as 2026-11; None for anything else."""
    found = MONTH.fullmatch(text)
    if not found or not text.isascii():
        return None
    year, number = int(found[1]), int(found[2])
    is_one = 1 <= number <= 12 and FIRST_DAY.year <= year <= LAST_DAY.year
    return date(year, number, 1) if is_one else None


def _start(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(max(day, FIRST_DAY), time.min))
