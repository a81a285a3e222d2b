"""Taking up what failed: a new batch does it and what was left after it once more."""

from __future__ import annotations

import uuid
from functools import partial

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.operations import news
from chat.operations.changes import Actor, Cause, Change, Create, Delete, Update
from chat.operations.execute import new_batch, record, step_of
from chat.operations.models import Operation, OperationBatch
from chat.operations.rows import Rows
from chat.operations.steps import Step, do_all, open_ledger
from futura.errors import Conflict, NotFound

Type, Status = Operation.Type, Operation.Status


def try_again(*, actor: Actor, batch_id: uuid.UUID, title: str = "") -> OperationBatch:
    """Does what failed in a batch, and what was left after it, in a new batch that names it.

    What was left pending is closed. Raises NotFound, and Conflict when nothing is left to do or
    somebody was faster.
    """
    with transaction.atomic():
        open_ledger()
        batches = OperationBatch.objects.select_for_update(of=("self",))
        own = batches.select_related("session").filter(pk=batch_id, owner_id=actor.owner_id)
        failed = own.first()
        if failed is None:
            raise NotFound
        remaining = _remaining(failed)
        steps = [_anew(operation) for operation in remaining]
        cause = Cause(session=failed.session, message=failed.message)
        batch = new_batch(actor, cause, title=title, is_atomic=failed.is_atomic)
        batch.amends = failed
        record(batch, steps, do_all(steps, Rows(actor.owner_id), is_atomic=failed.is_atomic))
        _close(failed, remaining)
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


def _anew(operation: Operation) -> Step:
    entity, key = operation.entity, operation.entity_id
    values = operation.payload.requested or {}
    change: Change
    match operation.type:
        case Type.CREATE:
            change = Create(entity, values, id=key)
        case Type.UPDATE:
            change = Update(entity, key, values)
        case _:
            change = Delete(entity, key)
    step = step_of(change)
    step.operation.amends = operation
    return step


def _close(batch: OperationBatch, remaining: list[Operation]) -> None:
    waiting = [row.pk for row in remaining if row.status == Status.PENDING]
    Operation.objects.filter(pk__in=waiting).update(status=Status.REJECTED)
    batch.finished_at = timezone.now()
    batch.save(update_fields=["finished_at"])
    transaction.on_commit(partial(news.tell, batch))
