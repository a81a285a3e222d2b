"""Writes how a task is worded; new words mean new groups and a new look into the catalogue."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.utils.translation import gettext as _

from chat.operations.changes import Actor, Cause, Change, Kind
from chat.operations.execute import execute
from chat.operations.models import Operation, OperationBatch
from futura.limits import TASK_STATEMENT_CHARS, required_text
from tasks import activities, changes
from tasks.actions.editing import Desk, editing, living_task
from tasks.models import SurveyResponse, WorkTask
from tasks.queries import match_or_none

WORDED = ("statement", "english", *activities.FIELDS)


def edit_statement(
    *,
    response: SurveyResponse,
    task_id: uuid.UUID,
    statement: object,
    version: int | None = None,
    actor: Actor | None = None,
) -> WorkTask:
    """Changes the statement and looks for its match again; the same words change nothing."""
    with editing(response, _("Edited a task"), actor) as desk:
        task = living_task(desk.response, task_id, version=version)
        reword(desk, task, statement)
        return task


def reword(desk: Desk, task: WorkTask, statement: object) -> bool:
    """New words for a task; False when they are the old ones. Its match is looked up again."""
    text = " ".join(required_text(statement, limit=TASK_STATEMENT_CHARS, field="statement").split())
    if text == task.statement:
        return False
    task.statement, task.english = text, ""
    activities.code([task], desk.response.occupation_code)
    desk.put(task, *WORDED)
    desk.match(task, changes.WAITING)
    return True


def follow_wording(batch: OperationBatch, operations: Sequence[Operation]) -> None:
    """Groups, and a new match, for tasks whose words changed in a batch that left the match out.

    That is how a single undo or correction among the changes may leave them. `operations` are
    those of the batch that changed statements; the English of one that left it out is of the words
    before.
    """
    task_ids = [one.entity_id for one in operations]
    if not task_ids:
        return
    outdated = {one.entity_id for one in operations if "english" not in one.changed_fields}
    followed = Operation.objects.filter(batch=batch, entity=changes.MATCH)
    followed = followed.exclude(changed_fields=[])
    known = set(followed.values_list("entity_id", flat=True))
    living = WorkTask.objects.filter(pk__in=task_ids, deleted_at=None)
    tasks = living.select_related("match", "response")
    wanted: list[Change] = []
    for task in tasks:
        match = match_or_none(task)
        if match is not None and match.pk not in known:
            if task.pk in outdated and batch.amends_id:
                task.english = ""
            activities.code([task], task.response.occupation_code)
            wanted.append(changes.put(task, *WORDED[1:]))
            wanted.append(changes.match_put(match, changes.WAITING))
    if wanted:
        execute(
            actor=Actor(batch.owner_id, kind=Kind.SYSTEM),
            changes=wanted,
            cause=Cause(session=batch.session),
            title=_("Followed the new words"),
        )
