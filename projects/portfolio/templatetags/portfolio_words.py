"""What stands in a portfolio, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import template
from django.utils.translation import gettext as _

from projects.portfolio.contact_review import Hit, hits_of, open_among
from projects.portfolio.models import Portfolio
from projects.portfolio.periods import month
from projects.portfolio.schema.kinds import CREDENTIALS, TYPES

register = template.Library()


@register.simple_tag
def withheld_contacts(portfolio: Portfolio) -> Sequence[Hit]:
    """Contact data that visitors of an open portfolio are not shown until their owner decides."""
    if portfolio.status != Portfolio.Status.PUBLISHED:
        return []
    return open_among(hits_of(portfolio), portfolio)


@register.filter
def record_facts(row: Any) -> str:
    parts: list[str] = []
    if hasattr(row, "degree"):
        parts.append(", ".join(filter(None, (row.degree, row.field))))
    if hasattr(row, "level"):
        parts += [str(CREDENTIALS[row.kind]), row.level]
    if hasattr(row, "issuer"):
        parts += [row.issuer, month(row.date)]
    if hasattr(row, "started"):
        parts.append(_span(row))
    if hasattr(row, "experience_type") and row.experience_type != "other":
        parts.append(str(TYPES[row.experience_type]))
    parts += [getattr(row, "location", ""), getattr(row, "category", "")]
    return " · ".join(filter(None, parts))


def _span(row: Any) -> str:
    start, end = month(row.started), month(row.ended)
    if getattr(row, "is_current", False):
        return _("since %(start)s") % {"start": start} if start else _("current")
    return " – ".join(filter(None, (start, end)))
