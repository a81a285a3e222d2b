"""Correcting what was done, and taking up what failed: new changes that name the old ones."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from functools import partial

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.operations import news
from chat.operations.changes import Actor, Cause, Change, Create, Delete, Update, Values
from chat.operations.execute import do, execute, raise_if_failed, step_of
from chat.operations.models import Operation, OperationBatch
from chat.operations.registry import Plain
from chat.operations.rows import Rows
from chat.operations.steps import Step, refuse_closed
from futura.errors import BadInput, Conflict, NotFound

Type, Status, State = Operation.Type, Operation.Status, OperationBatch.Status


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
    found = Operation.objects.select_related("batch__session").filter(
        pk=operation_id, batch__owner_id=actor.owner_id
    )
    operation = found.first()
    if operation is None:
        raise NotFound
    if operation.type == Type.DELETE:
        raise BadInput(_("What was deleted can be brought back, but not edited."))
    if operation.status != Status.COMPLETED:
        raise Conflict(_("This does not stand any more, so there is nothing to edit."))
    with transaction.atomic():
        rows = Rows(actor.owner_id)
        rows.lock([(operation.entity, operation.entity_id)])
        refuse_closed(rows)
        made = execute(
            actor=actor,
            changes=[Update(operation.entity, operation.entity_id, values, version=version)],
            cause=Cause(session=operation.batch.session, message=operation.batch.message),
            title=title,
            amends=operation,
        )
        return raise_if_failed(made)


def try_again(
    *,
    actor: Actor,
    batch_id: uuid.UUID,
    values: Mapping[uuid.UUID, Values] | None = None,
    title: str = "",
) -> OperationBatch:
    """Does what failed in a batch, and what was left after it, in a new batch that names it.

    `values` replaces some of what the operation asked for. What was left pending is closed.
    Raises NotFound, BadInput, and Conflict when nothing is left to do or somebody was faster.
    """
    with transaction.atomic():
        batches = OperationBatch.objects.select_for_update(of=("self",))
        batch = batches.select_related("session").filter(pk=batch_id, owner_id=actor.owner_id)
        old = batch.first()
        if old is None:
            raise NotFound
        rest = _rest(old)
        steps = [_anew(one, (values or {}).get(one.pk, {})) for one in rest]
        cause = Cause(session=old.session, message=old.message)
        made = do(steps, actor=actor, cause=cause, title=title, is_atomic=old.is_atomic, amends=old)
        _close(old, rest)
    return made


def _rest(batch: OperationBatch) -> Sequence[Operation]:
    if batch.status != State.FAILED:
        raise Conflict(_("Nothing is left to do here."))
    left = batch.operations.filter(
        Q(status=Status.PENDING) | Q(status=Status.FAILED, amended_by__isnull=True)
    )
    rest = list(left.select_related("payload"))
    if not rest:
        raise Conflict(_("Nothing is left to do here."))
    if any(one.payload.erased_at for one in rest):
        raise Conflict(_("Its values were erased; it cannot be done again."))
    return rest


def _anew(operation: Operation, values: Values) -> Step:
    asked: Plain = {**(operation.payload.requested or {}), **values}
    change: Change
    match operation.type:
        case Type.CREATE:
            change = Create(operation.entity, asked, id=operation.entity_id)
        case Type.UPDATE:
            change = Update(operation.entity, operation.entity_id, asked)
        case _:
            change = Delete(operation.entity, operation.entity_id)
    step = step_of(change)
    step.operation.amends = operation
    return step


def _close(batch: OperationBatch, rest: Sequence[Operation]) -> None:
    waiting = [one.pk for one in rest if one.status == Status.PENDING]
    Operation.objects.filter(pk__in=waiting).update(status=Status.REJECTED)
    batch.finished_at = timezone.now()
    batch.save(update_fields=["finished_at"])
    transaction.on_commit(partial(news.tell, batch))
