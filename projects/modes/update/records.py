"""A project as the prompts of an updating conversation show it."""

from __future__ import annotations

import uuid

from projects.dimensions import FIELDS
from projects.models import Project, Task
from projects.modes.rows import Snapshot
from projects.modes.update.prompts import ProjectInput
from projects.modes.update.state import OpenQuestion

TASKS_SHOWN = 150
NOTES_SHOWN = 10


def records_of(snapshot: Snapshot, question: OpenQuestion | None = None) -> ProjectInput:
    """The project with its tasks under short names (`t1`, `t2`, …), and what was offered last."""
    row = snapshot.row
    refs = {task.pk: ref for ref, task in snapshot.refs.items()}
    tasks = [_line(ref, task) for ref, task in snapshot.refs.items()]
    if len(tasks) > TASKS_SHOWN:
        tasks = [*tasks[:TASKS_SHOWN], f"[cut here: {TASKS_SHOWN} of {len(tasks)} tasks]"]
    return ProjectInput(
        facts=[
            ("Name", row.name),
            ("Status", row.status if isinstance(row, Project) else "draft"),
            ("Start", str(row.start_date or "")),
            ("End", str(row.end_date or "")),
            ("Tags", ", ".join(row.tags)),
        ],
        description=row.description,
        dimensions=[
            (name, snapshot.dimension(name)) for name in FIELDS if snapshot.dimension(name).strip()
        ],
        tasks=tasks,
        notes=[f"- {note.title or note.text[:200]}" for note in snapshot.notes[:NOTES_SHOWN]],
        offer=_offer(question, refs) if question else "",
    )


def _offer(question: OpenQuestion, refs: dict[uuid.UUID, str]) -> str:
    moves = [
        f"{refs[option.id]}: {option.values}" for option in question.options if option.id in refs
    ]
    return "\n".join([question.text, *moves])


def _line(ref: str, task: object) -> str:
    if not isinstance(task, Task):
        return f"{ref}: {task}"
    facts = [
        task.status,
        task.priority,
        f"starts {task.start_date}" if task.start_date else "",
        f"due {task.due_date}" if task.due_date else "",
        f"{task.estimate_low_days}-{task.estimate_high_days} days"
        if task.estimate_low_days or task.estimate_high_days
        else "",
        f"details {len(task.details)} characters" if task.details else "",
    ]
    return f"{ref}: {task.title} ({', '.join(filter(None, facts))})"
