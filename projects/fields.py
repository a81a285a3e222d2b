"""What fields can hold: the values of choices, which texts are one line, what empties a field."""

from __future__ import annotations

from typing import Any, Final, Literal

from django.db import models
from pydantic import BaseModel

from chat.operations.registry import own_fields
from projects.models import Note, Project, Task

ProjectStatus = Literal["active", "paused", "completed", "archived"]
DraftStatus = Literal["in_progress", "completed", "abandoned"]
TaskStatus = Literal["inbox", "available", "scheduled", "blocked", "completed", "dropped"]
Priority = Literal["critical", "high", "normal", "low"]


def names_of(model: type[models.Model], *, but: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The fields that a model has beyond those of every row."""
    return tuple(name for name in own_fields(model) if name not in but)


LINES: Final = {
    name: int(field.max_length)
    for model in (Project, Task, Note)
    for name, field in own_fields(model).items()
    if isinstance(field, models.CharField) and field.max_length and not field.choices
}
"""Texts of one line, with the most characters that they may have."""


def emptiable(
    model: type[models.Model], schema: type[BaseModel], *, but: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """The fields of a command's values that a row can be without."""
    fields = own_fields(model)
    names = [field.alias or name for name, field in schema.model_fields.items()]
    return tuple(
        name for name in names if name in fields and fields[name].blank and name not in but
    )


def empty_value(model: type[models.Model], name: str) -> Any:
    """What stands in a field that was emptied."""
    field = own_fields(model)[name]
    if field.many_to_many:
        return []
    return None if field.null else field.get_default()
