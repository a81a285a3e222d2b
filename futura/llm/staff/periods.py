"""The stretches of time that staff pages speak of, in the site's time zone, and their fields."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final

from django import forms
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _, pgettext_lazy

FIRST_DAY: Final = date(2000, 1, 1)
LAST_DAY: Final = date(9000, 1, 1)


class Span(models.TextChoices):
    TODAY = "today", _("Today")
    WEEK = "7", _("7 days")
    MONTH_OF_DAYS = "30", _("30 days")
    OWN = "own", _("Custom dates")
    ALL = "all", _("All time")


@dataclass(frozen=True)
class Period:
    """From `since` on, before `until`; None leaves that end open."""

    since: datetime | None = None
    until: datetime | None = None


def period_of(span: str, *, since: date | None = None, until: date | None = None) -> Period:
    """The period of a choice; `since` and `until` are the first and the last of one's own days."""
    today = timezone.localdate()
    match span:
        case Span.TODAY:
            return Period(_start(today))
        case Span.WEEK | Span.MONTH_OF_DAYS:
            return Period(_start(today - timedelta(days=int(span) - 1)))
        case Span.OWN:
            return Period(
                _start(since) if since else None,
                _start(min(until, LAST_DAY) + timedelta(days=1)) if until else None,
            )
    return Period()


def _start(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(max(day, FIRST_DAY), time.min))


class DaysForm(forms.Form):
    """Days from and to, as the filters above staff's lists have them."""

    since = forms.DateField(
        label=pgettext_lazy("date", "From"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
    )
    until = forms.DateField(
        label=pgettext_lazy("date", "To"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
    )
