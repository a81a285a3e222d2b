"""What stands in a portfolio, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import template

from projects.portfolio.contact_review import Hit, hits_in, open_among, public_rows
from projects.portfolio.models import Portfolio
from projects.portfolio.periods import month, period_of
from projects.portfolio.schema.kinds import TYPES

register = template.Library()


@register.simple_tag
def withheld_contacts(portfolio: Portfolio) -> Sequence[Hit]:
    """Contact data that visitors of an open portfolio are not shown until their owner decides."""
    if portfolio.status != Portfolio.Status.PUBLISHED:
        return []
    hits = [hit for row, url in public_rows(portfolio) for hit in hits_in(row, url)]
    return open_among(hits, portfolio)


@register.filter
def record_facts(row: Any) -> str:
    parts: list[str] = []
    if hasattr(row, "field"):
        parts.append(row.field)
    if hasattr(row, "level"):
        parts += [row.get_kind_display(), row.level]
    if hasattr(row, "issuer"):
        parts += [row.issuer, month(row.date)]
    if hasattr(row, "started"):
        parts.append(period_of(row))
    if hasattr(row, "experience_type") and row.experience_type != "other":
        parts.append(str(TYPES[row.experience_type]))
    parts += [getattr(row, "location", ""), getattr(row, "category", "")]
    return " · ".join(filter(None, parts))
