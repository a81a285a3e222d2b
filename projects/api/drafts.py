"""JSON for programs: a person's drafts with their to-dos, and the way to a project."""

from __future__ import annotations

import uuid
from functools import partial
from typing import Any, Final

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status

from chat import rates
from chat.api import own
from chat.commands.api import scope_of
from chat.commands.base import build
from chat.commands.run import run_by_program
from chat.identity import identity_of
from futura import limits
from projects import queries
from projects.api.doors import DeletedOut, changed, deleted
from projects.commands import drafts
from projects.commands.projects import FieldChanges
from projects.commands.reads import ListDrafts
from projects.commands.todos import TaskChanges
from projects.shapes import DraftOut, DraftsOut, draft_out

router = Router(tags=["Drafts"])
_PATH: Final = "/drafts/{uuid:draft_id}"
_AUTH: Final = own("draft_id", queries.draft_for)
_DRAFT: Final[dict[str, Any]] = {"path": _PATH, "auth": _AUTH, "url_name": "draft"}
_changed = partial(changed, "draft", queries.draft_for, draft_out)


class DraftChangedOut(Schema):
    """A draft as it is now, and the batch that undo takes."""

    draft: DraftOut
    batch_id: uuid.UUID


class FinalisedOut(Schema):
    """The project that came of a draft, and the batch whose undo opens the draft again."""

    project: uuid.UUID
    batch_id: uuid.UUID


def _own_task(request: HttpRequest) -> Any:
    """The to-do of the very draft that the address names. Raises NotFound."""
    draft = _AUTH(request)
    return own("draft_task_id", partial(queries.draft_task_for, draft=draft.pk))(request)


_TASK: Final[dict[str, Any]] = {
    "path": f"{_PATH}/tasks/{{uuid:draft_task_id}}", "auth": _own_task, "url_name": "draft_task",
    "response": DraftChangedOut,
}  # fmt: skip


@router.get("/drafts", response=DraftsOut, url_name="drafts", summary="Drafts")
def get_drafts(request: HttpRequest, of: Query[ListDrafts]) -> DraftsOut:
    """The caller's drafts, last touched first; without a status all."""
    return of.read(scope_of(request))


@router.post(
    "/drafts",
    response={201: DraftChangedOut},
    url_name="drafts",
    summary="Start a draft",
)
def post_draft(request: HttpRequest, draft: drafts.CreateDraft) -> Status[dict[str, Any]]:
    """One that belongs to no conversation."""
    rates.check(limits.DRAFT, identity_of(request))
    return Status(201, _changed(request, draft))


@router.get(**_DRAFT, response=DraftOut, summary="A draft")
def get_draft(request: HttpRequest, draft_id: uuid.UUID) -> DraftOut:
    """All its texts, and its to-dos."""
    return draft_out(queries.draft_for(identity_of(request), draft_id))


@router.patch(**_DRAFT, response=DraftChangedOut, summary="Change or clear fields of a draft")
def patch_draft(request: HttpRequest, draft_id: uuid.UUID, change: FieldChanges) -> dict[str, Any]:
    """Fields that are left out stay; null empties one. See the command `change_draft`."""
    values = change.model_dump(exclude_unset=True, by_alias=True)
    return _changed(request, build(drafts.ChangeDraft, values, id=draft_id), draft_id)


@router.delete(**_DRAFT, response=DeletedOut, summary="Delete a draft")
def delete_draft(request: HttpRequest, draft_id: uuid.UUID) -> dict[str, Any]:
    """With its to-dos; undo brings it back."""
    return deleted(request, drafts.DeleteDraft(id=draft_id))


@router.post(
    f"{_PATH}/abandon", auth=_AUTH, response=DraftChangedOut, url_name="draft_abandon",
    summary="Give a draft up",
)  # fmt: skip
def abandon_draft(request: HttpRequest, draft_id: uuid.UUID) -> dict[str, Any]:
    """It stays for 30 days."""
    return _changed(request, drafts.AbandonDraft(id=draft_id), draft_id)


@router.post(
    f"{_PATH}/resume", auth=_AUTH, response=DraftChangedOut, url_name="draft_resume",
    summary="Take a draft up again",
)  # fmt: skip
def resume_draft(request: HttpRequest, draft_id: uuid.UUID) -> dict[str, Any]:
    """One that was given up is in progress again."""
    return _changed(request, drafts.ResumeDraft(id=draft_id), draft_id)


@router.post(
    f"{_PATH}/finalise", auth=_AUTH, response={201: FinalisedOut},
    url_name="draft_finalise", summary="Make a draft a project",
)  # fmt: skip
def finalise_draft(
    request: HttpRequest, draft_id: uuid.UUID, wish: drafts.Finalisation
) -> Status[dict[str, Any]]:
    """The project, its to-dos and the draft's end: all of it, or nothing."""
    command = build(drafts.FinaliseDraft, wish.model_dump(by_alias=True), id=draft_id)
    outcome = run_by_program(scope_of(request), command)
    return Status(201, {"project": outcome.created[0], "batch_id": outcome.batch.pk})


@router.post(
    f"{_PATH}/tasks", auth=_AUTH, response={201: DraftChangedOut},
    url_name="draft_tasks", summary="Add a to-do to a draft",
)  # fmt: skip
def post_task(request: HttpRequest, draft_id: uuid.UUID, task: drafts.NewDraftTask) -> Status[Any]:
    """At its end."""
    command = drafts.CreateDraftTasks(draft=draft_id, tasks=(task,))
    return Status(201, _changed(request, command, draft_id))


@router.patch(**_TASK, summary="Change or clear fields of a draft's to-do")
def patch_task(
    request: HttpRequest, draft_id: uuid.UUID, draft_task_id: uuid.UUID, change: TaskChanges
) -> dict[str, Any]:
    """See the command `change_draft_tasks`."""
    values = change.model_dump(exclude_unset=True)
    return _changed(request, build(drafts.ChangeDraftTasks, values, ids=[draft_task_id]), draft_id)


@router.delete(**_TASK, summary="Delete a draft's to-do")
def delete_task(
    request: HttpRequest, draft_id: uuid.UUID, draft_task_id: uuid.UUID
) -> dict[str, Any]:
    """Undo brings it back."""
    return _changed(request, drafts.DeleteDraftTasks(ids=(draft_task_id,)), draft_id)
