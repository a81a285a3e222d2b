"""Changes as the conversations propose them, on a snapshot of what stands."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from chat.operations.changes import Change, Create, Update
from projects.commands.draft_tasks import draft_task_changed, draft_task_created
from projects.commands.drafts import draft_changed
from projects.commands.notes import note_created
from projects.commands.projects import project_changed
from projects.commands.texts import Merge, merged_text
from projects.commands.todo_changes import todo_changed, todo_created
from projects.models import DraftTask, Project, Task
from projects.modes.rows import Snapshot


def dimension(snapshot: Snapshot, field: str, content: str, merge: Merge = "append") -> Update:
    """A dimension with new content, from the version that was seen. Raises BadInput, TooLong."""
    return update(snapshot, {field: merged_text(snapshot.dimension(field), content, merge)})


def update(snapshot: Snapshot, values: Mapping[str, Any]) -> Update:
    """New values for the project or draft, from the version that was seen. Raises BadInput."""
    row = snapshot.row
    if isinstance(row, Project):
        return project_changed(row, values, version=row.version)
    return draft_changed(row, values, version=row.version)


def new_task(
    snapshot: Snapshot, title: str, values: Mapping[str, Any] | None = None, *, ahead: int = 0
) -> Create:
    """A task at the end of the list; `ahead` counts those proposed before it in the same batch.

    Raises BadInput, TooLong.
    """
    place = max((task.position for task in snapshot.tasks), default=0) + 1 + ahead
    given = {**(values or {}), "title": title[:200]}
    if isinstance(snapshot.row, Project):
        return todo_created(snapshot.row, given, position=place)
    return draft_task_created(snapshot.row, given, position=place)


def task_changed(task: Task | DraftTask, values: Mapping[str, Any]) -> Update:
    """New values for a task, from the version that was seen. Raises BadInput, TooLong."""
    if isinstance(task, Task):
        return todo_changed(task, values, version=task.version)
    return draft_task_changed(task, values, version=task.version)


def note(snapshot: Snapshot, text: str, title: str = "") -> Create:
    """A note on the project. Raises BadInput, TooLong."""
    if not isinstance(snapshot.row, Project):
        raise TypeError("Only projects have notes.")
    return note_created(snapshot.row, {"title": title[:200], "text": text})


def joined(proposed: Sequence[Change]) -> list[Change]:
    """The same with all updates of one row put together, so that their versions do not clash."""
    result: dict[tuple[str, uuid.UUID, bool], Change] = {}
    for one in proposed:
        key = (one.entity, one.id, isinstance(one, Update))
        before = result.get(key)
        if isinstance(one, Update) and isinstance(before, Update):
            values = {**before.values, **one.values}
            result[key] = Update(one.entity, one.id, values, one.version)
        else:
            result[key] = one
    return list(result.values())
