"""The rows that a batch works on: locked in one order, changed in memory, written together."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.operations import codec
from chat.operations.base import OperableModel
from chat.operations.registry import Operable, Plain, depth, hanging_on, operable
from chat.operations.writing import set_links, update_versions
from futura.errors import NotFound

Key = tuple[str, uuid.UUID]
_Below = dict[uuid.UUID, list[Key]]
T = TypeVar("T")


@dataclass
class Rows:
    """Rows by kind and id; `None` for one that does not exist.

    What `make` and `change` do stands in memory until `write`, which takes as many statements as
    there are kinds of rows. Every row that is changed must be locked here first.
    """

    owner_id: uuid.UUID
    found: dict[Key, OperableModel | None] = field(default_factory=dict)
    _made: dict[Key, OperableModel] = field(default_factory=dict, init=False)
    _changed: dict[Key, tuple[int, set[str]]] = field(default_factory=dict, init=False)
    _linked: dict[tuple[str, str], dict[uuid.UUID, list[str]]] = field(
        default_factory=dict, init=False
    )
    _opened: set[Key] = field(default_factory=set, init=False)
    _below: dict[tuple[str, str], _Below] = field(default_factory=dict, init=False)

    # Reading --------------------------------------------------------------------------------

    def lock(self, keys: Iterable[Key]) -> None:
        """Locks rows in one order everywhere, so that two batches never wait for each other.

        Parents come before what hangs on them, since deleting a parent locks its rows later.
        """
        wanted: dict[str, set[uuid.UUID]] = {}
        for entity, key in keys:
            if (entity, key) not in self.found:
                wanted.setdefault(entity, set()).add(key)
        for entity in sorted(wanted, key=lambda name: (depth(name), name)):
            self._lock_of(entity, wanted[entity])

    def _lock_of(self, entity: str, ids: set[uuid.UUID]) -> None:
        of = operable(entity)
        rows = _locked(of).filter(pk__in=ids, owner_id=self.owner_id).order_by("pk")
        if len(ids) > 1:
            rows = rows.prefetch_related(*many_of(of))
        by_id = {row.pk: row for row in rows}
        self.found.update({(entity, key): by_id.get(key) for key in ids})
        self._below.clear()

    def lock_below(self, keys: Iterable[Key]) -> None:
        """Locks what hangs on locked rows, and on that: a query per kind and level.

        Nothing new can come to hang there meanwhile: whoever names a row locks it.
        """
        fresh = [key for key in keys if key not in self._opened and self.found.get(key)]
        while fresh:
            self._opened.update(fresh)
            ids: dict[str, list[uuid.UUID]] = {}
            for entity, key in fresh:
                if (entity, key) not in self._made:  # nothing stored hangs on what is not stored
                    ids.setdefault(entity, []).append(key)
            fresh = [
                key for entity, above in ids.items() for key in self._read_below(entity, above)
            ]

    def _read_below(self, entity: str, above: list[uuid.UUID]) -> Iterator[Key]:
        for other, parent in hanging_on(entity):
            rows = _locked(other).filter(**{f"{parent}__in": above}, deleted_at__isnull=True)
            for row in rows.order_by("pk").prefetch_related(*many_of(other)):
                key = (other.name, row.pk)
                self.found.setdefault(key, row)
                if key not in self._opened:
                    yield key
        self._below.clear()

    def below(self, key: Key) -> list[Key]:
        """The living rows that hang directly on a row, as things stand in memory."""
        self.lock_below([key])
        told: list[Key] = []
        for other, parent in hanging_on(key[0]):
            by_parent = self._below.get((other.name, parent))
            if by_parent is None:
                by_parent = self._below[other.name, parent] = self._by_parent(other, parent)
            told += by_parent.get(key[1], [])
        return [one for one in told if self.has(one)]

    def _by_parent(self, other: Operable, parent: str) -> _Below:
        told: _Below = {}
        for (entity, key), row in sorted(self.found.items(), key=lambda one: one[0]):
            if entity == other.name and row is not None:
                above = getattr(row, f"{parent}_id")
                if above is not None:
                    told.setdefault(above, []).append((entity, key))
        return told

    def alive(self, key: Key) -> OperableModel:
        """The row. Raises NotFound when it is deleted, another's, or was never there."""
        row = self.get(key)
        if row is None or row.deleted_at is not None:
            raise NotFound(_("This is not there any more."))
        return row

    def has(self, key: Key) -> bool:
        """Whether the row is the owner's, and there."""
        row = self.get(key)
        return row is not None and row.deleted_at is None

    def get(self, key: Key) -> OperableModel | None:
        """The row, deleted or not."""
        self.lock([key])
        return self.found[key]

    # Writing --------------------------------------------------------------------------------

    def make(self, key: Key, row: OperableModel, values: Plain) -> None:
        """A new row of the owner's with these plain values; what it names was looked at."""
        of = operable(key[0])
        codec.write(row, values)
        codec.plan_links(row, {name: [] for name in many_of(of)})  # a new row has no others
        self._link(key, row, values)
        self.found[key] = self._made[key] = row
        self._below.clear()

    def change(self, key: Key, row: OperableModel, values: Plain) -> None:
        """New plain values for some fields of a locked row, and its next version."""
        later = codec.write(row, values)
        self._link(key, row, values)
        self._moved(key, row, [name for name in values if name not in later])
        self._below.clear()

    def mark(self, key: Key, row: OperableModel, *, is_deleted: bool) -> None:
        """Takes a locked row away or brings it back, which is its next version, too."""
        row.deleted_at = timezone.now() if is_deleted else None
        self._moved(key, row, ["deleted_at"])

    def _moved(self, key: Key, row: OperableModel, names: Iterable[str]) -> None:
        if key not in self._made:
            self._changed.setdefault(key, (row.version, set()))[1].update(names)
        row.version += 1
        row.updated_at = timezone.now()

    def _link(self, key: Key, row: OperableModel, values: Plain) -> None:
        links = {name: values[name] for name in many_of(operable(key[0])) if name in values}
        codec.plan_links(row, links)
        for name, ids in links.items():
            self._linked.setdefault((key[0], name), {})[key[1]] = ids

    def write(self) -> None:
        """Writes what stands in memory; each changed row must be at the version it was read at.

        Raises IntegrityError where a constraint forbids it, Conflict for a version.
        """
        for entity, made in _by_kind(self._made).items():
            operable(entity).model._default_manager.bulk_create(made.values())
        for entity, changed in _by_kind(self._changed).items():
            names = sorted({name for _base, some in changed.values() for name in some})
            bases = {pk: base for pk, (base, _some) in changed.items()}
            rows = [(self._there((entity, pk)), base) for pk, base in sorted(bases.items())]
            update_versions(rows, [*names, "updated_at"])
        for (entity, name), wanted in self._linked.items():
            set_links(operable(entity).model, name, wanted)
        self._unwritten()

    def _there(self, key: Key) -> OperableModel:
        row = self.found[key]
        assert row is not None  # noqa: S101 - it was changed here
        return row

    def _unwritten(self) -> None:
        self._made, self._changed, self._linked = {}, {}, {}

    def read_anew(self) -> None:
        """Drops what was not written, after a rollback, and locks the same rows again."""
        keys = [key for key in self.found if key not in self._made]
        self._unwritten()
        self.found, self._opened, self._below = {}, set(), {}
        self.lock(keys)


def _by_kind(rows: Mapping[Key, T]) -> dict[str, dict[uuid.UUID, T]]:
    """By kind, what stands above others first."""
    told: dict[str, dict[uuid.UUID, T]] = {}
    for entity, key in sorted(rows, key=lambda one: (depth(one[0]), one[0])):
        told.setdefault(entity, {})[key] = rows[entity, key]
    return told


def _locked(of: Operable) -> models.QuerySet[OperableModel]:
    """Not the keys: rows that point here may be written meanwhile."""
    locked: models.QuerySet[OperableModel] = of.model._default_manager.select_for_update(
        no_key=True
    )
    return locked


def many_of(of: Operable) -> list[str]:
    """Its declared many-to-many fields."""
    meta = of.model._meta
    return [name for name in of.fields if isinstance(meta.get_field(name), models.ManyToManyField)]


def hanging_on_all(keys: Iterable[Key]) -> list[Key]:
    """These rows and everything that hangs on them, deleted or not: a query per kind and level."""
    fresh = list(keys)
    found = dict.fromkeys(fresh)
    while fresh:
        ids: dict[str, list[uuid.UUID]] = {}
        for entity, key in fresh:
            ids.setdefault(entity, []).append(key)
        children = [
            (other.name, pk)
            for entity, above in ids.items()
            for other, parent in hanging_on(entity)
            for pk in other.model._default_manager.filter(**{f"{parent}__in": above}).values_list(
                "pk", flat=True
            )
        ]
        fresh = [key for key in children if key not in found]
        found.update(dict.fromkeys(fresh))
    return list(found)
