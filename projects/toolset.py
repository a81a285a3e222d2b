"""What assistants about projects offer alike: whole rows to read, and the guard of long texts."""

from __future__ import annotations

from typing import Any

from chat.assistant.toolset import Reading, reading
from chat.assistant.working import Working
from chat.commands.base import Command
from projects.commands.drafts import ChangeDraft, ChangeDraftTasks
from projects.commands.notes import ChangeNote
from projects.commands.projects import ChangeProject
from projects.commands.reads import ProjectWithNotes, ReadDraft, ReadNote, ReadProject, ReadTodo
from projects.commands.texts import LONG
from projects.commands.todos import ChangeTodos
from projects.models import DraftTask, Note, Project, ProjectDraft, Task
from projects.shapes import DraftOut, NoteOut, TodoOut


def read_project() -> Reading:
    """A project whole, after which its long texts may be replaced."""
    return reading(ReadProject, seen=_seen_project)


def read_draft() -> Reading:
    """The same of a draft."""
    return reading(ReadDraft, seen=_seen_draft)


def read_note() -> Reading:
    """The same of a note."""
    return reading(ReadNote, seen=_seen_note)


def read_todo() -> Reading:
    """The same of a to-do."""
    return reading(ReadTodo, seen=_seen_todo)


def guard(command: Command, working: Working) -> str:
    """Why a long text may not be replaced yet: it was not read to its end. Empty when it may."""
    match command:
        case ChangeTodos() | ChangeDraftTasks():
            if command.details is None and "details" not in command.clear:
                return ""
            model: Any = Task if isinstance(command, ChangeTodos) else DraftTask
            rows = working.scope().rows(model, command.ids)
            refusals = [working.refuse_unseen(row.pk, "details", row.details) for row in rows]
        case ChangeProject() | ChangeDraft():
            model = Project if isinstance(command, ChangeProject) else ProjectDraft
            row = working.scope().get(model, command.id)
            names = [name for name in LONG if name in {*command.values(), *command.clear}]
            refusals = [working.refuse_unseen(row.pk, name, getattr(row, name)) for name in names]
        case ChangeNote() if command.text is not None and not command.replaced:
            note = working.scope().get(Note, command.id)
            refusals = [working.refuse_unseen(note.pk, "text", note.text)]
        case _:
            return ""
    return next(filter(None, refusals), "")


def _seen_project(project: ProjectWithNotes, working: Working) -> None:
    for name in LONG:
        working.has_seen(project.id, name, getattr(project, name))
    for note in project.notes:
        _seen_note(note, working)


def _seen_draft(draft: DraftOut, working: Working) -> None:
    for name in LONG:
        working.has_seen(draft.id, name, getattr(draft, name))
    for task in draft.tasks:
        working.has_seen(task.id, "details", task.details)


def _seen_note(note: NoteOut, working: Working) -> None:
    working.has_seen(note.id, "text", note.text)


def _seen_todo(todo: TodoOut, working: Working) -> None:
    working.has_seen(todo.id, "details", todo.details)
