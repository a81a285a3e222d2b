"""JSON for programs: a person's drafts with their to-dos, and the way to a project."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any, Final, Literal

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import BaseModel, ConfigDict, Field

from chat import rates
from chat.commands.api import REFUSALS, run_by_program
from chat.commands.base import Command, build
from chat.identity import identity_of
from futura import limits
from futura.errors import NotFound
from projects import queries
from projects.commands.draft_tasks import (
    ChangeDraftTasks,
    CreateDraftTasks,
    DeleteDraftTasks,
    DraftTaskFields,
    NewDraftTask,
)
from projects.commands.drafts import (
    AbandonDraft,
    ChangeDraft,
    CreateDraft,
    DeleteDraft,
    FinaliseDraft,
    ResumeDraft,
)
from projects.commands.project_fields import ProjectFields
from projects.commands.texts import TextPart
from projects.models import ProjectDraft
from projects.shapes import DraftOut, draft_out

router = Router(tags=["Drafts"])
_ONE: Final = "/drafts/{uuid:draft_id}"
_TASK: Final = f"{_ONE}/tasks/{{uuid:draft_task_id}}"


class DraftLine(Schema):
    """A draft in a list."""

    id: uuid.UUID
    version: int
    name: str
    status: Literal["in_progress", "completed", "abandoned"]
    created_at: dt.datetime
    updated_at: dt.datetime


class DraftsOut(Schema):
    """Drafts, last touched first."""

    drafts: list[DraftLine]


class ChangedOut(Schema):
    """A draft as it is now, and the batch that undo takes."""

    draft: DraftOut
    batch_id: uuid.UUID


class FinalisedOut(Schema):
    """The project that came of a draft, and the batch whose undo opens the draft again."""

    project: uuid.UUID
    batch_id: uuid.UUID


class DeletedOut(Schema):
    """The batch whose undo brings the draft back."""

    batch_id: uuid.UUID


class DraftChange(ProjectFields):
    """Fields that are left out stay; null empties one. See the command `change_draft`."""

    parts: tuple[TextPart, ...] = ()
    version: int | None = None


class DraftTaskChange(DraftTaskFields):
    """Fields that are left out stay; null empties one that can be empty."""

    append_details: str | None = None
    version: int | None = None


class FinaliseIn(BaseModel):
    """How the project shall be made."""

    model_config = ConfigDict(extra="forbid")

    name: str | None = Field(None, description="When it gets another name than the draft's.")
    with_suggested: bool = True
    version: int | None = None


class ListOf(Schema):
    """Which drafts; without a status all."""

    status: Literal["", "in_progress", "completed", "abandoned"] = ""


def _own(request: HttpRequest) -> ProjectDraft:
    """The caller's draft, looked at before anything that was sent. Raises NotFound."""
    match = request.resolver_match
    assert match is not None  # noqa: S101 - a view is running
    draft = queries.draft_for(identity_of(request), uuid.UUID(str(match.kwargs["draft_id"])))
    if "draft_task_id" in match.kwargs:
        task = queries.draft_task_for(identity_of(request), match.kwargs["draft_task_id"])
        if task.draft_id != draft.pk:
            raise NotFound
    return draft


@router.get("/drafts", response={200: DraftsOut, **REFUSALS}, url_name="drafts", summary="Drafts")
def get_drafts(request: HttpRequest, of: Query[ListOf]) -> dict[str, Any]:
    """The caller's drafts, last touched first."""
    return {"drafts": queries.drafts_of(identity_of(request), of.status)}


@router.post(
    "/drafts", response={201: ChangedOut, **REFUSALS}, url_name="drafts", summary="Start a draft"
)
def post_draft(request: HttpRequest, draft: ProjectFields) -> Status[dict[str, Any]]:
    """One that belongs to no conversation."""
    rates.check(limits.DRAFT, identity_of(request))
    values = draft.model_dump(by_alias=True, exclude_none=True)
    outcome = run_by_program(request, build(CreateDraft, values))
    return Status(201, _out(request, outcome.created[0], outcome.batch.pk))


@router.get(
    _ONE, auth=_own, response={200: DraftOut, **REFUSALS}, url_name="draft", summary="A draft"
)
def get_draft(request: HttpRequest, draft_id: uuid.UUID) -> dict[str, Any]:
    """All its texts, and its to-dos."""
    return _draft(request, draft_id)


@router.patch(
    _ONE, auth=_own, response={200: ChangedOut, **REFUSALS}, url_name="draft",
    summary="Change or clear fields of a draft",
)  # fmt: skip
def patch_draft(request: HttpRequest, draft_id: uuid.UUID, change: DraftChange) -> dict[str, Any]:
    """A draft that was given up is taken up again first."""
    values = change.model_dump(exclude_unset=True, by_alias=True)
    return _ran(request, draft_id, build(ChangeDraft, values, id=draft_id))


@router.delete(
    _ONE, auth=_own, response={200: DeletedOut, **REFUSALS}, url_name="draft",
    summary="Delete a draft",
)  # fmt: skip
def delete_draft(request: HttpRequest, draft_id: uuid.UUID) -> dict[str, Any]:
    """With its to-dos; undo brings it back."""
    return {"batch_id": run_by_program(request, DeleteDraft(id=draft_id)).batch.pk}


@router.post(
    f"{_ONE}/abandon", auth=_own, response={200: ChangedOut, **REFUSALS},
    url_name="draft_abandon", summary="Give a draft up",
)  # fmt: skip
def abandon_draft(request: HttpRequest, draft_id: uuid.UUID) -> dict[str, Any]:
    """It stays for 30 days."""
    return _ran(request, draft_id, AbandonDraft(id=draft_id))


@router.post(
    f"{_ONE}/resume", auth=_own, response={200: ChangedOut, **REFUSALS},
    url_name="draft_resume", summary="Take a draft up again",
)  # fmt: skip
def resume_draft(request: HttpRequest, draft_id: uuid.UUID) -> dict[str, Any]:
    """One that was given up is in progress again."""
    return _ran(request, draft_id, ResumeDraft(id=draft_id))


@router.post(
    f"{_ONE}/finalise", auth=_own, response={201: FinalisedOut, **REFUSALS},
    url_name="draft_finalise", summary="Make a draft a project",
)  # fmt: skip
def finalise_draft(
    request: HttpRequest, draft_id: uuid.UUID, wish: FinaliseIn
) -> Status[dict[str, Any]]:
    """The project, its to-dos and the draft's end: all of it, or nothing."""
    outcome = run_by_program(request, build(FinaliseDraft, wish.model_dump(), id=draft_id))
    return Status(201, {"project": outcome.created[0], "batch_id": outcome.batch.pk})


@router.post(
    f"{_ONE}/tasks", auth=_own, response={201: ChangedOut, **REFUSALS},
    url_name="draft_tasks", summary="Add a to-do to a draft",
)  # fmt: skip
def post_task(request: HttpRequest, draft_id: uuid.UUID, task: NewDraftTask) -> Status[Any]:
    """At its end."""
    return Status(201, _ran(request, draft_id, CreateDraftTasks(draft=draft_id, tasks=(task,))))


@router.patch(
    _TASK, auth=_own, response={200: ChangedOut, **REFUSALS}, url_name="draft_task",
    summary="Change or clear fields of a draft's to-do",
)  # fmt: skip
def patch_task(
    request: HttpRequest, draft_id: uuid.UUID, draft_task_id: uuid.UUID, change: DraftTaskChange
) -> dict[str, Any]:
    """See the command `change_draft_tasks`."""
    values = change.model_dump(exclude_unset=True)
    return _ran(request, draft_id, build(ChangeDraftTasks, values, ids=[draft_task_id]))


@router.delete(
    _TASK, auth=_own, response={200: ChangedOut, **REFUSALS}, url_name="draft_task",
    summary="Delete a draft's to-do",
)  # fmt: skip
def delete_task(
    request: HttpRequest, draft_id: uuid.UUID, draft_task_id: uuid.UUID
) -> dict[str, Any]:
    """Undo brings it back."""
    return _ran(request, draft_id, DeleteDraftTasks(ids=(draft_task_id,)))


def _ran(request: HttpRequest, draft_id: uuid.UUID, command: Command) -> dict[str, Any]:
    return _out(request, draft_id, run_by_program(request, command).batch.pk)


def _out(request: HttpRequest, draft_id: uuid.UUID, batch_id: uuid.UUID) -> dict[str, Any]:
    return {"draft": _draft(request, draft_id), "batch_id": batch_id}


def _draft(request: HttpRequest, draft_id: uuid.UUID) -> dict[str, Any]:
    return draft_out(queries.draft_for(identity_of(request), draft_id))
