"""What the concierge can be asked to do: one typed call for each tool, for model and command line.

The model is offered these as they stand, with their first lines as descriptions (`id` and
`projectId` are the specification's names for `task` and `project`). Nothing here reads or writes.
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
ListedStatus = Literal["inbox", "available", "scheduled", "blocked", "completed", "dropped", "all"]
Due = Literal["overdue", "today", "tomorrow", "week", "later", "none"]
"""`week` is the seven days from today on, `later` all after them, `none` without a date."""
Talk = Literal[
    "project_create", "project_update", "project_audit", "project_forecast", "survey",
    "portfolio_builder",
]  # fmt: skip
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
ProjectRef = Annotated[Named, Field(**_PROJECT)]
MaybeProject = Annotated[Named | None, Field(**_PROJECT)]
Day = Annotated[dt.date | None, Field(description="YYYY-MM-DD")]
Time = Annotated[dt.time | None, Field(description="HH:MM by the person's clock.")]


class Asked(BaseModel):
    """What all calls have in common: fields go by their own names or the specification's."""

    model_config = ConfigDict(populate_by_name=True, extra="forbid")


class CreateTask(Asked):
    """Creates a task when the person wants something on their list."""

    tool: SkipJsonSchema[Literal["create_task"]] = "create_task"
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

    tool: SkipJsonSchema[Literal["update_task"]] = "update_task"
    task: TaskRef
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
    project: MaybeProject = None


class ReadTask(Asked):
    """Reads a task whole, notes included; needed before notes are replaced."""

    tool: SkipJsonSchema[Literal["read_task"]] = "read_task"
    task: TaskRef


class CompleteTask(Asked):
    """Marks a task as completed when the person says that it is done."""

    tool: SkipJsonSchema[Literal["complete_task"]] = "complete_task"
    task: TaskRef


class ListTasks(Asked):
    """Lists or searches tasks; without a status the active ones, nearest first."""

    tool: SkipJsonSchema[Literal["list_tasks"]] = "list_tasks"
    status: ListedStatus | None = None
    query: str | None = Field(
        None, max_length=TITLE_CHARS, description="Words to search for in titles and notes."
    )
    project: MaybeProject = None
    due: Due | None = None
    priority: Priority | None = None


class RescheduleTask(Asked):
    """Gives a task another due date, time or start; `clear` takes them away."""

    tool: SkipJsonSchema[Literal["reschedule_task"]] = "reschedule_task"
    task: TaskRef
    due: Day = None
    due_time: Time = None
    start: Day = None
    clear: list[Literal["due", "start"]] | None = None


class DeleteTask(Asked):
    """Asks to delete a task for good; the person has to approve it first."""

    tool: SkipJsonSchema[Literal["delete_task"]] = "delete_task"
    task: TaskRef


class AddNote(Asked):
    """Adds a note to a project, in Markdown."""

    tool: SkipJsonSchema[Literal["add_note"]] = "add_note"
    project: ProjectRef
    text: str = Field(min_length=1, max_length=TEXT_CHARS)


class UpdateProject(Asked):
    """Renames a project, or puts it on hold, takes it up again, archives it."""

    tool: SkipJsonSchema[Literal["update_project"]] = "update_project"
    project: ProjectRef
    name: str | None = Field(None, min_length=1, max_length=TITLE_CHARS)
    status: ProjectStatus | None = None


class DeleteProject(Asked):
    """Asks to delete a whole project with its tasks; the person has to approve it first."""

    tool: SkipJsonSchema[Literal["delete_project"]] = "delete_project"
    project: ProjectRef


class FindProjects(Asked):
    """Finds projects and their ids by name; without words all that are not archived."""

    tool: SkipJsonSchema[Literal["find_projects"]] = "find_projects"
    query: str | None = Field(None, max_length=TITLE_CHARS)


class StartConversation(Asked):
    """Opens the conversation made for a new project, for updating, auditing or forecasting one,
    for a survey of the person's work, or for an entry of their portfolio. All but a survey, a new
    project and an entry need a project. `says` is what it shall begin with, in the person's words.
    """

    tool: SkipJsonSchema[Literal["start_conversation"]] = "start_conversation"
    kind: Talk
    project: MaybeProject = None
    says: str | None = Field(None, max_length=TEXT_CHARS)


class Undo(Asked):
    """Takes back changes: of this conversation the last answer's or one before, or a task's last.
    What created something is taken back only after the person has agreed: then call it again with
    `confirmed`.
    """

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
    CreateTask | UpdateTask | ReadTask | CompleteTask | ListTasks | RescheduleTask | DeleteTask
    | AddNote | UpdateProject | DeleteProject | FindProjects | StartConversation | Undo,
    Field(discriminator="tool"),
]  # fmt: skip
"""Any of them; as JSON `{"tool": "complete_task", "task": "…"}`."""

KINDS: Final[tuple[type[Asked], ...]] = tuple(kind for kind in get_args(get_args(Call)[0]))
"""What a model is offered."""


def json_of(call: Call) -> dict[str, object]:
    """A call as JSON, without what was not said."""
    return call.model_dump(mode="json", exclude_none=True)
