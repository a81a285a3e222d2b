"""What to-dos, projects, drafts and notes look like to programs and agents: one shape for each."""

from __future__ import annotations

import datetime as dt
import uuid
from decimal import Decimal
from typing import Any, Final, Literal

from ninja import Field, Schema
from pydantic import ConfigDict, field_validator

from chat.identity import Identity
from futura.text import STOP_WORDS, words
from projects import dimensions, queries
from projects.models import DraftTask, Note, ProjectDraft, Task

_PAGE: Final = 50


@dimensions.with_dimensions(lambda _one: (str, ...))
class _Texts(Schema):
    id: uuid.UUID
    version: int
    name: str
    description: str
    context: str
    executive_summary: str


class DimensionsOut(_Texts):
    """The fields of projects and drafts. Texts are Markdown."""

    tags: list[str]
    start_date: dt.date | None
    end_date: dt.date | None
    created_at: dt.datetime
    updated_at: dt.datetime


def values_of(row: Any, shape: type[Schema], **more: Any) -> dict[str, Any]:
    """A row in a shape whose names are the row's own; `more` gives those that are not."""
    names = [name for name in shape.model_fields if name not in more]
    return {**{name: getattr(row, name) for name in names}, **more}


class TodoOut(Schema):
    """A to-do. Estimates are in working days; `due_time` is by the person's clock."""

    model_config = ConfigDict(from_attributes=True)

    id: uuid.UUID
    version: int
    title: str
    details: str
    priority: Literal["critical", "high", "normal", "low"]
    status: Literal["inbox", "available", "scheduled", "blocked", "completed", "dropped"]
    project: uuid.UUID | None
    start_date: dt.date | None
    due_date: dt.date | None
    due_time: dt.time | None
    estimate_low_days: Decimal | None
    estimate_high_days: Decimal | None
    depends_on: list[uuid.UUID]
    repeat: str = Field(description="An RFC 5545 rule from the due date on; empty for none.")
    remind_at: dt.datetime | None
    remind_minutes: int | None = Field(description="Minutes before it is due.")
    assignee: str
    tags: list[str]
    completed_at: dt.datetime | None
    created_at: dt.datetime
    updated_at: dt.datetime


class TodosOut(Schema):
    """One page of a list, 50 to-dos at most; `total` counts the whole list."""

    todos: list[TodoOut]
    total: int
    page: int
    has_more: bool


def todo_out(task: Task) -> dict[str, Any]:
    """A to-do in the shape of `TodoOut`."""
    waits_for = [needed.pk for needed in task.depends_on.all()]
    return values_of(task, TodoOut, project=task.project_id, depends_on=waits_for)


class NoteOut(Schema):
    """A note, whole."""

    id: uuid.UUID
    version: int
    project: uuid.UUID
    title: str
    text: str
    created_at: dt.datetime
    updated_at: dt.datetime


class NotesOut(Schema):
    """The notes of a project, newest first."""

    notes: list[NoteOut]


def note_out(note: Note) -> dict[str, Any]:
    """A note in the shape of `NoteOut`."""
    return values_of(note, NoteOut, project=note.project_id)


class ProjectLine(Schema):
    """A project in a list. To-dos that were dropped do not count."""

    id: uuid.UUID
    version: int
    name: str
    status: Literal["active", "paused", "completed", "archived"]
    tags: list[str]
    start_date: dt.date | None
    end_date: dt.date | None
    todos: int
    todos_done: int
    created_at: dt.datetime
    updated_at: dt.datetime


class ProjectOut(DimensionsOut):
    """A project, whole. Texts are Markdown."""

    status: Literal["active", "paused", "completed", "archived"]
    slug: str
    time_share_before: Decimal | None
    time_share_after: Decimal | None


class ProjectsOut(Schema):
    """One page of projects, 50 at most; `total` counts all."""

    projects: list[ProjectLine]
    total: int
    page: int
    has_more: bool


def page_of(identity: Identity, status: str, page: int, q: str = "") -> dict[str, Any]:
    """A page of projects in the shape of `ProjectsOut`; with words those that have them all."""
    listed = queries.projects_of(identity, status)
    terms = [word for word in words(q) if word not in STOP_WORDS]
    projects: list[Any] = [
        item for item in listed if all(word in item.name.lower() for word in terms)
    ]
    start = (page - 1) * _PAGE
    return {
        "projects": [
            values_of(project, ProjectLine, todos=project.task_count, todos_done=project.done_count)
            for project in projects[start : start + _PAGE]
        ],
        "total": len(projects),
        "page": page,
        "has_more": start + _PAGE < len(projects),
    }


class DraftTaskOut(Schema):
    """A to-do of a draft. Estimates are in working days."""

    model_config = ConfigDict(from_attributes=True)

    id: uuid.UUID
    version: int
    title: str
    details: str
    priority: Literal["critical", "high", "normal", "low"]
    start_date: dt.date | None
    due_date: dt.date | None
    due_time: dt.time | None
    estimate_low_days: Decimal | None
    estimate_high_days: Decimal | None
    is_suggested: bool
    depends_on: list[uuid.UUID] = Field(description="To-dos of the draft that it waits for.")

    @field_validator("depends_on", mode="before")
    @classmethod
    def _keys(cls, links: Any) -> Any:
        rows = links.all() if hasattr(links, "all") else links
        return [getattr(row, "pk", row) for row in rows]


class DraftOut(DimensionsOut):
    """A draft, whole, with its to-dos in order. It is given up when nobody touches it."""

    status: Literal["in_progress", "completed", "abandoned"]
    dimensions_covered: list[str]
    finalized_project: uuid.UUID | None
    expires_at: dt.datetime
    tasks: list[DraftTaskOut]


def draft_out(draft: ProjectDraft) -> dict[str, Any]:
    tasks: list[DraftTask] = queries.draft_tasks_of(draft)
    project = draft.finalized_project_id
    return values_of(draft, DraftOut, tasks=tasks, finalized_project=project)
