"""What to-dos, projects, drafts and notes look like to programs and agents: one shape for each."""

from __future__ import annotations

import datetime as dt
import uuid
from decimal import Decimal
from typing import Any, TypeVar

from ninja import Field, Schema

from projects import dimensions, queries
from projects.fields import DraftStatus, Priority, ProjectStatus, TaskStatus
from projects.models import Note, ProjectDraft, Task

SchemaT = TypeVar("SchemaT", bound=Schema)


class RowOut(Schema):
    """What every row has."""

    id: uuid.UUID
    version: int
    created_at: dt.datetime
    updated_at: dt.datetime


def shaped(row: Any, shape: type[SchemaT], **more: Any) -> SchemaT:
    """A row in a shape whose names are the row's own; `more` gives those that are not."""
    names = [name for name in shape.model_fields if name not in more]
    return shape(**{name: getattr(row, name) for name in names}, **more)


class TaskFieldsOut(Schema):
    """The fields that to-dos of projects and of drafts have."""

    id: uuid.UUID
    version: int
    title: str
    details: str
    priority: Priority
    start_date: dt.date | None
    due_date: dt.date | None
    due_time: dt.time | None
    estimate_low_days: Decimal | None
    estimate_high_days: Decimal | None
    assignee: str


class TodoOut(TaskFieldsOut, RowOut):
    """A to-do. Estimates are in working days; `due_time` is by the person's clock."""

    status: TaskStatus
    project: uuid.UUID | None
    depends_on: list[uuid.UUID]
    repeat: str = Field(description="An RFC 5545 rule from the due date on; empty for none.")
    remind_at: dt.datetime | None
    remind_minutes: int | None = Field(description="Minutes before it is due.")
    tags: list[str]
    completed_at: dt.datetime | None


class TodosOut(Schema):
    """One page of a list, 50 to-dos at most; `total` counts the whole list."""

    todos: list[TodoOut]
    total: int
    page: int
    has_more: bool


def todo_out(task: Task) -> TodoOut:
    waits_for = [needed.pk for needed in task.depends_on.all()]
    return shaped(task, TodoOut, project=task.project_id, depends_on=waits_for)


class NoteOut(RowOut):
    """A note, whole."""

    project: uuid.UUID
    title: str
    text: str


class NotesOut(Schema):
    """The notes of a project, newest first."""

    notes: list[NoteOut]


def note_out(note: Note) -> NoteOut:
    return shaped(note, NoteOut, project=note.project_id)


class ProjectLine(RowOut):
    """A project in a list. To-dos that were dropped do not count."""

    name: str
    status: ProjectStatus
    tags: list[str]
    start_date: dt.date | None
    end_date: dt.date | None
    todos: int
    todos_done: int


class ProjectsOut(Schema):
    """One page of projects, 50 at most; `total` counts all."""

    projects: list[ProjectLine]
    total: int
    page: int
    has_more: bool


@dimensions.with_dimensions(lambda _dimension: (str, ...))
class _Texts(RowOut):
    name: str
    description: str
    context: str
    executive_summary: str


class DimensionsOut(_Texts):
    """The fields of projects and drafts. Texts are Markdown."""

    tags: list[str]
    start_date: dt.date | None
    end_date: dt.date | None


class ProjectOut(DimensionsOut):
    """A project, whole. Texts are Markdown."""

    status: ProjectStatus
    slug: str
    time_share_before: Decimal | None
    time_share_after: Decimal | None


class DraftTaskOut(TaskFieldsOut):
    """A to-do of a draft. Estimates are in working days."""

    is_suggested: bool
    depends_on: list[uuid.UUID] = Field(description="To-dos of the draft that it waits for.")


class DraftLine(RowOut):
    """A draft in a list."""

    name: str
    status: DraftStatus


class DraftsOut(Schema):
    """Drafts, last touched first."""

    drafts: list[DraftLine]


class DraftOut(DimensionsOut):
    """A draft, whole, with its to-dos in order. It is given up when nobody touches it."""

    status: DraftStatus
    dimensions_covered: list[str]
    finalized_project: uuid.UUID | None
    expires_at: dt.datetime
    tasks: list[DraftTaskOut]


def draft_out(draft: ProjectDraft) -> DraftOut:
    tasks = [
        shaped(task, DraftTaskOut, depends_on=[needed.pk for needed in task.depends_on.all()])
        for task in queries.draft_tasks_of(draft)
    ]
    return shaped(draft, DraftOut, tasks=tasks, finalized_project=draft.finalized_project_id)
