"""What stands in a portfolio, in words."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django import template
from django.template.defaultfilters import date as date_words
from django.utils.translation import gettext as _

from projects.portfolio.contact_review import Hit, hits_of, open_among
from projects.portfolio.models import Portfolio
from projects.portfolio.schema.kinds import CREDENTIALS, TYPES

register = template.Library()


@register.simple_tag
def held_back(portfolio: Portfolio) -> Sequence[Hit]:
    """Contact data that visitors of an open portfolio are not shown until their owner decides."""
    if portfolio.status != Portfolio.Status.PUBLISHED:
        return []
    return open_among(hits_of(portfolio), portfolio)


@register.filter
def month_words(month: str) -> str:
    """`2024-06` as June 2024; a year as it is."""
    if len(month) < 7:
        return month
    return date_words(dt.date(int(month[:4]), int(month[5:7]), 1), "F Y")


@register.filter
def span_words(row: Any) -> str:
    """From when until when."""
    start, end = month_words(row.started), month_words(row.ended)
    if getattr(row, "is_current", False):
        return _("since %(start)s") % {"start": start} if start else _("current")
    return " – ".join(filter(None, (start, end)))


@register.filter
def record_facts(row: Any) -> str:
    """The line below a record's name."""
    parts: list[str] = []
    if hasattr(row, "degree"):
        parts.append(", ".join(filter(None, (row.degree, row.field))))
    if hasattr(row, "level"):
        parts += [str(CREDENTIALS[row.kind]), row.level]
    if hasattr(row, "issuer"):
        parts += [row.issuer, month_words(row.date)]
    if hasattr(row, "started"):
        parts.append(span_words(row))
    if hasattr(row, "experience_type") and row.experience_type != "other":
        parts.append(str(TYPES[row.experience_type]))
    parts += [getattr(row, "location", ""), getattr(row, "category", "")]
    return " · ".join(filter(None, parts))
