"""What the concierge can be asked to do: one typed call for each tool, for the model and the rules.

The model is offered these as they stand (`id` and `projectId` are the specification's names for
`task` and `project`). A task or project is named by its id. Rules may put words there instead,
for `projects.concierge.finding` to look for; the model's words are never looked for.
Nothing here reads or writes; `projects.concierge.perform` carries calls out.
"""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Annotated, Final, Literal, get_args

from pydantic import AliasChoices, BaseModel, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema

TITLE_CHARS: Final = 200
TEXT_CHARS: Final = 20_000

Priority = Literal["critical", "high", "normal", "low"]
Status = Literal["inbox", "available", "scheduled", "blocked", "completed", "dropped"]
ProjectStatus = Literal["active", "paused", "completed", "archived"]
Listed = Literal["inbox", "available", "scheduled", "blocked", "completed", "dropped", "all"]
Due = Literal["overdue", "today", "tomorrow", "week", "later", "none"]
"""`week` is the seven days from today on, `later` all after them, `none` without a date."""
Talk = Literal[
    "project_create", "project_update", "project_audit", "project_forecast", "survey",
    "portfolio_builder",
]  # fmt: skip
Named = Annotated[str, Field(min_length=1, max_length=TITLE_CHARS)]


class Asked(BaseModel):
    """What all calls have in common: fields go by their own names or the specification's."""

    model_config = ConfigDict(populate_by_name=True, extra="forbid")


class CreateTask(Asked):
    """A new task; without a project it stands on its own, in the inbox."""

    tool: SkipJsonSchema[Literal["create_task"]] = "create_task"
    title: str = Field(min_length=1, max_length=TITLE_CHARS)
    priority: Priority | None = None
    notes: str | None = Field(None, max_length=TEXT_CHARS)
    project: Named | None = Field(
        None,
        validation_alias=AliasChoices("projectId", "project"),
        description="Id of one of the person's projects.",
    )
    due: dt.date | None = Field(None, description="YYYY-MM-DD")
    due_time: dt.time | None = Field(None, description="HH:MM by the person's clock.")
    start: dt.date | None = Field(None, description="YYYY-MM-DD")
    repeat: str | None = Field(None, max_length=200, description="RFC 5545, from the due date on.")
    assignee: str | None = Field(None, max_length=80, description="Who does it: a name.")
    tags: list[str] | None = None
    estimate_days: Decimal | None = Field(None, description="Working days.")


class UpdateTask(Asked):
    """What changes on a task; null leaves a field as it is. Dates: see RescheduleTask."""

    tool: SkipJsonSchema[Literal["update_task"]] = "update_task"
    task: Named = Field(validation_alias=AliasChoices("id", "task"), description="Id of the task.")
    title: str | None = Field(None, min_length=1, max_length=TITLE_CHARS)
    priority: Priority | None = None
    notes: str | None = Field(
        None, max_length=TEXT_CHARS,
        description="Replaces the notes; where there are any, only after read_task.",
    )  # fmt: skip
    append_notes: str | None = Field(
        None, max_length=TEXT_CHARS, description="Is added below the notes that are there."
    )
    status: Status | None = None
    project: Named | None = Field(
        None,
        validation_alias=AliasChoices("projectId", "project"),
        description="Id of the project that the task shall belong to.",
    )


class ReadTask(Asked):
    """The notes of a task, whole."""

    tool: SkipJsonSchema[Literal["read_task"]] = "read_task"
    task: Named = Field(validation_alias=AliasChoices("id", "task"), description="Id of the task.")


class CompleteTask(Asked):
    """A task is done."""

    tool: SkipJsonSchema[Literal["complete_task"]] = "complete_task"
    task: Named = Field(validation_alias=AliasChoices("id", "task"), description="Id of the task.")


class ListTasks(Asked):
    """Which tasks to look at; without a status the active ones, nearest first."""

    tool: SkipJsonSchema[Literal["list_tasks"]] = "list_tasks"
    status: Listed | None = None
    query: str | None = Field(
        None, max_length=TITLE_CHARS, description="Words to search for in titles and notes."
    )
    project: Named | None = Field(
        None, validation_alias=AliasChoices("projectId", "project"), description="Id of a project."
    )
    due: Due | None = None
    priority: Priority | None = None


class RescheduleTask(Asked):
    """Other dates for a task; null leaves a date as it is, `clear` takes dates away."""

    tool: SkipJsonSchema[Literal["reschedule_task"]] = "reschedule_task"
    task: Named = Field(validation_alias=AliasChoices("id", "task"), description="Id of the task.")
    due: dt.date | None = Field(None, description="YYYY-MM-DD")
    due_time: dt.time | None = Field(None, description="HH:MM by the person's clock.")
    start: dt.date | None = Field(None, description="YYYY-MM-DD")
    clear: list[Literal["due", "start"]] | None = None


class DeleteTask(Asked):
    """A task to be deleted; this waits for the person's review."""

    tool: SkipJsonSchema[Literal["delete_task"]] = "delete_task"
    task: Named = Field(validation_alias=AliasChoices("id", "task"), description="Id of the task.")


class AddNote(Asked):
    """A note to keep with a project, in Markdown."""

    tool: SkipJsonSchema[Literal["add_note"]] = "add_note"
    project: Named = Field(
        validation_alias=AliasChoices("projectId", "project"), description="Id of the project."
    )
    text: str = Field(min_length=1, max_length=TEXT_CHARS)


class UpdateProject(Asked):
    """Another name or status for a project; null leaves it as it is."""

    tool: SkipJsonSchema[Literal["update_project"]] = "update_project"
    project: Named = Field(
        validation_alias=AliasChoices("projectId", "project"), description="Id of the project."
    )
    name: str | None = Field(None, min_length=1, max_length=TITLE_CHARS)
    status: ProjectStatus | None = None


class DeleteProject(Asked):
    """A project to be deleted with its tasks and notes; this waits for the person's review."""

    tool: SkipJsonSchema[Literal["delete_project"]] = "delete_project"
    project: Named = Field(
        validation_alias=AliasChoices("projectId", "project"), description="Id of the project."
    )


class FindProjects(Asked):
    """Which projects to look for; without words all that are not archived."""

    tool: SkipJsonSchema[Literal["find_projects"]] = "find_projects"
    query: str | None = Field(None, max_length=TITLE_CHARS)


class StartConversation(Asked):
    """A conversation of another kind to open, and what to take along.

    All but a survey, a new project and a portfolio entry are about a project; an entry may be
    (`portfolio_builder`). `says` is what the person has said
    that the other conversation shall begin with, in their words.
    """

    tool: SkipJsonSchema[Literal["start_conversation"]] = "start_conversation"
    kind: Talk
    project: Named | None = Field(
        None,
        validation_alias=AliasChoices("projectId", "project"),
        description="Id of the project that it is about.",
    )
    says: str | None = Field(None, max_length=TEXT_CHARS)


class Undo(Asked):
    """A change to take back: of this conversation the last answer's or one before, or a task's."""

    tool: SkipJsonSchema[Literal["undo"]] = "undo"
    batch: str | None = Field(
        None, max_length=40, description="Id of a change; null for the last one."
    )
    steps_back: int | None = Field(
        None, ge=0, le=20, description="How many answers with changes to skip; 0 for the last one."
    )
    last: int | None = Field(
        None, ge=1, le=20, description="How many of the latest answers with changes."
    )
    task: Named | None = Field(None, description="Id of a thing whose last change is taken back.")
    confirmed: bool | None = Field(
        None, description="The person has agreed to exactly what was named to them before."
    )


Call = Annotated[
    CreateTask
    | UpdateTask
    | ReadTask
    | CompleteTask
    | ListTasks
    | RescheduleTask
    | DeleteTask
    | AddNote
    | UpdateProject
    | DeleteProject
    | FindProjects
    | StartConversation
    | Undo,
    Field(discriminator="tool"),
]
"""Any of them; as JSON `{"tool": "complete_task", "task": "the metrics thing"}`."""

KINDS: Final[tuple[type[Asked], ...]] = tuple(kind for kind in get_args(get_args(Call)[0]))
"""What a model is offered."""
WRITES: Final = frozenset(
    {
        *("create_task", "update_task", "complete_task", "reschedule_task", "delete_task"),
        *("add_note", "update_project", "delete_project", "start_conversation", "undo"),
    }
)
READS: Final = frozenset({"list_tasks", "find_projects", "read_task"})


def json_of(call: Call) -> dict[str, object]:
    """A call as JSON, without what was not said."""
    return call.model_dump(mode="json", exclude_none=True)
