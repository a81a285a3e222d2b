"""What the concierge can be asked to do: the typed commands, by the names of their tools.

`create_task`, `update_task`, `complete_task` and `list_tasks` have the specification's names and
arguments (`id`, `notes`, `projectId`); they are commands and a query all the same.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import (
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    WithJsonSchema,
)

from chat.assistant.undo import Undo
from chat.commands.base import Command, Query
from chat.identity import Identity
from futura.text import STOP_WORDS, words
from projects.commands.notes import ChangeNote, CreateNote, DeleteNote
from projects.commands.projects import ChangeProject, CreateProject, DeleteProject
from projects.commands.reads import ListProjects
from projects.commands.todos import (
    ChangeTodos,
    CompleteTodos,
    CreateTodo,
    CreateTodos,
    DeleteTodos,
    Priority,
    ReopenTodos,
    Status,
)
from projects.concierge.commands import StartConversation
from projects.todos.listing import Listing
from projects.todos.queries import CLOSED, Page, page_of

TITLE_CHARS: Final = 200
LISTED: Final = 25
NO_ROW: Final = uuid.UUID(int=0)


def _key(value: Any) -> Any:
    """An id; what is none names no row."""
    try:
        return uuid.UUID(str(value).strip())
    except ValueError:
        return NO_ROW


def _alone(value: Any) -> Any:
    """The ids of a command that is about one row."""
    return tuple(map(_key, value)) if isinstance(value, list | tuple) else (_key(value),)


_ID: Final = {"type": "string", "description": "Id of the task."}
_PROJECT: Final = {"type": "string", "description": "Id of one of the person's projects."}
_NULL: Final = {"type": "null"}
TaskKey = Annotated[
    tuple[uuid.UUID, ...],
    BeforeValidator(_alone),
    WithJsonSchema(_ID),
    Field(validation_alias=AliasChoices("id", "task", "ids")),
]
ProjectKey = Annotated[
    uuid.UUID | None,
    BeforeValidator(lambda value: _key(value) if value else None),
    WithJsonSchema({"anyOf": [_PROJECT, _NULL]}),
    Field(validation_alias=AliasChoices("projectId", "project")),
]
Notes = Annotated[str | None, Field(validation_alias=AliasChoices("notes", "details"))]


class CreateTask(CreateTodo):
    """Creates a task when the person wants something on their list."""

    model_config = ConfigDict(populate_by_name=True)
    name: ClassVar[str] = "create_task"

    details: Notes = None
    project: ProjectKey = None


class UpdateTask(ChangeTodos):
    """Changes a task; null leaves a field as it is.

    `notes` replace what is there, where there is something only after read_todo; `append_notes`
    are added below it.
    """

    model_config = ConfigDict(populate_by_name=True)
    name: ClassVar[str] = "update_task"

    ids: TaskKey
    details: Notes = None
    append_details: str | None = Field(
        None, validation_alias=AliasChoices("append_notes", "append_details")
    )
    project: ProjectKey = None


class CompleteTask(CompleteTodos):
    """Marks a task as completed when the person says that it is done."""

    model_config = ConfigDict(populate_by_name=True)
    name: ClassVar[str] = "complete_task"

    ids: TaskKey


class ListTasks(Query):
    """Lists or searches tasks; without a status the active ones, nearest first."""

    model_config = ConfigDict(populate_by_name=True)
    name: ClassVar[str] = "list_tasks"
    area: ClassVar[str] = "todos"

    status: Status | Literal["all"] | None = None
    query: str | None = Field(None, max_length=TITLE_CHARS, description="Words to search for.")
    project: ProjectKey = None
    due: Literal["overdue", "today", "tomorrow", "week", "later", "none"] | None = Field(
        None, description="`week` is the seven days from today on, `later` all after them."
    )
    priority: Priority | None = None

    def page(self, owner_ids: Sequence[uuid.UUID], today: dt.date) -> Page:
        """The first 25, as the page of to-dos lists them, and how many there are."""
        page = page_of(Identity(user_participant_ids=tuple(owner_ids)), self._wanted(), today)
        return replace(page, tasks=page.tasks[:LISTED])

    def _wanted(self) -> Listing:
        """What rests in a paused project is listed where it is asked for, as on every page."""
        text = (self.query or "").strip()
        is_closed = self.status in CLOSED
        is_everywhere = bool(self.project or text) or self.status == "inbox"
        tab = "any_open" if is_everywhere else "open"
        return Listing(
            tab="all" if is_closed or self.status == "all" else tab,
            q=" ".join(word for word in words(text) if word not in STOP_WORDS) or text,
            project=str(self.project or ""),
            priority=self.priority or "",
            due="late" if self.due == "overdue" else self.due or "",
            status="" if self.status == "all" else self.status or "",
            sort="done" if is_closed else "due",
        )


class FindProjects(ListProjects):
    """Finds projects and their ids by words in their names; without words all of them."""

    model_config = ConfigDict(populate_by_name=True)
    name: ClassVar[str] = "find_projects"

    q: str = Field("", max_length=TITLE_CHARS, validation_alias=AliasChoices("query", "q"))


WRITING: Final[Mapping[str, type[Command]]] = {
    **{kind.name: kind for kind in (
        CreateTask, UpdateTask, CompleteTask, CreateProject, ChangeProject, DeleteProject,
        CreateNote, ChangeNote, DeleteNote,
    )},
    "create_tasks": CreateTodos, "change_tasks": ChangeTodos, "reopen_tasks": ReopenTodos,
    "delete_tasks": DeleteTodos,
}  # fmt: skip
"""The tools that change rows."""
KINDS: Final[Mapping[str, type[BaseModel]]] = {
    **WRITING,
    **{kind.name: kind for kind in (ListTasks, FindProjects, StartConversation)},
    "undo": Undo,
}
"""All that a line of the command line may ask for, by its tool."""
_TOOLS: Final = {kind: tool for tool, kind in KINDS.items()}


def tool_of(call: BaseModel) -> str:
    """The tool that a call is of."""
    return _TOOLS[type(call)]


def json_of(call: BaseModel) -> dict[str, Any]:
    """A call as JSON, `{"tool": "complete_task", "ids": […]}`, without what was not said."""
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


def task_ids(call: BaseModel) -> Sequence[uuid.UUID]:
    """The to-dos that a call changes."""
    return getattr(call, "ids", ())
