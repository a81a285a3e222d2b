"""The only writer of operable tables: executes changes as one recorded batch."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.operations import notifications, serialization
from chat.operations.changes import Actor, Cause, Change, Create, Delete, Update
from chat.operations.models import Operation, OperationBatch, OperationPayload
from chat.operations.registry import operable
from chat.operations.rows import Rows
from chat.operations.steps import do_all, failure_of, new_operation, open_ledger
from futura import locks
from futura.characters import clean
from futura.errors import BadInput, Conflict

Status = Operation.Status


def execute(
    *,
    actor: Actor,
    changes: Sequence[Change],
    cause: Cause | None = None,
    title: str = "",
    is_atomic: bool = False,
    amends: Operation | None = None,
) -> OperationBatch:
    """Does the changes in order and records them; the batch says how it went.

    A failed change keeps what was done before it (nothing when atomic), says why, and leaves the
    rest pending. A tool call of a run that was executed before is not executed again: its batch
    is returned. Raises BadInput when a change has no form that could be recorded.
    """
    operations = [operation_of(change, amends=amends) for change in changes]
    cause = cause or Cause()
    # what goes wrong with a change is caught below, at a savepoint; all else ends the transaction
    with transaction.atomic(savepoint=False):
        open_ledger()
        existing = executed_before(cause)
        if existing is not None:
            return existing
        batch = new_batch(actor, cause, title=title, is_atomic=is_atomic)
        batch.amends = amends.batch if amends else None
        done = do_all(operations, Rows(actor.owner_id), is_atomic=is_atomic)
        record(batch, operations, done)
    return batch


def operation_of(change: Change, *, amends: Operation | None = None) -> Operation:
    """A change as an operation; its values are cleaned. Raises BadInput."""
    try:
        entity_type = operable(change.entity)
    except KeyError:
        refusal = _("Nothing called “%(name)s” can be changed.") % {"name": change.entity}
        raise BadInput(refusal) from None
    kind = Operation.Type
    match change:
        case Create(entity, values, key):
            return new_operation(
                kind.CREATE, entity, key, serialization.cleaned(entity_type, dict(values))
            )
        case Update(entity, key, values, version):
            details = serialization.cleaned(entity_type, dict(values))
            return new_operation(
                kind.UPDATE, entity, key, details, base_version=version, amends=amends
            )
        case Delete(entity, key, version):
            return new_operation(kind.DELETE, entity, key, base_version=version)


def executed_before(cause: Cause) -> OperationBatch | None:
    """The batch that this tool call of this run made already, also if it is just being made."""
    if cause.run is None or not cause.tool_call_id:
        return None
    locks.wait_for(f"{cause.run.pk} {cause.tool_call_id}")
    same = OperationBatch.objects.filter(run=cause.run, tool_call_id=cause.tool_call_id)
    return same.first()


def new_batch(actor: Actor, cause: Cause, *, title: str, is_atomic: bool) -> OperationBatch:
    """An unsaved batch."""
    return OperationBatch(
        id=cause.batch_id or uuid.uuid4(),
        owner_id=actor.owner_id,
        actor=actor.kind,
        user_id=actor.user_id,
        title=clean(title)[:200],
        reason=clean(cause.reason),
        session=cause.session,
        run=cause.run,
        message=cause.message,
        tool_call_id=cause.tool_call_id,
        is_atomic=is_atomic,
    )


def record(
    batch: OperationBatch, operations: Sequence[Operation], done: Sequence[Operation]
) -> None:
    """Stores a batch whose operations have been tried: what was done, then what was not."""
    tried = {item.pk for item in done}
    failed = any(item.status == Status.FAILED for item in operations)
    batch.status = OperationBatch.Status.FAILED if failed else OperationBatch.Status.COMPLETED
    batch.finished_at = timezone.now()
    store(batch, [*done, *(item for item in operations if item.pk not in tried)])


def store(batch: OperationBatch, operations: Sequence[Operation], *, after: int = 0) -> None:
    """Writes operations of a batch, and a new batch with them; tells its readers and the features.

    They are numbered in this order; `after` is how many the batch has already.
    """
    for number, operation in enumerate(operations, start=after + 1):
        operation.batch = batch
        operation.sequence = number
    if batch._state.adding:  # noqa: SLF001 - documented
        batch.save(force_insert=True)
    insert(operations)
    notifications.tell(batch)
    notifications.tell_features(operations)


def close(batch: OperationBatch, status: str) -> None:
    """Ends a stored batch, as things stand now; tells its readers."""
    batch.status, batch.finished_at = status, timezone.now()
    batch.save(update_fields=["status", "finished_at"])
    notifications.tell(batch)


def raise_if_failed(batch: OperationBatch) -> OperationBatch:
    """For forms and programs: the batch, or Conflict with the reason of what failed."""
    if batch.status == OperationBatch.Status.FAILED:
        raise Conflict(failure_of(batch.operations.all()))
    return batch


def insert(operations: Sequence[Operation]) -> None:
    """Stores new operations with their values.

    They may name others of them that come later: foreign keys are checked at the end.
    """
    Operation.objects.bulk_create(operations)
    OperationPayload.objects.bulk_create([item.payload for item in operations])
