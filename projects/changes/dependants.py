"""What other to-dos must let go of when one is deleted: their links to it, as changes of theirs."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from chat.operations.changes import Update
from projects.models import Task


def freed_of(tasks: Sequence[Task]) -> list[Update]:
    """Updates of the living to-dos that wait for one of these and stay themselves.

    They belong into the batch of the deletion, so that undoing it ties them again. One query when
    nothing waits, else two.
    """
    going = {task.pk for task in tasks}
    links = Task.depends_on.through.objects.filter(
        to_task__in=going, from_task__deleted_at=None
    ).exclude(from_task__in=going)
    waiting = set(links.values_list("from_task_id", flat=True))
    if not waiting:
        return []
    rows = Task.objects.filter(pk__in=waiting).prefetch_related("depends_on")
    return [
        Update("task", row.pk, {"depends_on": _without(row, going)}, row.version)
        for row in rows.order_by("pk")
    ]


def _without(row: Task, going: set[uuid.UUID]) -> list[str]:
    return sorted(str(one.pk) for one in row.depends_on.all() if one.pk not in going)
