"""Links between rows in a form: what a person may choose is theirs, and there."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.db import models

from chat.operations import serialization
from chat.operations.registry import Operable, Plain, named, operable

OFFERED: Final = 500  # rows to choose from; further ones have pages of their own


@dataclass(frozen=True)
class Ends:
    """Whose links, and of which row: `values` are its fields as far as they are known."""

    owner_id: uuid.UUID
    row_id: uuid.UUID
    values: Plain


def is_many(of: Operable, name: str) -> bool:
    """Whether a field links to any number of rows."""
    return isinstance(of.model._meta.get_field(name), models.ManyToManyField)


def is_link(of: Operable, name: str) -> bool:
    """Whether a field names other operable rows."""
    return bool(named(of.model._meta.get_field(name).related_model))


def ends_of(of: Operable, owner_id: uuid.UUID, row_id: uuid.UUID, asked: Plain) -> Ends:
    """For a row that may not be there yet; `asked` are the values it would get."""
    row = of.model._default_manager.filter(pk=row_id, owner_id=owner_id).first()
    stored = serialization.read(of, row, of.parents) if row is not None else {}
    return Ends(owner_id, row_id, {**stored, **asked})


def choices(of: Operable, name: str, ends: Ends) -> list[tuple[str, str]]:
    """Living rows of the owner by id, with what they are called; not the row itself.

    What hangs on the same kind of parent is linked below one parent only.
    """
    target = operable(named(of.model._meta.get_field(name).related_model))
    rows: Any = target.model._default_manager.filter(
        owner_id=ends.owner_id, deleted_at__isnull=True
    ).exclude(pk=ends.row_id)
    for parent in set(of.parents) & set(target.parents):
        rows = rows.filter(**{parent: ends.values.get(parent)})
    return [(str(row.pk), str(row)) for row in rows[:OFFERED]]


def field_for(of: Operable, name: str, ends: Ends) -> forms.Field:
    """A choice of one row, or of any number."""
    offered = choices(of, name, ends)
    if is_many(of, name):
        return forms.MultipleChoiceField(
            choices=offered, required=False, widget=forms.CheckboxSelectMultiple
        )
    meta: Any = of.model._meta.get_field(name)
    nothing = [("", "–")] if meta.null else []
    return forms.ChoiceField(choices=[*nothing, *offered], required=not meta.null)
