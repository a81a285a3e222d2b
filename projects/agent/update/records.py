"""A project as prompts show it."""

from __future__ import annotations

from projects.agent.toolbox import Picture
from projects.agent.update.prompts import ProjectInput
from projects.dimensions import FIELDS
from projects.models import Project, Task

TASKS_SHOWN = 150
NOTES_SHOWN = 10


def records_of(picture: Picture) -> ProjectInput:
    """The project of an updating conversation, tasks under short names (`t1`, `t2`, …)."""
    row = picture.row
    return ProjectInput(
        name=row.name,
        status=row.status if isinstance(row, Project) else "draft",
        start=str(row.start_date or ""),
        end=str(row.end_date or ""),
        description=row.description,
        dimensions=[
            (name, picture.dimension(name)) for name in FIELDS if picture.dimension(name).strip()
        ],
        tasks=[_line(name, task) for name, task in list(picture.refs.items())[:TASKS_SHOWN]],
        notes=[f"- {one.title or one.text[:200]}" for one in picture.notes[:NOTES_SHOWN]],
    )


def _line(name: str, task: object) -> str:
    if not isinstance(task, Task):
        return f"{name}: {task}"
    due = f", due {task.due_date}" if task.due_date else ""
    start = f", starts {task.start_date}" if task.start_date else ""
    return f"{name}: {task.title} ({task.status}, {task.priority}{start}{due})"
