"""What the updating conversation gives the model: how to work, the project, and the commands."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _

from chat.assistant import undo
from chat.assistant.delimiter import Delimiter
from chat.assistant.toolset import Toolset, Writing, first_paragraph, writing
from chat.assistant.turn import Prompt
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
from projects.modes.rows import ProjectRows, Snapshot, project_records, standing
from projects.modes.state import OpenQuestion
from projects.modes.talking import STAGE, reading_tools
from projects.toolset import guard, read_note, read_project, read_todo

VERSION: Final = "update-4"
WRITING: Final[tuple[type[Command], ...]] = (
    ChangeTodos, CompleteTodos, ReopenTodos, DeleteTodos, ChangeProject, CreateNote, ChangeNote,
    DeleteNote,
)  # fmt: skip


def prompt(
    snapshot: Snapshot,
    question: OpenQuestion | None,
    files: Sequence[tuple[str, str]],
    today: dt.date,
    delimiter: Delimiter,
) -> Prompt:
    """How to carry out what the person says, with the project and what was offered last."""
    instructions = (
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
        f"Today is {today:%A}, {today.isoformat()}. {delimiter.rule}"
    )
    offer = ""
    if question is not None:
        moves = [f"{option.values} id={option.id}" for option in question.options]
        offer = "\n".join([question.text, *moves])
    records = delimiter.blocks([*project_records(snapshot), ("offer", offer), *files])
    return Prompt(STAGE, _("Working on it"), instructions, records, VERSION)


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
