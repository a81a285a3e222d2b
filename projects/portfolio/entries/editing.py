"""Two tabs at one form of an entry: fields by their names, clashes in words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from chat.operations.base import OperableModel
from chat.operations.changes import Values
from chat.operations.registry import operable
from projects.editing import Stale
from projects.editing import rebased as rebased_on

__all__ = ["Stale", "label_of", "rebased"]


def rebased(entity: str, row: OperableModel, values: Values, version: int | None) -> dict[str, Any]:
    """Checked values of a form opened at a version, fit to be written over the row as it is.

    Raises Stale when a field was changed here and elsewhere, BadInput for a wrong form.
    """
    if version is None or version == row.version:
        return dict(values)
    try:
        return rebased_on(entity, row, values, version)
    except Stale as error:
        raise Stale(
            [replace(one, label=label_of(entity, one.field)) for one in error.clashes]
        ) from error


def label_of(entity: str, field: str) -> str:
    """A field's name in words."""
    of = operable(entity)
    named = of.labels.get(field)
    words = str(named or getattr(of.model._meta.get_field(field), "verbose_name", field))
    return words[:1].upper() + words[1:]
