"""What the model may do in an updating conversation: the commands of to-dos, projects and notes."""

from __future__ import annotations

from typing import Final

from chat.assistant import undo
from chat.assistant.toolset import Toolset, Writing, first_paragraph, writing
from chat.assistant.working import Working
from chat.commands.base import Command
from projects.commands.notes import ChangeNote, CreateNote, DeleteNote
from projects.commands.projects import ChangeProject
from projects.commands.todos import (
    ChangeTodos,
    CompleteTodos,
    CreateTodos,
    DeleteTodos,
    ReopenTodos,
)
from projects.modes.rows import ProjectRows, standing
from projects.modes.tools import reading_tools
from projects.toolset import guard, read_note, read_project, read_todo

WRITING: Final[tuple[type[Command], ...]] = (
    ChangeTodos, CompleteTodos, ReopenTodos, DeleteTodos, ChangeProject, CreateNote, ChangeNote,
    DeleteNote,
)  # fmt: skip


def toolset(rows: ProjectRows) -> Toolset:
    """The tools of one turn. New to-dos belong to the project where they name no other."""

    def created(given: CreateTodos, _working: Working) -> Command:
        own = [
            todo if todo.project else todo.model_copy(update={"project": rows.state.project_id})
            for todo in given.todos
        ]
        return given.model_copy(update={"todos": tuple(own)})

    def allows(command: Command, working: Working) -> str:
        if isinstance(command, CreateTodos):
            return _standing(command, rows)
        return guard(command, working)

    about = first_paragraph(CreateTodos)
    return Toolset(
        tools=(
            Writing(CreateTodos.name, about, CreateTodos, created),
            *(writing(kind) for kind in WRITING),
            read_project(),
            read_todo(),
            read_note(),
            *reading_tools(rows),
            undo.tool(),
        ),
        scope=rows.scope,
        allows=allows,
    )


def _standing(command: CreateTodos, rows: ProjectRows) -> str:
    """Which of the new to-dos are open in the project already, letter by letter."""
    tasks = rows.snapshot().tasks
    there = [row for todo in command.todos if (row := standing(todo.title, tasks))]
    names = ", ".join(f"“{row.title}” (id={row.pk})" for row in there)
    return f"On the list already: {names}. Make only the others." if names else ""
