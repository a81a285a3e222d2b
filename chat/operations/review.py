"""What a person decides: changes are approved, rejected, revised, amended, tried again."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.operations import cascade, notifications, serialization
from chat.operations.changes import Actor, Cause, Change, Update, Values
from chat.operations.execute import (
    execute,
    executed_before,
    insert_together,
    new_batch,
    raise_if_failed,
    record,
    step_of,
    store,
)
from chat.operations.models import Operation, OperationBatch, OperationPayload
from chat.operations.registry import operable
from chat.operations.rows import Rows
from chat.operations.steps import (
    Step,
    digest_of,
    do_all,
    new_step,
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
    steps = [step_of(change) for change in changes]
    cause = cause or Cause()
    with transaction.atomic():
        existing = executed_before(cause)
        if existing is not None:
            return existing
        rows = Rows(actor.owner_id)
        rows.lock(step.key for step in steps)
        for step in steps:
            show(step, rows)
        batch = new_batch(actor, cause, title=title, is_atomic=is_atomic)
        batch.status = State.REVIEW
        batch.review_reasons = list(reasons)
        store(batch, steps)
    return batch


def cause_of(batch: OperationBatch) -> Cause:
    """For what a person does about a batch: the conversation it belongs to."""
    return Cause(session=batch.session)


def show(step: Step, rows: Rows) -> None:
    """Notes what a pending change would replace."""
    if step.operation.type == Type.CREATE:
        return
    row = rows.alive(step.key)
    step.operation.base_version = row.version
    names = step.payload.requested if step.operation.type == Type.UPDATE else None
    step.payload.before = serialization.read(operable(step.operation.entity), row, names)


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
        steps = _pending(batch, digests)
        rows = Rows(batch.owner_id)
        rows.lock(step.key for step in steps)
        _check_shown(steps, rows, digests)
        bound = {step.operation.pk: step.operation.base_version for step in steps}
        _follow_own(batch, steps, rows)
        done = do_all(steps, rows, is_atomic=batch.is_atomic)
        for step in steps:
            if step.operation.status != Status.COMPLETED:
                step.operation.base_version = bound[step.operation.pk]
        _save(batch, steps, done)
        _settle(batch)
        notifications.tell_features(step.operation for step in done)
    return batch


class Outgrown(Conflict):
    """By now other things hang on what an approved deletion would take away."""


def _check_shown(steps: Sequence[Step], rows: Rows, digests: Mapping[uuid.UUID, str]) -> None:
    """Raises Conflict unless this is what was shown; what deletions take along is locked."""
    rows.lock_below([step.key for step in steps if step.operation.type == Type.DELETE])
    displayed = cascade.display_digests([step.operation for step in steps])
    different = [
        step for step in steps if displayed[step.operation.pk] != digests[step.operation.pk]
    ]
    if different:
        deletes = [step for step in different if step.operation.type == Type.DELETE]
        if len(deletes) < len(different):
            raise Conflict
        raise Outgrown(_("Other items would now be affected. Review the change again."))


def _follow_own(batch: OperationBatch, steps: Sequence[Step], rows: Rows) -> None:
    """A row that only this batch has changed since the proposal is as it was shown.

    Its later operations are then bound to the row as the earlier ones leave it.
    """
    done = batch.operations.filter(status=Status.COMPLETED, result_version__isnull=False)
    own = [(item.entity, item.entity_id, item.result_version) for item in done]
    for step in steps:
        row, base = rows.get(step.key), step.operation.base_version
        if row is None or base is None:
            continue
        created = sum(
            1 for *key, version in own if tuple(key) == step.key and (version or 0) > base
        )
        if row.version == base + created:
            step.operation.base_version = None


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
        step = _pending(batch, {operation.pk: ""})[0]
        of = operable(operation.entity)
        requested = serialization.cleaned(of, {**(step.payload.requested or {}), **values})
        step.payload.requested = requested
        if operation.type == Type.UPDATE:
            show(step, Rows(actor.owner_id))
            step.operation.save(update_fields=["base_version"])
        step.payload.digest = digest_of(
            operation.type, operation.entity, operation.entity_id, requested
        )
        step.payload.save(update_fields=["requested", "before", "digest"])
        transaction.on_commit(partial(notifications.tell, batch))
    return step.operation


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
        rows.lock([(operation.entity, operation.entity_id)])
        refuse_closed(rows)
        created = execute(
            actor=actor,
            changes=[Update(operation.entity, operation.entity_id, values, version=version)],
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


def _pending(batch: OperationBatch, digests: Mapping[uuid.UUID, str]) -> list[Step]:
    operations = batch.operations.filter(pk__in=digests, status=Status.PENDING)
    steps = [
        Step(operation, operation.payload) for operation in operations.select_related("payload")
    ]
    if len(steps) != len(digests):
        raise Conflict(_("This was already approved or rejected."))
    return steps


def _save(batch: OperationBatch, steps: Sequence[Step], done: Sequence[Step]) -> None:
    """Stores how known steps went, and what deletions took along."""
    # values first: they are facts from the moment their operation counts as executed
    payloads, operations = [step.payload for step in steps], [step.operation for step in steps]
    OperationPayload.objects.bulk_update(payloads, ["before", "after"])
    Operation.objects.bulk_update(operations, _OUTCOME)
    existing = {step.operation.pk for step in steps}
    cascade = [step for step in done if step.operation.pk not in existing]
    for number, step in enumerate(cascade, start=batch.operations.count() + 1):
        step.operation.batch, step.operation.sequence = batch, number
    insert_together([step.operation for step in cascade], [step.payload for step in cascade])


def _settle(batch: OperationBatch) -> None:
    """Ends a batch with nothing pending any more."""
    states = set(batch.operations.values_list("status", flat=True))
    if Status.PENDING not in states:
        failed, stands = Status.FAILED in states, Status.COMPLETED in states
        batch.status = State.FAILED if failed else State.COMPLETED if stands else State.REJECTED
        batch.finished_at = timezone.now()
        batch.save(update_fields=["status", "finished_at"])
    transaction.on_commit(partial(notifications.tell, batch))


def try_again(*, actor: Actor, batch_id: uuid.UUID, title: str = "") -> OperationBatch:
    """Does what failed in a batch, and what was left after it, in a new batch that names it.

    What was left pending is closed. Raises NotFound, and Conflict when nothing is left to do or
    somebody was faster.
    """
    with transaction.atomic():
        open_ledger()
        batches = OperationBatch.objects.select_for_update(of=("self",))
        own = batches.select_related("session").filter(pk=batch_id, owner_id=actor.owner_id)
        failed = only(own)
        remaining = _remaining(failed)
        steps = [
            new_step(item.type, item.entity, item.entity_id, item.payload.requested, amends=item)
            for item in remaining
        ]
        cause = Cause(session=failed.session, message=failed.message)
        batch = new_batch(actor, cause, title=title, is_atomic=failed.is_atomic)
        batch.amends = failed
        record(batch, steps, do_all(steps, Rows(actor.owner_id), is_atomic=failed.is_atomic))
        _close_remaining(failed, remaining)
    return batch


def _remaining(batch: OperationBatch) -> list[Operation]:
    """What failed and was not taken up yet, and what was left, in order. Raises Conflict."""
    is_left = Q(status=Status.PENDING) | Q(status=Status.FAILED, amended_by=None)
    remaining = list(batch.operations.filter(is_left).select_related("payload"))
    if batch.status != OperationBatch.Status.FAILED or not remaining:
        raise Conflict(_("There is nothing left to try again."))
    if any(operation.payload.erased_at for operation in remaining):
        raise Conflict(_("It cannot be redone: its values were permanently deleted."))
    return remaining


def _close_remaining(batch: OperationBatch, remaining: list[Operation]) -> None:
    waiting = [row.pk for row in remaining if row.status == Status.PENDING]
    Operation.objects.filter(pk__in=waiting).update(status=Status.REJECTED)
    batch.finished_at = timezone.now()
    batch.save(update_fields=["finished_at"])
    transaction.on_commit(partial(notifications.tell, batch))
