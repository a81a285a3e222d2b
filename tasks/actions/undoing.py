"""Writes what takes gestures back: a deleted task is put back, a batch is undone or redone."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from decimal import Decimal

from django.db import transaction
from django.utils.translation import gettext as _

from chat.operations.changes import Actor, Cause
from chat.operations.models import Operation, OperationBatch
from chat.operations.queries import standing
from chat.operations.undo import UndoConflict, undo
from futura.errors import Conflict
from tasks import changes
from tasks.actions.editing import locked, task_in
from tasks.changes import owner_of, perform
from tasks.models import SurveyResponse, WorkTask


def take_back(
    *, response: SurveyResponse, batch: OperationBatch, actor: Actor | None = None
) -> OperationBatch:
    """Undoes what stands of a gesture; taking back what this returns does it again.

    Raises UndoConflict when some of it was changed since, Conflict when nothing stands.
    """
    with transaction.atomic():
        held = locked(response)
        operations = standing(batch)
        if not operations:
            raise Conflict(_("Nothing of this stands any more."))
        return _undo(held, operations, actor)


def restore_task(
    *, response: SurveyResponse, task_id: uuid.UUID, actor: Actor | None = None
) -> WorkTask:
    """Puts a deleted task back in its place; one that was merged away leaves the other again.

    Its match comes back with it, and is looked up when nobody had. Twice changes nothing.
    """
    with transaction.atomic():
        held = locked(response)
        task = task_in(held, task_id)
        if task.deleted_at is not None:
            deletion = _deletion_of(task)
            survivors = [one for one in held.tasks.exclude(pk=task.pk) if _merged(one, task)]
            if not survivors:
                _undo(held, [deletion], actor)
            elif not _undo_whole(held, deletion, actor):
                _undo(held, [deletion], actor)
                _take_out(held, survivors, task, actor)
        return task_in(held, task_id)


def _deletion_of(task: WorkTask) -> Operation:
    done = Operation.objects.filter(
        entity=changes.TASK,
        entity_id=task.pk,
        type=Operation.Type.DELETE,
        status=Operation.Status.COMPLETED,
    )
    return done.select_related("batch").latest("result_version")


def _undo(
    response: SurveyResponse, operations: Sequence[Operation], actor: Actor | None
) -> OperationBatch:
    redone = all(one.undoes_id for one in operations)
    return undo(
        actor=actor or owner_of(response),
        operations=operations,
        cause=Cause(session=response.session),
        title=_("Did it again") if redone else _("Took it back"),
    )


def _undo_whole(response: SurveyResponse, deletion: Operation, actor: Actor | None) -> bool:
    """Undoes the merge that a task went in; False when others went along, or it was changed since.

    Then only the task comes back, and the other one is told that it is out.
    """
    operations = standing(deletion.batch)
    gone = [one for one in operations if (one.entity, one.type) == _GONE]
    if len(gone) != 1:
        return False
    try:
        _undo(response, operations, actor)
    except UndoConflict:
        return False
    return True


_GONE = (changes.TASK, Operation.Type.DELETE)


def _merged(survivor: WorkTask, task: WorkTask) -> bool:
    return any(one.get("task_id") == str(task.pk) for one in survivor.merged_from)


def _take_out(
    response: SurveyResponse, survivors: Sequence[WorkTask], task: WorkTask, actor: Actor | None
) -> None:
    """The survivor of a merge forgets the task and gives its time back."""
    for one in survivors:
        one.merged_from = [was for was in one.merged_from if was.get("task_id") != str(task.pk)]
        if one.time_share is not None and task.time_share is not None:
            one.time_share = max(Decimal(0), one.time_share - task.time_share)
    perform(
        response,
        [changes.put(one, "merged_from", "time_share") for one in survivors],
        actor=actor or owner_of(response),
        title=_("Took a task out of another"),
    )
