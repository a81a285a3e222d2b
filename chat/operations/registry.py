"""Which models are changed by operations, what they all have, what the ledger knows of each."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from django.db import models
from django.utils import timezone


class OperableModel(models.Model):
    """A row with a version; deleting it keeps the row, so that an undo finds the same id.

    Rows of subclasses are written by `chat.operations` alone: a trigger refuses everybody else.
    Foreign keys of subclasses are PROTECT or DO_NOTHING, never a cascade of the database.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey("chat.Participant", on_delete=models.PROTECT, related_name="+")
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True


_OF_EVERY_ROW: Final = frozenset(field.name for field in OperableModel._meta.local_fields)


def own_fields(model: type[models.Model]) -> dict[str, Any]:
    """The fields that a model has beyond those of every row, by name; many-to-many ones last."""
    declared = (*model._meta.local_fields, *model._meta.local_many_to_many)
    return {field.name: field for field in declared if field.name not in _OF_EVERY_ROW}


if TYPE_CHECKING:
    from chat.operations.changes import Change, Update
    from chat.operations.models import Operation

Plain = dict[str, Any]


@dataclass(frozen=True)
class Operable:
    """One operable model.

    `parents` are those foreign keys whose row must be there for this one to be: deleting the
    parent deletes this row in the same batch, and it cannot come back before its parent.
    `sensitive` fields may only be changed by an agent after review. `display` says values of
    fields in words; `quiet` fields are the machinery's: no panel shows them and nobody edits them
    there; `read_only` ones are shown there, but have pages of their own to be edited on; `url` is
    where a row is looked at. `closed` says why rows can no longer be taken back or corrected (empty
    while they can). `refusal` says why one row, as it stands, may not be changed to these values,
    whoever asks (empty when it may).
    `edited` gives the values that a person edits in the log of changes as the feature keeps them,
    with what they entail in the row (BadInput for wrong ones), `entailed` all that such an update
    of a row does, itself included; both take the row.
    `changed` is told after the commit what was done at once to rows of this kind, in order.
    `erasing` is told within the transaction which rows are about to go for good, to let go of what
    hangs on them outside the ledger (files).
    `is_listed`: people list many new ones in one breath, so an agent may create them together.
    `is_place`: the list of all changes can be narrowed to one of these rows and what is in it.
    `is_counted`: it counts among the things that may not change unseen; parts of a thing do not.
    """

    name: str
    model: type[OperableModel]
    title: Callable[[Plain], str]
    parents: tuple[str, ...] = ()
    sensitive: frozenset[str] = frozenset()
    display: Mapping[str, Callable[[Any], str]] = field(default_factory=dict)
    quiet: frozenset[str] = frozenset()
    read_only: frozenset[str] = frozenset()
    closed: Callable[[Sequence[Any]], str] | None = None
    refusal: Callable[[Any, Plain], str] | None = None
    edited: Callable[[Any, Plain], Mapping[str, Any]] = lambda _row, values: values
    entailed: Callable[[Any, Update], Sequence[Change]] = lambda _row, update: [update]
    changed: Callable[[Sequence[Operation]], None] | None = None
    erasing: Callable[[Sequence[uuid.UUID]], None] | None = None
    url: Callable[[uuid.UUID], str] | None = None
    is_listed: bool = False
    is_place: bool = False
    is_counted: bool = True

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """What operations read and write: every field of the model's own, in its order."""
        return tuple(own_fields(self.model))

    @property
    def is_editable(self) -> bool:
        """Whether a panel of changes may offer to edit what was done to a row."""
        return bool(set(self.fields) - self.quiet - self.read_only)


_operables: dict[str, Operable] = {}
_names: dict[object, str] = {}


def register(operable: Operable) -> None:
    """Adds a model; two of one name, or unknown parents, are programming errors (ValueError)."""
    if operable.name in _operables:
        raise ValueError(f"There already is an operable model called {operable.name!r}.")
    if strange := {*operable.parents} - {*operable.fields}:
        raise ValueError(f"{operable.name} has no field {min(strange)!r}.")
    _operables[operable.name] = operable
    _names[operable.model] = operable.name


def operable(name: str) -> Operable:
    """The model of that name; KeyError when no app registered one."""
    return _operables[name]


def all_operables() -> Mapping[str, Operable]:
    return dict(_operables)


def named(model: object) -> str:
    """What the ledger calls a model; empty when it is not operable."""
    return _names.get(model, "")


def depth(name: str) -> int:
    """How many parents stand above rows of this kind: what is locked first has the fewest."""
    entity_type = operable(name)
    above = {
        named(entity_type.model._meta.get_field(parent).related_model)
        for parent in entity_type.parents
    }
    return 1 + max((depth(item) for item in above - {"", name}), default=-1)


def hanging_on(name: str) -> list[tuple[Operable, str]]:
    """Models with a parent of the named kind, each with the foreign key that names it."""
    model = operable(name).model
    return [
        (other, parent)
        for other in _operables.values()
        for parent in other.parents
        if other.model._meta.get_field(parent).related_model is model
    ]
