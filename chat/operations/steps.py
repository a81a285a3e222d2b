"""Doing operations: locks the rows, checks owners and versions, writes, notes before and after."""

from __future__ import annotations

import hashlib
import time
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import timedelta

import orjson
from django.db import IntegrityError, connection, models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.operations import codec
from chat.operations.base import OperableModel
from chat.operations.models import Operation, OperationPayload
from chat.operations.registry import Operable, Plain, depth, hanging_on, operable
from futura.errors import BadInput, Conflict, FuturaError, NotFound

Key = tuple[str, uuid.UUID]
Type, Status = Operation.Type, Operation.Status


@dataclass
class Step:
    """One operation with its values, stored already or not."""

    operation: Operation
    payload: OperationPayload

    @property
    def key(self) -> Key:
        """Which row it is about."""
        return self.operation.entity, self.operation.entity_id


@dataclass
class Rows:
    """The rows that a batch works on, locked; `None` for one that does not exist."""

    owner_id: uuid.UUID
    found: dict[Key, OperableModel | None] = field(default_factory=dict)

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
        # not the keys: rows that point here may be written meanwhile
        locked = of.model._default_manager.select_for_update(no_key=True)
        rows = locked.filter(pk__in=ids, owner_id=self.owner_id).order_by("pk")
        if len(ids) > 1:
            rows = rows.prefetch_related(*many_of(of))
        by_id = {row.pk: row for row in rows}
        self.found.update({(entity, key): by_id.get(key) for key in ids})

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


def refuse_closed(rows: Rows) -> None:
    """Raises Conflict with the reason when some of these rows can no longer be corrected."""
    kinds: dict[str, list[OperableModel]] = {}
    for (entity, _id), row in rows.found.items():
        if row is not None:
            kinds.setdefault(entity, []).append(row)
    for entity, some in kinds.items():
        closed = operable(entity).closed
        if closed is not None and (reason := closed(some)):
            raise Conflict(reason)


def open_ledger() -> None:
    """Marks the open transaction as one that may write operable tables (see `guard`)."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('futura.ledger', txid_current()::text, true)")


def digest_of(kind: str, entity: str, entity_id: uuid.UUID, requested: Plain | None) -> str:
    """What an approval is bound to: the exact change that was shown (SHA-256, hex)."""
    told = [kind, entity, str(entity_id), requested]
    return hashlib.sha256(orjson.dumps(told, option=orjson.OPT_SORT_KEYS)).hexdigest()


def do_all(steps: Sequence[Step], rows: Rows, *, is_atomic: bool) -> list[Step]:
    """Does the steps in order, each in a savepoint; every step done, deletions of what hung along.

    The first failure ends it: that step is FAILED with its reason, later ones stay PENDING. When
    atomic, nothing at all is done then.
    """
    rows.lock([key for step in steps for key in _touched(step)])
    done: list[Step] = []
    try:
        with transaction.atomic():
            for step in steps:
                done += _try(step, rows, savepoint=not is_atomic)
                if step.operation.status == Status.FAILED and is_atomic:
                    raise _Undone
                if step.operation.status == Status.FAILED:
                    break
    except _Undone:
        for step in done:
            _forget(step)
        return []
    return done


def _touched(step: Step) -> Iterator[Key]:
    """The row of a step, and those that its values name: they must not go meanwhile."""
    yield step.key
    of, values = operable(step.operation.entity), step.payload.requested or {}
    for _name, entity, key in codec.references(of, values):
        yield entity, key


class _Undone(Exception):
    """Takes back an atomic batch."""


def _forget(step: Step) -> None:
    operation = step.operation
    operation.status = Status.PENDING
    operation.result_version = operation.executed_at = operation.duration_ms = None
    operation.changed_fields = []
    step.payload.before = step.payload.after = None


def _try(step: Step, rows: Rows, *, savepoint: bool) -> list[Step]:
    """Without a savepoint a failure leaves the transaction broken: the caller rolls it back."""
    operation, began = step.operation, time.perf_counter()
    try:
        with transaction.atomic() if savepoint else nullcontext():
            done = [*_DO[Type(operation.type)](step, rows)]
    except (FuturaError, IntegrityError) as error:
        operation.status = Status.FAILED
        operation.error = _reason(error, operable(operation.entity))
        rows.found.pop(step.key, None)  # what stands in memory may never have been written
        return []
    now = timezone.now()
    for place, one in enumerate(done):
        one.operation.status = Status.COMPLETED
        one.operation.executed_at = now + timedelta(microseconds=place)  # in the order of doing
        one.operation.duration_ms = round(1000 * (time.perf_counter() - began))
    return done


def _reason(error: Exception, of: Operable) -> str:
    if not isinstance(error, IntegrityError):
        return str(error)
    for constraint in of.model._meta.constraints:
        if constraint.name in str(error):
            return str(constraint.get_violation_error_message())
    return _("This clashes with something else that is there.")


def _create(step: Step, rows: Rows) -> list[Step]:
    of = operable(step.operation.entity)
    if rows.get(step.key) is not None:
        raise Conflict(_("This has been made already."))
    row = of.model(id=step.operation.entity_id, owner_id=rows.owner_id)
    values = step.payload.requested or {}
    _check_references(of, values, rows)
    later = codec.write(row, values)
    row.save(force_insert=True)
    _set_many(row, later, values)
    rows.found[step.key] = row
    links = {name: values.get(name, []) for name in many_of(of)}  # a new row has no others
    plain = codec.read(of, row, [name for name in of.fields if name not in links])
    step.payload.after = plain | links
    step.operation.changed_fields = sorted(values)
    step.operation.result_version = row.version
    return [step]


def _update(step: Step, rows: Rows) -> list[Step]:
    of, row, operation = operable(step.operation.entity), rows.alive(step.key), step.operation
    _check_version(operation, row)
    wanted = step.payload.requested or {}
    before = codec.read(of, row, wanted)
    changed = {name: value for name, value in wanted.items() if before[name] != value}
    operation.base_version = row.version
    operation.changed_fields = sorted(changed)
    step.payload.before = {name: before[name] for name in changed}
    step.payload.after = changed
    if changed:
        _check_references(of, changed, rows)
        later = codec.write(row, changed)
        _save(row, [name for name in changed if name not in later])
        _set_many(row, later, changed)
        operation.result_version = row.version
    return [step]


def _delete(step: Step, rows: Rows) -> list[Step]:
    """Deletes what hangs on the row first, so that undoing in reverse brings the row back first."""
    of, row, operation = operable(step.operation.entity), rows.alive(step.key), step.operation
    _check_version(operation, row)
    along = [one for other in _hanging(step, row, rows) for one in _delete(other, rows)]
    operation.base_version = row.version
    step.payload.before = codec.read(of, row)
    row.deleted_at = timezone.now()
    _save(row, ["deleted_at"])
    operation.result_version = row.version
    return [*along, step]


def _hanging(step: Step, row: OperableModel, rows: Rows) -> list[Step]:
    found = []
    for other, parent in hanging_on(step.operation.entity):
        children = other.model._default_manager.select_for_update(no_key=True).filter(
            **{parent: row.pk}, deleted_at__isnull=True
        )
        for child in children.order_by("pk").prefetch_related(*many_of(other)):
            key = (other.name, child.pk)
            if rows.found.setdefault(key, child) is not None:
                found.append(new_step(Type.DELETE, *key, because_of=step.operation))
    return found


def hanging_on_all(keys: Sequence[Key]) -> list[Key]:
    """These rows and everything that hangs on them, deleted or not: a query per kind and level."""
    found, fresh = dict.fromkeys(keys), list(keys)
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


def _restore(step: Step, rows: Rows) -> list[Step]:
    of, row, operation = operable(step.operation.entity), rows.get(step.key), step.operation
    if row is None:
        raise NotFound(_("This was erased for good."))
    if row.deleted_at is None:
        raise Conflict(_("This is there already."))
    _check_references(of, codec.read(of, row, of.parents), rows)
    operation.base_version = row.version
    row.deleted_at = None
    _save(row, ["deleted_at"])
    step.payload.after = codec.read(of, row)
    operation.result_version = row.version
    return [step]


_DO = {Type.CREATE: _create, Type.UPDATE: _update, Type.DELETE: _delete, Type.RESTORE: _restore}


def many_of(of: Operable) -> list[str]:
    """Its declared many-to-many fields."""
    meta = of.model._meta
    return [name for name in of.fields if isinstance(meta.get_field(name), models.ManyToManyField)]


def _check_version(operation: Operation, row: OperableModel) -> None:
    if operation.base_version is not None and operation.base_version != row.version:
        raise Conflict


def _check_references(of: Operable, values: Plain, rows: Rows) -> None:
    """Other operable rows that these values name must be the owner's, and be there."""
    for name, entity, key in codec.references(of, values):
        if not rows.has((entity, key)):
            relation = of.model._meta.get_field(name)
            raise BadInput(
                _("“%(field)s” names something that is not there.")
                % {"field": relation.verbose_name},  # type: ignore[union-attr]
                field=name,
            )


def _save(row: OperableModel, names: list[str]) -> None:
    row.version += 1
    row.updated_at = timezone.now()
    row.save(update_fields=[*names, "version", "updated_at"])


def _set_many(row: OperableModel, names: Iterable[str], values: Plain) -> None:
    for name in names:
        getattr(row, name).set(values[name])


def new_step(
    kind: str,
    entity: str,
    entity_id: uuid.UUID,
    requested: Plain | None = None,
    *,
    base_version: int | None = None,
    undoes: Operation | None = None,
    amends: Operation | None = None,
    because_of: Operation | None = None,
) -> Step:
    """A step that is not stored yet and belongs to no batch yet."""
    operation = Operation(
        type=kind,
        entity=entity,
        entity_id=entity_id,
        base_version=base_version,
        undoes=undoes,
        amends=amends,
        because_of=because_of,
    )
    payload = OperationPayload(
        operation=operation,
        schema_version=operable(entity).schema_version,
        requested=requested,
        digest=digest_of(kind, entity, entity_id, requested),
    )
    return Step(operation, payload)
