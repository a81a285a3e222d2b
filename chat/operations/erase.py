"""Erasing values for good: rows go, payloads become tombstones, and the ledger says that it was.

Nothing of this can be undone; it is for purges of what nobody wants kept, and for people who want
to be forgotten.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Final

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone

from chat.operations import serialization
from chat.operations.cascade import with_all_below
from chat.operations.changes import Actor, Cause
from chat.operations.execute import new_batch, store
from chat.operations.models import Key, Operation, OperationBatch, OperationPayload
from chat.operations.registry import Operable, Plain, all_operables, depth, named, operable
from chat.operations.rows import Rows, many_of
from chat.operations.steps import new_operation, open_ledger

Type, Status = Operation.Type, Operation.Status
AT_ONCE: Final = 500  # rows of one kind in one statement


def erase(*, actor: Actor, rows: Iterable[Key], reason: str) -> OperationBatch | None:
    """Removes rows and all that hangs on them, and blanks every value the ledger has of them.

    Stored as a batch of `erase` operations without values, with the reason. Links of rows that stay
    (a to-do that waits for one of these) are taken away by updates of the same batch. Rows that
    are not the owner's, or not there, are left out; None when nothing is left. Other operable rows
    that name one of these by a protected key make it fail (ProtectedError).
    """
    with transaction.atomic():
        open_ledger()
        result = Rows(actor.owner_id)
        result.lock(rows)
        keys = with_all_below(key for key, row in result.locked.items() if row is not None)
        if not keys:
            return None
        batch = new_batch(actor, Cause(reason=reason), title="", is_atomic=True)
        batch.status, batch.finished_at = OperationBatch.Status.COMPLETED, timezone.now()
        operations = [*_unlinked(keys, result), *_erasures(keys)]
        _blank(Operation.objects.filter(entity_id__in=[key for _name, key in keys]))
        _remove(keys)
        store(batch, operations)
    return batch


def erase_all_of(*, actor: Actor, reason: str) -> OperationBatch | None:
    """Erases every operable row of an owner, and blanks every payload in the owner's name."""
    keys = [
        (name, key)
        for name, entity_type in all_operables().items()
        for key in entity_type.model._default_manager.filter(owner_id=actor.owner_id).values_list(
            "pk", flat=True
        )
    ]
    with transaction.atomic():
        _blank(Operation.objects.filter(batch__owner_id=actor.owner_id))
        return erase(actor=actor, rows=keys, reason=reason)


def _erasures(keys: Sequence[Key]) -> list[Operation]:
    now, operations = timezone.now(), []
    last = _last_versions(keys)
    for key in keys:
        operation = new_operation(Type.ERASE, *key)
        operation.status = Status.COMPLETED
        operation.executed_at = operation.payload.erased_at = now
        operation.base_version = last.get(key)
        operations.append(operation)
    return operations


def _unlinked(keys: Sequence[Key], rows: Rows) -> list[Operation]:
    """Takes the links to these rows away from those that stay, deleted ones included."""
    gone: dict[str, set[uuid.UUID]] = {}
    for entity, key in keys:
        gone.setdefault(entity, set()).add(key)
    stored: dict[Key, Plain] = {}
    for entity_type, name, entity in _links_to(gone):
        meta: Any = entity_type.model._meta.get_field(name)
        near, far = f"{meta.m2m_field_name()}_id", f"{meta.m2m_reverse_field_name()}_id"
        links = meta.remote_field.through._default_manager
        staying = set(links.filter(**{f"{far}__in": gone[entity]}).values_list(near, flat=True))
        staying -= gone.get(entity_type.name, set())
        rows.lock((entity_type.name, key) for key in staying)
        for key in staying:
            row = rows.get((entity_type.name, key))
            if row is not None:
                linked = serialization.read(entity_type, row, [name])[name]
                left = [item for item in linked if uuid.UUID(item) not in gone[entity]]
                stored.setdefault((entity_type.name, key), {})[name] = left
    return [_unlinking(key, values, rows) for key, values in sorted(stored.items())]


def _links_to(kinds: Collection[str]) -> Iterator[tuple[Operable, str, str]]:
    """Many-to-many fields that lead to rows of some kinds: whose, which, to what kind."""
    for entity_type in all_operables().values():
        for name in many_of(entity_type):
            entity = named(entity_type.model._meta.get_field(name).related_model)
            if entity in kinds:
                yield entity_type, name, entity


def _unlinking(key: Key, values: Plain, rows: Rows) -> Operation:
    row = rows.locked[key]
    assert row is not None  # noqa: S101 - it was locked just now
    operation = new_operation(Type.UPDATE, *key, values, base_version=row.version)
    operation.payload.before = serialization.read(operable(key[0]), row, values)
    operation.payload.after = values
    operation.changed_fields = sorted(values)
    rows.update(row, values)
    operation.status, operation.executed_at = Status.COMPLETED, timezone.now()
    operation.result_version = row.version
    return operation


def _last_versions(keys: Sequence[Key]) -> dict[Key, int]:
    operations = Operation.objects.filter(entity_id__in=[key for _name, key in keys])
    grouped = (
        operations.order_by().values_list("entity", "entity_id").annotate(Max("result_version"))
    )
    return {(entity, key): version for entity, key, version in grouped}


def _blank(operations: QuerySet[Operation]) -> None:
    """Makes tombstones: values, reasons of failures, and the words of the batches go."""
    waiting = operations.filter(status=Status.PENDING)
    waiting.update(status=Status.REJECTED)
    OperationPayload.objects.filter(operation__in=operations, erased_at__isnull=True).update(
        requested=None, before=None, after=None, erased_at=timezone.now()
    )
    operations.filter(executed_at__isnull=True).exclude(error="").update(error="")
    OperationBatch.objects.filter(operations__in=operations).exclude(title="", reason="").update(
        title="", reason=""
    )
    _close(OperationBatch.objects.filter(operations__in=operations))


def _close(batches: QuerySet[OperationBatch]) -> None:
    """What waited for review and has nothing left to wait for was let drop."""
    waiting = batches.filter(status=OperationBatch.Status.REVIEW).exclude(
        pk__in=Operation.objects.filter(status=Status.PENDING).values("batch_id")
    )
    waiting.update(status=OperationBatch.Status.REJECTED, finished_at=timezone.now())


def _pointing_first(names: set[str]) -> list[str]:
    """Kinds in an order in which nothing is left that points to what goes."""
    values: list[str] = []
    while left := names - set(values):
        free = [item for item in left if not any(_points(other, item) for other in left - {item})]
        values += sorted(free or left, key=lambda name: (-depth(name), name))
    return values


def _points(name: str, other: str) -> bool:
    fields = operable(name).model._meta.get_fields()
    return any(field.concrete and field.related_model is operable(other).model for field in fields)


def _remove(keys: Sequence[Key]) -> None:
    """Deletes rows from the tables, what hangs on others first."""
    for name in _pointing_first({entry for entry, _key in keys}):
        model = operable(name).model
        ids: list[uuid.UUID] = [key for entry, key in keys if entry == name]
        erasing = operable(name).erasing
        if erasing is not None:
            erasing(ids)
        for start in range(0, len(ids), AT_ONCE):
            some = ids[start : start + AT_ONCE]
            model._default_manager.filter(pk__in=some).delete()  # and its links
