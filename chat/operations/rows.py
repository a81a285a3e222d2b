"""The rows that a batch works on: locked in one order everywhere, written as they change."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.operations import serialization
from chat.operations.models import Key
from chat.operations.registry import Operable, OperableModel, Plain, depth, hanging_on, operable
from futura.errors import NotFound


@dataclass
class Rows:
    """One owner's locked rows by kind and id; `None` for one that does not exist.

    Needs a transaction that `steps.open_ledger` has marked. Writing raises IntegrityError.
    """

    owner_id: uuid.UUID
    locked: dict[Key, OperableModel | None] = field(default_factory=dict)

    def forget(self) -> None:
        """Reads rows anew from now on: what was written of them is taken back."""
        self.locked.clear()

    def lock(self, keys: Iterable[Key]) -> None:
        """Locks rows that are not locked yet, so that two batches never wait for each other.

        Parents come before what hangs on them, since deleting a parent locks its rows later.
        """
        missing: dict[str, set[uuid.UUID]] = {}
        for entity, key in keys:
            if (entity, key) not in self.locked:
                self.locked[entity, key] = None
                missing.setdefault(entity, set()).add(key)
        for entity in sorted(missing, key=lambda name: (depth(name), name)):
            entity_type = operable(entity)
            rows = _locking(entity_type).filter(pk__in=missing[entity], owner_id=self.owner_id)
            if len(missing[entity]) > 1:
                rows = rows.prefetch_related(*many_of(entity_type))
            self.locked |= {(entity, row.pk): row for row in rows.order_by("pk")}

    def below(self, key: Key) -> list[Key]:
        """The living rows that hang directly on a row, locked.

        Nothing new can come to hang there meanwhile: whoever names a row locks it.
        """
        below: list[Key] = []
        for other, parent in hanging_on(key[0]):
            rows = _locking(other).filter(**{parent: key[1]}, deleted_at=None)
            for row in rows.order_by("pk"):
                self.locked.setdefault((other.name, row.pk), row)
                below.append((other.name, row.pk))
        return below

    def lock_below(self, keys: Iterable[Key]) -> None:
        """Locks all that hangs on rows, and on that."""
        fresh = list(keys)
        while fresh:
            fresh = [child for key in fresh for child in self.below(key)]

    def alive(self, key: Key) -> OperableModel:
        """The row. Raises NotFound when it is deleted, another's, or was never there."""
        row = self.get(key)
        if row is None or row.deleted_at is not None:
            raise NotFound(_("This no longer exists."))
        return row

    def has(self, key: Key) -> bool:
        """Whether the row is the owner's, and there."""
        row = self.get(key)
        return row is not None and row.deleted_at is None

    def get(self, key: Key) -> OperableModel | None:
        """The row, deleted or not."""
        self.lock([key])
        return self.locked[key]

    def create(self, key: Key, values: Plain) -> OperableModel:
        """A new row of the owner's with these plain values."""
        row = operable(key[0]).model(id=key[1], owner_id=self.owner_id)
        links = serialization.write(row, values)
        row.save(force_insert=True)
        self.locked[key] = row
        _link(row, {name: ids for name, ids in links.items() if ids})
        return row

    def update(self, row: OperableModel, values: Plain) -> None:
        """New plain values for some fields of a locked row, and its next version."""
        links = serialization.write(row, values)
        _save_next_version(row, [name for name in values if name not in links])
        _link(row, links)

    def mark(self, row: OperableModel, *, is_deleted: bool) -> None:
        """Takes a locked row away or brings it back, which is its next version, too."""
        row.deleted_at = timezone.now() if is_deleted else None
        _save_next_version(row, ["deleted_at"])


def _save_next_version(row: OperableModel, names: Iterable[str]) -> None:
    row.version += 1
    row.updated_at = timezone.now()
    row.save(update_fields=[*names, "version", "updated_at"])


def _link(row: OperableModel, links: Plain) -> None:
    for name, ids in links.items():
        getattr(row, name).set([uuid.UUID(key) for key in ids])


def _locking(entity_type: Operable) -> models.QuerySet[OperableModel]:
    """Not the keys: rows that point here may be written meanwhile."""
    return entity_type.model._default_manager.select_for_update(no_key=True)


def many_of(entity_type: Operable) -> list[str]:
    """Its declared many-to-many fields."""
    meta = entity_type.model._meta
    return [
        name
        for name in entity_type.fields
        if isinstance(meta.get_field(name), models.ManyToManyField)
    ]
