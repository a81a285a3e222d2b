"""Takes back what was done to a list: the last batch undone or redone, a deleted task put back."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from decimal import Decimal

from django.db import transaction
from django.utils.translation import gettext as _

from chat.commands.base import Scope
from chat.operations.changes import Cause
from chat.operations.models import Operation, OperationBatch
from chat.operations.queries import standing
from chat.operations.undo import UndoConflict, undo
from futura.errors import Conflict
from tasks import changes
from tasks.commands.base import TaskList, list_of
from tasks.models import WorkTask


def undo_batch(
    scope: Scope, survey_id: uuid.UUID, batch: OperationBatch, *, reason: str = ""
) -> OperationBatch:
    """Undoes what stands of a batch; undoing what this returns does it again.

    Raises UndoConflict when some of it was changed since, Conflict when nothing stands.
    """
    with transaction.atomic():
        tasks = list_of(scope, survey_id)
        operations = standing(batch)
        if not operations:
            raise Conflict(_("There is nothing left to undo."))
        return _undo(scope, tasks, operations, reason=reason)


def restore_task(scope: Scope, survey_id: uuid.UUID, task_id: uuid.UUID) -> None:
    """Puts a deleted task back in its place; one that was merged away leaves the other again.

    Its match comes back with it. Twice changes nothing. Raises NotInScope, Rejected.
    """
    with transaction.atomic():
        tasks = list_of(scope, survey_id)
        task = tasks.any_task(task_id)
        if task.deleted_at is None:
            return
        deletion = _deletion_of(task)
        others = tasks.response.tasks.exclude(pk=task.pk)
        survivors = [
            other
            for other in others
            if any(entry.get("task_id") == str(task.pk) for entry in other.merged_from)
        ]
        if not survivors:
            _undo(scope, tasks, [deletion])
        elif not _undo_merge(scope, tasks, deletion):
            _undo(scope, tasks, [deletion])
            _take_out(scope, tasks, survivors, task)


def _deletion_of(task: WorkTask) -> Operation:
    deletions = Operation.objects.filter(
        entity=changes.TASK,
        entity_id=task.pk,
        type=Operation.Type.DELETE,
        status=Operation.Status.COMPLETED,
    )
    return deletions.select_related("batch").latest("result_version")


def _undo(
    scope: Scope, tasks: TaskList, operations: Sequence[Operation], *, reason: str = ""
) -> OperationBatch:
    is_redo = all(operation.undoes_id for operation in operations)
    return undo(
        actor=scope.actor,
        operations=operations,
        cause=Cause(session=tasks.response.session, reason=reason),
        title=_("Redid changes") if is_redo else _("Undid changes"),
    )


def _undo_merge(scope: Scope, tasks: TaskList, deletion: Operation) -> bool:
    """Undoes the merge that a task went in; False when others went along, or it was changed since.

    Then only the task comes back, and the other one forgets it.
    """
    operations = standing(deletion.batch)
    deleted = [
        operation
        for operation in operations
        if operation.entity == changes.TASK and operation.type == Operation.Type.DELETE
    ]
    if len(deleted) != 1:
        return False
    try:
        _undo(scope, tasks, operations)
    except UndoConflict:
        return False
    return True


def _take_out(scope: Scope, tasks: TaskList, survivors: Sequence[WorkTask], task: WorkTask) -> None:
    """The survivor of a merge forgets the task and gives its time back."""
    for survivor in survivors:
        survivor.merged_from = [
            entry for entry in survivor.merged_from if entry.get("task_id") != str(task.pk)
        ]
        if survivor.time_share is not None and task.time_share is not None:
            survivor.time_share = max(Decimal(0), survivor.time_share - task.time_share)
        tasks.update(survivor, "merged_from", "time_share")
    changes.perform(
        tasks.response,
        tasks.changes,
        actor=scope.actor,
        title=_("Separated a merged task"),
    )
