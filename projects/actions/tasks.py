"""Writes to-dos: make, edit, complete, reopen, drop, move, let them wait for each other, delete."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from chat.operations.changes import Actor, Cause, Change, Values
from projects import changes
from projects.actions.writing import Done, perform
from projects.changes.dependants import freed_of
from projects.changes.tasks import Direction
from projects.models import Project, Task


def create_task(
    *, actor: Actor, project: Project | None, values: Values, cause: Cause | None = None
) -> Done[Task]:
    """A to-do at the end of a project, or on its own. Raises BadInput, TooLong."""
    place = changes.next_loose_position(actor.owner_id) if project is None else None
    made = changes.task_created(project, values, position=place)
    batch = perform([made], actor=actor, title=_("Added a to-do"), cause=cause)
    return Done(Task.objects.get(pk=made.id), batch)


def edit_task(
    *,
    actor: Actor,
    task: Task,
    values: Values,
    version: int | None = None,
    cause: Cause | None = None,
) -> Done[Task]:
    """Other values for some fields. Raises BadInput, TooLong, Conflict for a stale version."""
    change = changes.task_edited(task, values, version=version)
    return _done(task, [change], actor, _("Edited a to-do"), cause)


def set_task_status(
    *,
    actor: Actor,
    task: Task,
    status: str,
    version: int | None = None,
    cause: Cause | None = None,
) -> Done[Task]:
    """Any status. Raises BadInput, Conflict."""
    change = changes.task_status(task, status, version=version)
    title = {
        Task.Status.COMPLETED: _("Completed a to-do"),
        Task.Status.DROPPED: _("Dropped a to-do"),
    }.get(Task.Status(change.values["status"]), _("Changed the status of a to-do"))
    return _done(task, [change], actor, title, cause)


def complete_task(*, actor: Actor, task: Task, cause: Cause | None = None) -> Done[Task]:
    """Done, now. Raises Conflict when it is gone."""
    return set_task_status(actor=actor, task=task, status=Task.Status.COMPLETED, cause=cause)


def reopen_task(*, actor: Actor, task: Task, cause: Cause | None = None) -> Done[Task]:
    """Not done after all. Raises Conflict when it is gone."""
    change = changes.task_status(task, Task.Status.AVAILABLE)
    return _done(task, [change], actor, _("Reopened a to-do"), cause)


def drop_task(*, actor: Actor, task: Task, cause: Cause | None = None) -> Done[Task]:
    """Not to be done; it stays in the list of what was dropped."""
    return set_task_status(actor=actor, task=task, status=Task.Status.DROPPED, cause=cause)


def move_task(*, actor: Actor, task: Task, to: Direction, cause: Cause | None = None) -> Done[Task]:
    """Up, down, first or last among the living to-dos of its project. Raises BadInput."""
    same = Task.objects.filter(
        owner_id=task.owner_id, project=task.project, deleted_at=None
    ).order_by("position", "created_at")
    moved = changes.task_moved(task, to, list(same))
    return _done(task, moved, actor, _("Moved a to-do"), cause)


def set_dependencies(
    *,
    actor: Actor,
    task: Task,
    needed: Iterable[uuid.UUID],
    version: int | None = None,
    cause: Cause | None = None,
) -> Done[Task]:
    """What must be done before this one. Raises BadInput for a cycle."""
    return edit_task(
        actor=actor, task=task, values={"depends_on": [*needed]}, version=version, cause=cause
    )


def delete_task(
    *, actor: Actor, task: Task, version: int | None = None, cause: Cause | None = None
) -> Done[Task]:
    """Takes a to-do away; undo brings it back. Raises Conflict."""
    change = changes.task_deleted(task, version=version)
    return _done(task, [*freed_of([task]), change], actor, _("Deleted a to-do"), cause)


def _done(
    task: Task, told: Sequence[Change], actor: Actor, title: str, cause: Cause | None
) -> Done[Task]:
    with transaction.atomic():
        batch = perform(told, actor=actor, title=title, cause=cause)
    return Done(Task.objects.select_related("project").get(pk=task.pk), batch)
