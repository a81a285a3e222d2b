"""Taking back what one answer changed, before the same message is answered anew."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.models import Run
from chat.operations import news
from chat.operations.changes import Actor, Cause
from chat.operations.models import Operation, OperationBatch
from chat.operations.undo import UndoConflict, undo
from futura.errors import Conflict

Status, State = Operation.Status, OperationBatch.Status


def take_back(run: Run) -> OperationBatch | None:
    """Undoes everything that a run did and lets drop what it left waiting.

    Must run in a transaction. Raises Conflict when some of it was changed since: that has to be
    decided among the changes first. Returns the undo; None when nothing stood.
    """
    runs = _went_on_from(run)
    batches = list(OperationBatch.objects.select_for_update().filter(run__in=runs))
    for batch in batches:
        _let_drop(batch)
    done = Operation.objects.filter(batch__in=batches, status=Status.COMPLETED, because_of=None)
    # what the answer itself took back is gone already
    standing = [one for one in done.select_related("undoes") if not _is_own_undo(one, batches)]
    if not standing:
        return None
    owner_id = batches[0].owner_id
    try:
        return undo(
            actor=Actor(owner_id, user_id=run.session.participant.user_id),
            operations=standing,
            cause=Cause(session=run.session),
            title=_("Undone for a new reply"),
        )
    except UndoConflict:
        raise Conflict(
            _("Some changes made by this reply were edited later. Undo them under Changes first.")
        ) from None


def _went_on_from(run: Run) -> list[Run]:
    """The run, and those whose broken-off answer it went on with."""
    runs = [run]
    while (before := runs[-1].retry_of) is not None and runs[-1].cause == Run.Cause.CONTINUE:
        runs.append(before)
    return runs


def _is_own_undo(operation: Operation, batches: Sequence[OperationBatch]) -> bool:
    undone = operation.undoes
    return undone is not None and any(one.pk == undone.batch_id for one in batches)


def _let_drop(batch: OperationBatch) -> None:
    waiting = batch.operations.filter(status=Status.PENDING)
    if waiting.update(status=Status.REJECTED) and batch.status == State.REVIEW:
        stands = batch.operations.filter(status=Status.COMPLETED).exists()
        batch.status = State.COMPLETED if stands else State.REJECTED
        batch.finished_at = timezone.now()
        batch.save(update_fields=["status", "finished_at"])
        transaction.on_commit(partial(news.tell, batch))
