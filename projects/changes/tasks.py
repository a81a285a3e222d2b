"""Changes of to-dos: made, edited, done, dropped, moved, made to wait for each other."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal

from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.operations.changes import Create, Delete, Update, Values
from futura.errors import BadInput
from projects.checks import checked, priority_of, status_of
from projects.models import Project, Task

GAP: Final = 1024  # between to-dos of no project, so that one can be put between two
Direction = Literal["up", "down", "first", "last"]


def task_created(project: Project | None, values: Values, *, position: int | None = None) -> Create:
    """A to-do at the end of its project, or on its own. Raises BadInput, TooLong.

    It is available unless a status is given. `position` saves the look at the last one.
    """
    told = _checked(values)
    told.setdefault("status", Task.Status.AVAILABLE if project else Task.Status.INBOX)
    told |= _completion(told["status"], None)
    told["position"] = next_position(project) if position is None else position
    if project is not None:
        told["project"] = str(project.pk)
    if not told.get("title"):
        raise BadInput(_("Say what is to be done."), field="title")
    return Create("task", told)


def next_position(project: Project | None) -> int:
    """Behind the last to-do of a project; for those of none see `next_loose_position`."""
    if project is None:
        return 0
    last = Task.objects.filter(project=project, deleted_at=None).aggregate(at=Max("position"))
    return (last["at"] or 0) + 1


def next_loose_position(owner_id: uuid.UUID) -> int:
    """Behind the last of a person's to-dos that belong to no project."""
    loose = Task.objects.filter(owner_id=owner_id, project=None, deleted_at=None)
    return (loose.aggregate(at=Max("position"))["at"] or 0) + GAP


def task_edited(task: Task, values: Values, *, version: int | None = None) -> Update:
    """Other values for some fields; a status sets or clears when it was completed.

    Raises BadInput, TooLong.
    """
    told = _checked(values, task)
    if "status" in told:
        told |= _completion(told["status"], task)
    if "depends_on" in told:
        told["depends_on"] = _without_cycle(task, told["depends_on"])
    return Update("task", task.pk, told, version)


def task_status(task: Task, status: str, *, version: int | None = None) -> Update:
    """Another status. Raises BadInput."""
    return task_edited(task, {"status": status}, version=version)


def task_deleted(task: Task, *, version: int | None = None) -> Delete:
    """Takes one to-do away; others that waited for it wait no more."""
    return Delete("task", task.pk, version)


def task_moved(task: Task, to: Direction, among: Sequence[Task]) -> list[Update]:
    """New places for those to-dos whose place changes. `among` is the whole list in its order."""
    order = [one for one in among if one.pk != task.pk]
    at = next((n for n, one in enumerate(among) if one.pk == task.pk), len(order))
    places = {"up": at - 1, "down": at + 1, "first": 0, "last": len(order)}
    if to not in places:
        raise BadInput(_("A to-do moves up or down."), field="to")
    order.insert(min(max(places[to], 0), len(order)), task)
    return [
        Update("task", one.pk, {"position": place})
        for place, one in enumerate(order, start=1)
        if one.position != place
    ]


def dependencies_set(
    task: Task, needed: Iterable[uuid.UUID], *, version: int | None = None
) -> Update:
    """Which to-dos must be done before this one. Raises BadInput for a cycle."""
    return task_edited(task, {"depends_on": [*needed]}, version=version)


def _checked(values: Values, task: Task | None = None) -> dict[str, Any]:
    told = checked(values, row=task, required="title" if task else "")
    if "priority" in told:
        told["priority"] = priority_of(told["priority"])
    if "status" in told:
        told["status"] = status_of(Task, told["status"])
    return told


def _completion(status: str, task: Task | None) -> dict[str, dt.datetime | None]:
    was_done = task is not None and task.status == Task.Status.COMPLETED
    is_done = status == Task.Status.COMPLETED
    if is_done == was_done:
        return {}
    return {"completed_at": timezone.now() if is_done else None}


def _without_cycle(task: Task, needed: Iterable[Any]) -> list[str]:
    """The ids of what a to-do waits for. Raises BadInput when it would wait for itself."""
    try:
        wanted = {uuid.UUID(str(one)) for one in needed}
    except ValueError as error:
        raise BadInput(_("Choose to-dos of this list."), field="depends_on") from error
    links = Task.depends_on.through.objects.filter(from_task__owner_id=task.owner_id)
    needs: dict[uuid.UUID, set[uuid.UUID]] = {}
    for waiting, waited_for in links.values_list("from_task_id", "to_task_id"):
        needs.setdefault(waiting, set()).add(waited_for)
    ahead, seen = set(wanted), set()
    while ahead:
        if task.pk in ahead:
            raise BadInput(_("These to-dos would wait for each other."), field="depends_on")
        seen |= ahead
        ahead = {later for one in ahead for later in needs.get(one, ())} - seen
    return sorted(map(str, wanted))
