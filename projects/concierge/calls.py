"""What the concierge can be asked to do: typed commands, and the specification's own tools.

`create_task`, `update_task`, `complete_task` and `list_tasks` have the specification's arguments
(`id`, `notes`, `projectId`) and stand for commands; what else changes something is a command as it
stands. Nothing here reads or writes.
"""

from __future__ import annotations

import datetime as dt
import uuid
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import (
    AliasChoices,
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
)

from chat.assistant.undo import Undo
from chat.commands.base import Command
from projects.commands.notes import ChangeNote, CreateNote, DeleteNote
from projects.commands.projects import ChangeProject, CreateProject, DeleteProject
from projects.commands.todos import ChangeTodos, CreateTodos, DeleteTodos, ReopenTodos
from projects.concierge.commands import TEXT_CHARS, StartConversation

TITLE_CHARS: Final = 200

Priority = Literal["critical", "high", "normal", "low"]
Status = Literal["inbox", "available", "scheduled", "blocked", "completed", "dropped"]
ListedStatus = Literal["inbox", "available", "scheduled", "blocked", "completed", "dropped", "all"]
Due = Literal["overdue", "today", "tomorrow", "week", "later", "none"]
"""`week` is the seven days from today on, `later` all after them, `none` without a date."""
Named = Annotated[str, Field(min_length=1, max_length=TITLE_CHARS)]
_TASK: Final = {
    "validation_alias": AliasChoices("id", "task"),
    "description": "Id of the task.",
}
_PROJECT: Final = {
    "validation_alias": AliasChoices("projectId", "project"),
    "description": "Id of one of the person's projects.",
}
TaskRef = Annotated[Named, Field(**_TASK)]
MaybeProject = Annotated[Named | None, Field(**_PROJECT)]
Day = Annotated[dt.date | None, Field(description="YYYY-MM-DD")]
Time = Annotated[dt.time | None, Field(description="HH:MM by the person's clock.")]


class Asked(BaseModel):
    """What all calls have in common: fields go by their own names or the specification's."""

    model_config = ConfigDict(populate_by_name=True, extra="forbid")
    name: ClassVar[str]


class CreateTask(Asked):
    """Creates a task when the person wants something on their list."""

    name: ClassVar[str] = "create_task"
    title: str = Field(min_length=1, max_length=TITLE_CHARS)
    priority: Priority | None = None
    notes: str | None = Field(None, max_length=TEXT_CHARS)
    project: MaybeProject = None
    due: Day = None
    due_time: Time = None
    start: Day = None
    repeat: str | None = Field(None, max_length=200, description="RFC 5545, from the due date on.")
    assignee: str | None = Field(None, max_length=80, description="Who does it: a name.")
    tags: list[str] | None = None
    estimate_days: Decimal | None = Field(None, description="Working days.")


class UpdateTask(Asked):
    """Changes wording, priority, notes, status or project of a task; null leaves a field."""

    name: ClassVar[str] = "update_task"
    task: TaskRef
    title: str | None = Field(None, min_length=1, max_length=TITLE_CHARS)
    priority: Priority | None = None
    notes: str | None = Field(
        None, max_length=TEXT_CHARS,
        description="Replaces the notes; where there are any, only after read_todo.",
    )  # fmt: skip
    append_notes: str | None = Field(
        None, max_length=TEXT_CHARS, description="Is added below the notes that are there."
    )
    status: Status | None = None
    project: MaybeProject = None


class CompleteTask(Asked):
    """Marks a task as completed when the person says that it is done."""

    name: ClassVar[str] = "complete_task"
    task: TaskRef


class ListTasks(Asked):
    """Lists or searches tasks; without a status the active ones, nearest first."""

    name: ClassVar[str] = "list_tasks"
    status: ListedStatus | None = None
    query: str | None = Field(
        None, max_length=TITLE_CHARS, description="Words to search for in titles and notes."
    )
    project: MaybeProject = None
    due: Due | None = None
    priority: Priority | None = None


class FindProjects(Asked):
    """Finds projects and their ids by name; without words all that are not archived."""

    name: ClassVar[str] = "find_projects"
    query: str | None = Field(None, max_length=TITLE_CHARS)


COMMANDS: Final[dict[str, type[Command]]] = {
    "create_tasks": CreateTodos, "change_tasks": ChangeTodos, "reopen_tasks": ReopenTodos,
    "delete_tasks": DeleteTodos,
    **{
        kind.name: kind
        for kind in (
            CreateProject, ChangeProject, DeleteProject, CreateNote, ChangeNote, DeleteNote,
        )
    },
}  # fmt: skip
"""The commands that are tools as they stand, by the names that a model calls them."""

KINDS: Final[dict[str, type[BaseModel]]] = {
    **{
        kind.name: kind
        for kind in (CreateTask, UpdateTask, CompleteTask, ListTasks, FindProjects)
    },
    **COMMANDS,
    StartConversation.name: StartConversation,
    "undo": Undo,
}  # fmt: skip
"""Everything that a line of the command line may ask for, by its tool."""

_TOOLS: Final = {kind: tool for tool, kind in KINDS.items()}


def tool_of(call: BaseModel) -> str:
    """The tool that a call is of."""
    return _TOOLS[type(call)]


def json_of(call: BaseModel) -> dict[str, Any]:
    """A call as JSON, `{"tool": "complete_task", "task": "…"}`, without what was not said."""
    given = call.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return {"tool": tool_of(call), **given}


def call_of(value: Any) -> BaseModel:
    """The same back. Raises ValueError for a tool that there is not."""
    if isinstance(value, BaseModel):
        return value
    kind = KINDS.get(value.get("tool"))
    if kind is None:
        raise ValueError("no tool has this name")
    return kind.model_validate({name: one for name, one in value.items() if name != "tool"})


Call = Annotated[BaseModel, PlainValidator(call_of), PlainSerializer(json_of)]
"""Any of them."""


def task_ids(call: BaseModel) -> list[uuid.UUID]:
    """The to-dos that a call names, as the command line makes it."""
    match call:
        case CompleteTask() | UpdateTask():
            return [uuid.UUID(call.task)]
        case ChangeTodos() | DeleteTodos() | ReopenTodos():
            return list(call.ids)
    return []
