"""The stretches of time that staff pages speak of, in the site's time zone, and their form."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import Any, ClassVar, Final

from django import forms
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

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


class PeriodForm(forms.Form):
    """A stretch of time as read from the address; nothing in it is required."""

    name: ClassVar[str]
    """What the ids of its fields begin with."""
    usual: ClassVar[Span]
    """The stretch where none is asked for."""

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
    span = forms.ChoiceField(required=False, choices=Span.choices, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.widget.attrs |= {"class": "input", "id": f"{self.name}-{name}"}

    @cached_property
    def good(self) -> dict[str, Any]:
        """What is valid of the input: a wrong value narrows nothing and is shown as an error."""
        self.full_clean()
        return self.cleaned_data

    @property
    def chosen_span(self) -> Span:
        """Own dates win over the named stretches."""
        if self.good.get("since") or self.good.get("until"):
            return Span.OWN
        span = Span(self.good.get("span") or self.usual)
        return self.usual if span == Span.OWN else span

    @property
    def period(self) -> Period:
        since, until = self.good.get("since"), self.good.get("until")
        return period_of(self.chosen_span, since=since, until=until)
