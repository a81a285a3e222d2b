"""Narrows rows to days, whole ones, as the reader's clock has them."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

from django.db.models import Q
from django.utils import timezone


def between(field: str, since: date | None, until: date | None) -> Q:
    """Rows whose moment lies on one of these days, both included; None leaves an end open."""
    found = Q()
    if since:
        found &= Q(**{f"{field}__gte": _start_of(since)})
    if until and until < date.max:
        found &= Q(**{f"{field}__lt": _start_of(until + timedelta(days=1))})
    return found


def _start_of(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))
