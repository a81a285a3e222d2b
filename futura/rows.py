"""The row that somebody asks for, or the refusal that there is none."""

from __future__ import annotations

from typing import TypeVar

from django.db.models import Model, QuerySet

from futura.errors import NotFound

RowT = TypeVar("RowT", bound=Model)


def only(rows: QuerySet[RowT], refusal: type[NotFound] = NotFound) -> RowT:
    """The first of these rows. Raises `refusal` where there is none."""
    row = rows.first()
    if row is None:
        raise refusal
    return row
