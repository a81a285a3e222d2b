"""What the updating conversation shows the model: how to work, and the project as it stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from chat.assistant.delimiter import Delimiter, cut
from projects.commands.texts import LONG
from projects.models import Note, Project, Task
from projects.modes.rows import Snapshot
from projects.modes.state import OpenQuestion

VERSION: Final = "update-4"
TEXT_CHARS: Final = 1_500
TASKS_SHOWN: Final = 150
NOTES_SHOWN: Final = 10
NOTE_CHARS: Final = 200


def instructions(today: str, weekday: str, delimiter: Delimiter) -> str:
    """How to carry out what the person says."""
    return (
        "You keep a project up to date while its owner tells you what is new. Find every change in "
        "their message and carry it out with the tools at once; do nothing that they did not ask "
        "for, and nothing that they refuse or put off. What changes alike on several to-dos is one "
        "call with their ids, and all that changes on the project is one call. `offer` is what you "
        "offered them last, and is not done: when their message takes it up, wholly or in part, "
        "carry out exactly that part. Where a change could be meant in two ways, do not guess: "
        "leave it and ask one short question. Work out dates yourself: a quarter, month or week "
        "means its last day for an end or due date and its first day for a start. A decision or "
        "fact is kept as a note or added to the dimension it belongs to. Change long texts by "
        "`parts` or a quoted part; to replace one as a whole, give the project's version. A text "
        "that is marked as cut, or not shown, has to be read before it may be replaced.\n"
        "Afterwards say in one or two short sentences, in the language of their message, what is "
        "different now, with the dates. What waits for review has not been done.\n"
        f"Today is {weekday}, {today}. {delimiter.rule}"
    )


def records(
    snapshot: Snapshot,
    question: OpenQuestion | None,
    files: Sequence[tuple[str, str]],
    delimiter: Delimiter,
) -> str:
    """The project with its to-dos and newest notes, what was offered last, and what came with the
    message, as material.
    """
    row = snapshot.row
    tasks = [_line(task) for task in snapshot.tasks[:TASKS_SHOWN]]
    if len(snapshot.tasks) > TASKS_SHOWN:
        tasks.append(f"[cut: {TASKS_SHOWN} of {len(snapshot.tasks)} to-dos]")
    facts = {
        "Name": row.name,
        "Id": row.pk,
        "Version": row.version,
        "Status": row.status if isinstance(row, Project) else "draft",
        "Start": row.start_date,
        "End": row.end_date,
        "Tags": ", ".join(row.tags),
    }
    texts = [(name, getattr(row, name)) for name in LONG if getattr(row, name).strip()]
    return delimiter.blocks(
        [
            ("project", "\n".join(f"{name}: {value or 'none'}" for name, value in facts.items())),
            *((name, cut(text, TEXT_CHARS, "read_project")) for name, text in texts),
            ("to-dos", "\n".join(tasks)),
            ("notes", "\n".join(_note(note) for note in snapshot.notes[:NOTES_SHOWN])),
            ("offer", _offer(question) if question else ""),
            *files,
        ]
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
