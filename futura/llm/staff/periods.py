"""The stretches of time that staff pages speak of, in the site's time zone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Span(models.TextChoices):
    TODAY = "today", _("Today")
    WEEK = "7", _("7 days")
    MONTH_OF_DAYS = "30", _("30 days")
    ALL = "all", _("All time")


@dataclass(frozen=True)
class Period:
    """From `since` on, before `until`; None leaves that end open."""

    since: datetime | None = None
    until: datetime | None = None


def period_of(span: str) -> Period:
    today = timezone.localdate()
    match span:
        case Span.TODAY:
            return Period(_start(today))
        case Span.WEEK | Span.MONTH_OF_DAYS:
            return Period(_start(today - timedelta(days=int(span) - 1)))
    return Period()


def period_of_day(day: date) -> Period:
    return Period(_start(day), _start(day + timedelta(days=1)))


def _start(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))
