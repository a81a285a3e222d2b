"""Writes several to-dos in one gesture, and puts one in its place among all of a person's."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Callable, Sequence

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.operations.changes import Actor, Change, Update
from chat.operations.models import OperationBatch
from futura.errors import BadInput
from projects import changes
from projects.actions.writing import perform
from projects.changes.dependants import freed_of
from projects.models import Project, Task

AT_ONCE = 200  # to-dos that one gesture may change


def reschedule_tasks(*, actor: Actor, tasks: Sequence[Task], due: dt.date | None) -> OperationBatch:
    """Another day for each; the time of day stays, the start never comes after. Raises BadInput."""

    def moved(task: Task) -> Change:
        values: dict[str, object] = {"due_date": due}
        if due and task.start_date and task.start_date > due:
            values["start_date"] = due
        return changes.task_edited(task, values)

    n = len(tasks)
    title = ngettext("Rescheduled a to-do", "Rescheduled %(n)d to-dos", n) % {"n": n}
    return _each(actor, tasks, moved, title)


def set_tasks_status(*, actor: Actor, tasks: Sequence[Task], status: str) -> OperationBatch:
    """The same status for each. Raises BadInput."""
    n = len(tasks)
    titles = {
        Task.Status.COMPLETED: ngettext("Completed a to-do", "Completed %(n)d to-dos", n),
        Task.Status.DROPPED: ngettext("Dropped a to-do", "Dropped %(n)d to-dos", n),
    }
    otherwise = ngettext("Changed the status of a to-do", "Changed the status of %(n)d to-dos", n)
    title = titles.get(status, otherwise) % {"n": n}  # type: ignore[call-overload]
    return _each(actor, tasks, lambda task: changes.task_status(task, status), title)


def set_tasks_priority(*, actor: Actor, tasks: Sequence[Task], priority: str) -> OperationBatch:
    """The same priority for each. Raises BadInput."""
    n = len(tasks)
    title = ngettext("Changed the priority of a to-do", "Changed the priority of %(n)d to-dos", n)
    return _each(
        actor,
        tasks,
        lambda task: changes.task_edited(task, {"priority": priority}),
        title % {"n": n},
    )


def move_tasks(*, actor: Actor, tasks: Sequence[Task], project: Project | None) -> OperationBatch:
    """Into a project, behind what is there, or out of all; what lay in the inbox is sorted then.

    Raises BadInput for a project of somebody else.
    """
    _must_own(actor, [project] if project else [])
    last = changes.next_position(project)
    places = {task.pk: last + n for n, task in enumerate(tasks)}

    def moved(task: Task) -> Change:
        values: dict[str, object] = {"project": str(project.pk) if project else None}
        if project is not None:
            values["position"] = places[task.pk]
            if task.status == Task.Status.INBOX:
                values["status"] = Task.Status.AVAILABLE
        return changes.task_edited(task, values)

    n = len(tasks)
    title = ngettext("Moved a to-do", "Moved %(n)d to-dos", n) % {"n": n}
    return _each(actor, tasks, moved, title)


def delete_tasks(*, actor: Actor, tasks: Sequence[Task]) -> OperationBatch:
    """Takes them away; undo brings them back, and those that waited for them wait again."""
    n = len(tasks)
    title = ngettext("Deleted a to-do", "Deleted %(n)d to-dos", n) % {"n": n}
    return _each(actor, tasks, changes.task_deleted, title, first=freed_of(tasks))


def place_task(
    *, actor: Actor, task: Task, before: uuid.UUID | None, among: Sequence[Task]
) -> OperationBatch:
    """Puts a to-do before another one of a list (None: last), moving as few others as possible.

    `among` is that list in its order, without gaps in what the person sees. Raises BadInput when
    the other is not in it.
    """
    order = [one for one in among if one.pk != task.pk]
    at = next((n for n, one in enumerate(order) if one.pk == before), None)
    if before is not None and at is None:
        raise BadInput(_("That place is not in this list."), field="before")
    order.insert(len(order) if at is None else at, task)
    updates = renumbered(order, order.index(task))
    return perform(updates, actor=actor, title=_("Moved a to-do"))


def renumbered(order: Sequence[Task], at: int) -> list[Change]:
    """Positions that rise along the list: those before `at` stay where they rise already."""
    told: list[Change] = []
    last = order[at - 1].position if at else -1
    for n, one in enumerate(order[at:]):
        following = order[at + 1].position if n == 0 and at + 1 < len(order) else None
        if n == 0:
            place = (last + following) // 2 if following and following > last + 1 else last + 1
        elif one.position > last:
            break
        else:
            place = last + 1
        if one.position != place:
            told.append(Update("task", one.pk, {"position": place}))
        last = place
    return told


def _each(
    actor: Actor,
    tasks: Sequence[Task],
    change: Callable[[Task], Change],
    title: str,
    *,
    first: Sequence[Change] = (),
) -> OperationBatch:
    _must_own(actor, tasks)
    if not tasks:
        raise BadInput(_("Choose at least one to-do."), field="chosen")
    if len(tasks) > AT_ONCE:
        raise BadInput(_("At most %(n)d at once, please.") % {"n": AT_ONCE}, field="chosen")
    with transaction.atomic():
        return perform([*first, *map(change, tasks)], actor=actor, title=title)


def _must_own(actor: Actor, rows: Sequence[Project | Task]) -> None:
    if any(row.owner_id != actor.owner_id for row in rows):
        raise BadInput(_("These belong to different accounts; change them one by one."))
