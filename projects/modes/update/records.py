"""A project as the prompts of an updating conversation show it."""

from __future__ import annotations

from typing import Final

from projects.commands.texts import LONG
from projects.models import Note, Project, Task
from projects.modes.rows import Snapshot
from projects.modes.update.prompts import TEXT_CHARS, ProjectInput
from projects.modes.update.state import OpenQuestion

TASKS_SHOWN: Final = 150
NOTES_SHOWN: Final = 10
NOTE_CHARS: Final = 200


def records_of(snapshot: Snapshot, question: OpenQuestion | None = None) -> ProjectInput:
    """The project with its to-dos and newest notes, and what was offered last."""
    row = snapshot.row
    lines = [_line(task) for task in snapshot.tasks[:TASKS_SHOWN]]
    if len(snapshot.tasks) > TASKS_SHOWN:
        lines.append(f"[cut: {TASKS_SHOWN} of {len(snapshot.tasks)} to-dos]")
    return ProjectInput(
        facts=[
            ("Name", row.name),
            ("Id", str(row.pk)),
            ("Version", str(row.version)),
            ("Status", row.status if isinstance(row, Project) else "draft"),
            ("Start", str(row.start_date or "")),
            ("End", str(row.end_date or "")),
            ("Tags", ", ".join(row.tags)),
        ],
        texts=[(name, getattr(row, name)) for name in LONG if getattr(row, name).strip()],
        tasks=lines,
        notes=[_note(note) for note in snapshot.notes[:NOTES_SHOWN]],
        offer=_offer(question) if question else "",
    )


def shown_whole(snapshot: Snapshot) -> list[tuple[str, str]]:
    """The long texts that stand whole in the prompt, by field."""
    texts = [(name, str(getattr(snapshot.row, name))) for name in LONG]
    return [(name, text) for name, text in texts if len(text) <= TEXT_CHARS]


def _offer(question: OpenQuestion) -> str:
    moves = [f"{option.values} id={option.id}" for option in question.options]
    return "\n".join([question.text, *moves])


def _note(note: Note) -> str:
    text = " ".join(note.text.split())
    shown = f"{text[:NOTE_CHARS]}… [cut; read_note shows all]" if len(text) > NOTE_CHARS else text
    return f"- {note.title}: {shown} id={note.pk}" if note.title else f"- {shown} id={note.pk}"


def _line(task: object) -> str:
    if not isinstance(task, Task):
        return f"- {task}"
    low, high = task.estimate_low_days, task.estimate_high_days
    facts = [
        task.status,
        task.priority,
        f"starts {task.start_date}" if task.start_date else "",
        f"due {task.due_date}" if task.due_date else "",
        f"{low}-{high} days" if low or high else "",
        f"details {len(task.details)} characters" if task.details else "",
    ]
    return f"- {task.title} ({', '.join(filter(None, facts))}) id={task.pk}"
