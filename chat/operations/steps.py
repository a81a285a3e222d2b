"""Doing operations: checks owners and versions, changes the rows, notes before and after."""

from __future__ import annotations

import hashlib
import time
import uuid
from collections.abc import Iterable, Iterator, Sequence

import orjson
from django.db import IntegrityError, connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.operations import serialization
from chat.operations.models import Key, Operation, OperationPayload
from chat.operations.registry import Operable, OperableModel, Plain, operable
from chat.operations.rows import Rows, many_of
from futura.errors import BadInput, Conflict, FuturaError, NotFound

Type, Status = Operation.Type, Operation.Status


def refuse_closed(rows: Rows) -> None:
    """Raises Conflict with the reason when some of these rows can no longer be corrected."""
    kinds: dict[str, list[OperableModel]] = {}
    for (entity, _id), row in rows.locked.items():
        if row is not None:
            kinds.setdefault(entity, []).append(row)
    for entity, some in kinds.items():
        closed = operable(entity).closed
        if closed is not None and (reason := closed(some)):
            raise Conflict(reason)


def failure_of(operations: Iterable[Operation]) -> str:
    """Why the first of these failed; empty when none did."""
    failed = (operation for operation in operations if operation.status == Status.FAILED)
    return next((operation.error for operation in failed), "")


def open_ledger() -> None:
    """Marks the open transaction as one that may write operable tables (see `triggers`)."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('futura.ledger', txid_current()::text, true)")


def digest_of(kind: str, entity: str, entity_id: uuid.UUID, requested: Plain | None) -> str:
    """What an approval is bound to: the exact change that was shown (SHA-256, hex)."""
    change = [kind, entity, str(entity_id), requested]
    return hashlib.sha256(orjson.dumps(change, option=orjson.OPT_SORT_KEYS)).hexdigest()


def do_all(operations: Sequence[Operation], rows: Rows, *, is_atomic: bool) -> list[Operation]:
    """Does the operations in order; every one that was done, with deletions of what hung along.

    The first failure ends it: that one is FAILED with its reason, later ones stay PENDING. Each
    stands or falls alone; when atomic, nothing at all is done then.
    """
    rows.lock(_touched(operations))
    proposed = [(item, item.base_version, item.payload.before) for item in operations]
    done: list[Operation] = []
    is_failed = False
    with transaction.atomic(savepoint=is_atomic):
        for operation in operations:
            done += _try(operation, rows, is_alone=not is_atomic)
            is_failed = operation.status == Status.FAILED
            if is_failed:
                break
        transaction.set_rollback(is_failed and is_atomic)
    if not (is_failed and is_atomic):
        return done
    for operation, base_version, before in proposed:
        if operation.status == Status.COMPLETED:
            _reset(operation, base_version, before)
    return []


def _touched(operations: Sequence[Operation]) -> Iterator[Key]:
    """The rows of operations, and those that their values name: they must not go meanwhile."""
    for operation in operations:
        yield operation.key
        entity_type, values = operable(operation.entity), operation.payload.requested or {}
        for _name, entity, key in serialization.references(entity_type, values):
            yield entity, key


def _reset(operation: Operation, base_version: int | None, before: Plain | None) -> None:
    """As if it had not been tried."""
    operation.status, operation.error = Status.PENDING, ""
    operation.base_version, operation.result_version = base_version, None
    operation.changed_fields, operation.executed_at, operation.duration_ms = [], None, None
    operation.payload.before, operation.payload.after = before, None


def _try(operation: Operation, rows: Rows, *, is_alone: bool) -> list[Operation]:
    """The operation and what it took along; nothing when it failed.

    What one that stands `is_alone` had done by then is taken back with it.
    """
    began = time.perf_counter()
    try:
        with transaction.atomic(savepoint=is_alone):
            done = _DO[Type(operation.type)](operation, rows)
    except (FuturaError, IntegrityError) as error:
        rows.forget()
        operation.status = Status.FAILED
        operation.error = _reason(error, operable(operation.entity))
        operation.result_version, operation.changed_fields = None, []
        operation.executed_at, operation.payload.after = None, None
        return []
    operation.duration_ms = round(1000 * (time.perf_counter() - began))
    for each in done:
        each.status = Status.COMPLETED
    return done


def _reason(error: Exception, entity_type: Operable) -> str:
    if not isinstance(error, IntegrityError):
        return str(error)
    for constraint in entity_type.model._meta.constraints:
        if constraint.name in str(error):
            return str(constraint.get_violation_error_message())
    return _("This conflicts with something that already exists.")


def _create(operation: Operation, rows: Rows) -> list[Operation]:
    entity_type = operable(operation.entity)
    if rows.get(operation.key) is not None:
        raise Conflict(_("This was already created."))
    values = operation.payload.requested or {}
    _check_references(entity_type, values, rows)
    row = rows.create(operation.key, values)
    links = {name: values.get(name, []) for name in many_of(entity_type)}
    own = [name for name in entity_type.fields if name not in links]
    operation.payload.after = {**serialization.read(entity_type, row, own), **links}
    operation.changed_fields = sorted(values)
    return _done(operation, row)


def _update(operation: Operation, rows: Rows) -> list[Operation]:
    entity_type, row = operable(operation.entity), rows.alive(operation.key)
    _check_version(operation, row)
    requested = operation.payload.requested or {}
    before = serialization.read(entity_type, row, requested)
    changed = {name: value for name, value in requested.items() if before[name] != value}
    operation.base_version = row.version
    operation.changed_fields = sorted(changed)
    operation.payload.before = {name: before[name] for name in changed}
    operation.payload.after = changed
    if not changed:
        operation.executed_at = timezone.now()
        return [operation]
    _check_references(entity_type, changed, rows)
    # what a feature forbids, it forbids to everybody: forms, agents, approvals and undo
    if entity_type.refusal is not None and (reason := entity_type.refusal(row, changed)):
        raise BadInput(reason)
    rows.update(row, changed)
    return _done(operation, row)


def _delete(operation: Operation, rows: Rows) -> list[Operation]:
    """Deletes what hangs on the row first, so that undoing in reverse brings the row back first."""
    entity_type, row = operable(operation.entity), rows.alive(operation.key)
    _check_version(operation, row)
    cascade: list[Operation] = []
    for key in rows.below(operation.key):
        if rows.has(key):  # it may have gone with another
            cascade += _delete(new_operation(Type.DELETE, *key, because_of=operation), rows)
    operation.base_version = row.version
    operation.payload.before = serialization.read(entity_type, row)
    rows.mark(row, is_deleted=True)
    return [*cascade, *_done(operation, row)]


def _restore(operation: Operation, rows: Rows) -> list[Operation]:
    entity_type, row = operable(operation.entity), rows.get(operation.key)
    if row is None:
        raise NotFound(_("This was permanently deleted."))
    if row.deleted_at is None:
        raise Conflict(_("This already exists."))
    _check_references(entity_type, serialization.read(entity_type, row, entity_type.parents), rows)
    operation.base_version = row.version
    rows.mark(row, is_deleted=False)
    operation.payload.after = serialization.read(entity_type, row)
    return _done(operation, row)


def _done(operation: Operation, row: OperableModel) -> list[Operation]:
    """Notes when it was done, and the version it made."""
    operation.executed_at = timezone.now()
    operation.result_version = row.version
    return [operation]


_DO = {Type.CREATE: _create, Type.UPDATE: _update, Type.DELETE: _delete, Type.RESTORE: _restore}


def _check_version(operation: Operation, row: OperableModel) -> None:
    if operation.base_version is not None and operation.base_version != row.version:
        raise Conflict


def _check_references(entity_type: Operable, values: Plain, rows: Rows) -> None:
    """Other operable rows that these values name must be the owner's, and be there."""
    for name, entity, key in serialization.references(entity_type, values):
        if not rows.has((entity, key)):
            if (deleted := rows.get((entity, key))) is not None:
                # its title is the owner's own: rows of others are not found
                words = _("It needs “%(row)s”, which was deleted.") % {"row": deleted}
                raise BadInput(words, field=name)
            relation = entity_type.model._meta.get_field(name)
            raise BadInput(
                _("“%(field)s” refers to something that does not exist.")
                % {"field": relation.verbose_name},  # type: ignore[union-attr]
                field=name,
            )


def new_operation(
    kind: str,
    entity: str,
    entity_id: uuid.UUID,
    requested: Plain | None = None,
    *,
    base_version: int | None = None,
    undoes: Operation | None = None,
    amends: Operation | None = None,
    because_of: Operation | None = None,
) -> Operation:
    """An operation with its values that is not stored yet and belongs to no batch yet."""
    operation = Operation(
        type=kind,
        entity=entity,
        entity_id=entity_id,
        base_version=base_version,
        undoes=undoes,
        amends=amends,
        because_of=because_of,
    )
    operation.payload = OperationPayload(
        requested=requested, digest=digest_of(kind, entity, entity_id, requested)
    )
    return operation
