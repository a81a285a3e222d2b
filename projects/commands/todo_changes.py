"""What the commands of to-dos mean to the ledger, row by row: places, completion, waiting."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any, Final, TypeVar

from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.operations.changes import Change, Create, Update, Values
from chat.operations.registry import named
from futura.errors import BadInput
from projects.checks import checked
from projects.commands import todo_times
from projects.models import DraftTask, Project, Task

CIRCLE: Final = gettext_lazy("These to-dos would wait for each other.")
Key = TypeVar("Key", str, uuid.UUID)
GAP: Final = 1024  # between to-dos of no project, so that one can be put between two


def todo_created(project: Project | None, values: Values, *, position: int) -> Create:
    """A to-do of a project, or on its own. Raises BadInput, TooLong.

    It is available in a project and in the inbox without, unless a status is given.
    """
    fields = _checked(values)
    fields.setdefault("status", Task.Status.AVAILABLE if project else Task.Status.INBOX)
    fields |= _completion(fields["status"], None)
    fields["position"] = position
    if project is not None:
        fields["project"] = str(project.pk)
    if not fields.get("title"):
        raise BadInput(_("Enter a title."), field="title")
    return Create("task", fields)


def todo_changed(task: Task, values: Values, *, version: int | None = None) -> Update:
    """Other values for some fields; a status sets or clears when it was completed.

    Raises BadInput, TooLong.
    """
    fields = _checked(values, task)
    if "status" in fields:
        fields |= _completion(fields["status"], task)
    if "depends_on" in fields:
        fields["depends_on"] = without_cycle(task, fields["depends_on"])
    return Update("task", task.pk, fields, version)


def with_following(task: Task, update: Update) -> list[Change]:
    """The update; and where it completes a to-do that repeats, the next one, which takes the
    repetition over.
    """
    values = update.values
    is_done = values.get("status") == Task.Status.COMPLETED != task.status
    if not is_done or not values.get("repeat", task.repeat):
        return [update]
    following = todo_times.following(task, values)
    ended = Update("task", task.pk, {**values, "repeat": ""}, update.version)
    return [ended, following] if following else [ended]


def next_position(project: Project | None, owner_id: uuid.UUID) -> int:
    """Behind the last to-do of a project, or of the person's to-dos that belong to none."""
    living = Task.objects.filter(project=project, deleted_at=None)
    if project is not None:
        return (living.aggregate(at=Max("position"))["at"] or 0) + 1
    return (living.filter(owner_id=owner_id).aggregate(at=Max("position"))["at"] or 0) + GAP


def step_between(project: Project | None) -> int:
    return GAP if project is None else 1


def freed_of(tasks: Sequence[Task] | Sequence[DraftTask]) -> list[Update]:
    """Updates of the living to-dos that wait for one of these and stay themselves.

    They belong into the batch of the deletion, so that undoing it ties them again. One query when
    nothing waits, else two.
    """
    model = type(tasks[0])
    going = {task.pk for task in tasks}
    waiting = model._default_manager.filter(depends_on__in=going, deleted_at=None)
    rows = waiting.exclude(pk__in=going).distinct().prefetch_related("depends_on").order_by("pk")
    return [
        Update(named(model), row.pk, {"depends_on": _without(row, going)}, row.version)
        for row in rows
    ]


def needed_first(needs: Mapping[Key, Iterable[Key]]) -> list[Key]:
    """The keys, each after those that it needs. Raises BadInput for a circle."""
    try:
        return list(TopologicalSorter(needs).static_order())
    except CycleError as error:
        raise BadInput(str(CIRCLE), field="depends_on") from error


def renumbered(order: Sequence[Task], at: int) -> list[Change]:
    """Positions that rise along the list: those before `at` stay where they rise already."""
    moved: list[Change] = []
    last = order[at - 1].position if at else -1
    for n, task in enumerate(order[at:]):
        following = order[at + 1].position if n == 0 and at + 1 < len(order) else None
        if n == 0:
            place = (last + following) // 2 if following and following > last + 1 else last + 1
        elif task.position > last:
            break
        else:
            place = last + 1
        if task.position != place:
            moved.append(Update("task", task.pk, {"position": place}))
        last = place
    return moved


def _without(row: Any, going: set[uuid.UUID]) -> list[str]:
    return sorted(str(task.pk) for task in row.depends_on.all() if task.pk not in going)


def _checked(values: Values, task: Task | None = None) -> dict[str, Any]:
    fields = checked(values, row=task, required="title" if task else "")
    return fields | todo_times.fitted(fields, task)


def _completion(status: str, task: Task | None) -> dict[str, dt.datetime | None]:
    was_done = task is not None and task.status == Task.Status.COMPLETED
    is_done = status == Task.Status.COMPLETED
    if is_done == was_done:
        return {}
    return {"completed_at": timezone.now() if is_done else None}


def without_cycle(task: Task | DraftTask, needed: Iterable[Any]) -> list[str]:
    """The ids of what a to-do waits for. Raises BadInput when it would wait for itself."""
    try:
        direct = {uuid.UUID(str(key)) for key in needed}
    except ValueError as error:
        raise BadInput(_("Select to-dos from this list."), field="depends_on") from error
    own = type(task)._default_manager.filter(owner_id=task.owner_id, depends_on__isnull=False)
    needs: dict[uuid.UUID, set[uuid.UUID]] = {}
    for waiting, waited_for in own.values_list("pk", "depends_on"):
        needs.setdefault(waiting, set()).add(waited_for)
    ahead, seen = set(direct), set()
    while ahead:
        if task.pk in ahead:
            raise BadInput(str(CIRCLE), field="depends_on")
        seen |= ahead
        ahead = {later for key in ahead for later in needs.get(key, ())} - seen
    return sorted(map(str, direct))
