"""What assistants about projects offer alike: whole rows to read, and the guard of long texts."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from chat.assistant.toolset import reading
from chat.assistant.working import Working
from chat.commands.base import Command
from projects.commands.drafts import ChangeDraft, ChangeDraftTasks
from projects.commands.notes import ChangeNote
from projects.commands.projects import ChangeProject
from projects.commands.reads import ReadDraft, ReadNote, ReadProject, ReadTodo
from projects.commands.todos import ChangeTodos
from projects.commands.wording import LONG
from projects.models import DraftTask, Note, Project, ProjectDraft, Task


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


def _seen(row: Any, working: Working) -> None:
    """Notes the long texts of a row that was read whole, and of the notes or to-dos in it."""
    for name in (*LONG, "details", "text"):
        if hasattr(row, name):
            working.has_seen(row.id, name, getattr(row, name))
    for inner in (*getattr(row, "notes", ()), *getattr(row, "tasks", ())):
        _seen(inner, working)


# each a row whole, after which its long texts may be replaced
read_project: Final = partial(reading, ReadProject, seen=_seen)
read_draft: Final = partial(reading, ReadDraft, seen=_seen)
read_note: Final = partial(reading, ReadNote, seen=_seen)
read_todo: Final = partial(reading, ReadTodo, seen=_seen)
