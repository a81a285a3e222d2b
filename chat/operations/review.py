"""What a person decides: changes are approved, rejected, revised, amended, tried again."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from chat.operations import cascade, notifications, serialization
from chat.operations.changes import Actor, Cause, Change, Update, Values
from chat.operations.execute import (
    close,
    execute,
    executed_before,
    insert,
    new_batch,
    operation_of,
    raise_if_failed,
    store,
)
from chat.operations.models import Operation, OperationBatch, OperationPayload
from chat.operations.registry import operable
from chat.operations.rows import Rows
from chat.operations.steps import (
    digest_of,
    do_all,
    open_ledger,
    refuse_closed,
)
from futura.errors import BadInput, Conflict
from futura.rows import only

Type, Status, State = Operation.Type, Operation.Status, OperationBatch.Status
_OUTCOME: Final = (
    *("status", "error", "base_version", "result_version", "changed_fields"),
    *("executed_at", "duration_ms"),
)


def propose(
    *,
    actor: Actor,
    changes: Sequence[Change],
    reasons: Sequence[str],
    cause: Cause | None = None,
    title: str = "",
    is_atomic: bool = False,
) -> OperationBatch:
    """Records changes that wait for review, and why; nothing is changed.

    An update or deletion is bound to the version that stands now, so that a row changed before
    the approval is a conflict. Raises BadInput, NotFound.
    """
    cause = cause or Cause()
    with transaction.atomic():
        existing = executed_before(cause)
        if existing is not None:
            return existing
        operations = proposed(changes, Rows(actor.owner_id))
        batch = new_batch(actor, cause, title=title, is_atomic=is_atomic)
        batch.status = State.REVIEW
        batch.review_reasons = list(reasons)
        store(batch, operations)
    return batch


def cause_of(batch: OperationBatch) -> Cause:
    """For what a person does about a batch: the conversation it belongs to."""
    return Cause(session=batch.session)


def proposed(changes: Sequence[Change], rows: Rows) -> list[Operation]:
    """The changes as operations that wait, bound to the rows as they stand.

    Raises BadInput, NotFound.
    """
    operations = [operation_of(change) for change in changes]
    rows.lock(operation.key for operation in operations)
    for operation in operations:
        _show(operation, rows)
    return operations


def _show(operation: Operation, rows: Rows) -> None:
    """Notes what a pending change would replace."""
    if operation.type == Type.CREATE:
        return
    row = rows.alive(operation.key)
    operation.base_version = row.version
    names = operation.payload.requested if operation.type == Type.UPDATE else None
    operation.payload.before = serialization.read(operable(operation.entity), row, names)


def approve(
    *, actor: Actor, batch_id: uuid.UUID, digests: Mapping[uuid.UUID, str]
) -> OperationBatch:
    """Executes the pending operations named, each bound to the digest of what was shown.

    Raises NotFound, Conflict when one was decided or revised meanwhile, and Outgrown when a
    deletion would take along other things than `cascade.display_digest` was told.
    """
    with transaction.atomic():
        open_ledger()
        batch = _waiting(actor, batch_id)
        operations = _pending(batch, digests)
        rows = Rows(batch.owner_id)
        rows.lock(operation.key for operation in operations)
        _check_shown(operations, rows, digests)
        bound = {operation.pk: operation.base_version for operation in operations}
        _follow_own(batch, operations, rows)
        done = do_all(operations, rows, is_atomic=batch.is_atomic)
        for operation in operations:
            if operation.status != Status.COMPLETED:
                operation.base_version = bound[operation.pk]
        _save(batch, operations, done)
        _settle(batch)
        notifications.tell_features(done)
    return batch


class Outgrown(Conflict):
    """By now other things hang on what an approved deletion would take away."""


def _check_shown(
    operations: Sequence[Operation], rows: Rows, digests: Mapping[uuid.UUID, str]
) -> None:
    """Raises Conflict unless this is what was shown; what deletions take along is locked."""
    rows.lock_below(item.key for item in operations if item.type == Type.DELETE)
    displayed = cascade.display_digests(operations)
    different = [item for item in operations if displayed[item.pk] != digests[item.pk]]
    if any(item.type != Type.DELETE for item in different):
        raise Conflict
    if different:
        raise Outgrown(_("Other items would now be affected. Review the change again."))


def _follow_own(batch: OperationBatch, operations: Sequence[Operation], rows: Rows) -> None:
    """A row that only this batch has changed since the proposal is as it was shown.

    Its later operations are then bound to the row as the earlier ones leave it.
    """
    done = batch.operations.filter(status=Status.COMPLETED, result_version__isnull=False)
    own = list(done)
    for operation in operations:
        row, base = rows.get(operation.key), operation.base_version
        if row is None or base is None:
            continue
        since = [
            item for item in own if item.key == operation.key and (item.result_version or 0) > base
        ]
        if row.version == base + len(since):
            operation.base_version = None


def reject(
    *, actor: Actor, batch_id: uuid.UUID, operation_ids: Sequence[uuid.UUID]
) -> OperationBatch:
    """Lets pending operations drop. Raises NotFound, Conflict."""
    with transaction.atomic():
        batch = _waiting(actor, batch_id)
        pending = batch.operations.filter(pk__in=operation_ids, status=Status.PENDING)
        if pending.update(status=Status.REJECTED) != len(set(operation_ids)):
            raise Conflict
        _settle(batch)
    return batch


def revise(*, actor: Actor, operation_id: uuid.UUID, values: Values) -> Operation:
    """Changes what a pending operation asks for; an approval of the former wording is void.

    Raises NotFound, BadInput, Conflict when it was decided meanwhile.
    """
    with transaction.atomic():
        operation = _own(actor, operation_id)
        batch = _waiting(actor, operation.batch_id)
        operation = _pending(batch, {operation.pk: ""})[0]
        entity_type = operable(operation.entity)
        requested = serialization.cleaned(
            entity_type, {**(operation.payload.requested or {}), **values}
        )
        is_update = operation.type == Type.UPDATE
        row = Rows(actor.owner_id).alive(operation.key) if is_update else entity_type.model()
        requested = serialization.cleaned(
            entity_type, {**requested, **entity_type.edited(row, requested)}
        )
        operation.payload.requested = requested
        if is_update:
            _show(operation, Rows(actor.owner_id))
            operation.save(update_fields=["base_version"])
        operation.payload.digest = digest_of(operation.type, *operation.key, requested)
        operation.payload.save(update_fields=["requested", "before", "digest"])
        notifications.tell(batch)
    return operation


def amend(
    *,
    actor: Actor,
    operation_id: uuid.UUID,
    values: Values,
    version: int | None = None,
    title: str = "",
) -> OperationBatch:
    """Corrects an executed operation by an update of its row, linked to it.

    With `version`, a row that has moved on since is a conflict. Raises NotFound, BadInput, and
    Conflict for that and for an operation that does not stand; then nothing is recorded.
    """
    operation = _own(actor, operation_id)
    if operation.type == Type.DELETE:
        raise BadInput(_("A deletion can be undone, but not edited."))
    if operation.status != Status.COMPLETED:
        raise Conflict(_("This change is no longer in effect, so it cannot be edited."))
    with transaction.atomic():
        rows = Rows(actor.owner_id)
        rows.lock([operation.key])
        refuse_closed(rows)
        entity_type, row = operable(operation.entity), rows.alive(operation.key)
        update = Update(*operation.key, entity_type.edited(row, dict(values)), version=version)
        created = execute(
            actor=actor,
            changes=entity_type.entailed(row, update),
            cause=Cause(session=operation.batch.session, message=operation.batch.message),
            title=title,
            amends=operation,
        )
        return raise_if_failed(created)


def _own(actor: Actor, operation_id: uuid.UUID) -> Operation:
    own = Operation.objects.select_related("batch__session").filter(batch__owner_id=actor.owner_id)
    return only(own.filter(pk=operation_id))


def _waiting(actor: Actor, batch_id: uuid.UUID) -> OperationBatch:
    batches = OperationBatch.objects.select_for_update()
    batch = only(batches.filter(pk=batch_id, owner_id=actor.owner_id))
    if batch.status != State.REVIEW:
        raise Conflict(_("This was already approved or rejected."))
    return batch


def _pending(batch: OperationBatch, digests: Mapping[uuid.UUID, str]) -> list[Operation]:
    waiting = batch.operations.filter(pk__in=digests, status=Status.PENDING)
    operations = list(waiting.select_related("payload"))
    if len(operations) != len(digests):
        raise Conflict(_("This was already approved or rejected."))
    return operations


def _save(
    batch: OperationBatch, operations: Sequence[Operation], done: Sequence[Operation]
) -> None:
    """Stores how known operations went, and what deletions took along."""
    # values first: they are facts from the moment their operation counts as executed
    payloads = [item.payload for item in operations]
    OperationPayload.objects.bulk_update(payloads, ["before", "after"])
    Operation.objects.bulk_update(operations, _OUTCOME)
    existing = {item.pk for item in operations}
    along = [item for item in done if item.pk not in existing]
    for number, operation in enumerate(along, start=batch.operations.count() + 1):
        operation.batch, operation.sequence = batch, number
    insert(along)


def _settle(batch: OperationBatch) -> None:
    """Ends a batch with nothing pending any more."""
    states = set(batch.operations.values_list("status", flat=True))
    if Status.PENDING in states:
        notifications.tell(batch)
        return
    failed, stands = Status.FAILED in states, Status.COMPLETED in states
    close(batch, State.FAILED if failed else State.COMPLETED if stands else State.REJECTED)
