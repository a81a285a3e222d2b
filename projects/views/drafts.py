"""Drafts: the list, the preview with the way to a project, and their plain form."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat.commands.base import Scope, build
from chat.commands.run import run, run_for
from chat.identity import identity_of
from futura.errors import BadInput, Conflict
from futura.parameters import whole
from projects import queries
from projects.commands import drafts as commands
from projects.dimensions import completeness, covered
from projects.forms import DraftForm, DraftTaskForm
from projects.models import DraftTask, ProjectDraft
from projects.project_page import conversation_url
from projects.views import answers


def own(request: HttpRequest, draft_id: uuid.UUID) -> ProjectDraft:
    """The door: the caller's draft, or NotFound."""
    return queries.draft_for(identity_of(request), draft_id)


def own_task(request: HttpRequest, draft_id: uuid.UUID, task_id: uuid.UUID) -> DraftTask:
    """The door to a to-do of this very draft."""
    return queries.draft_task_for(identity_of(request), task_id, draft=draft_id)


@require_safe
def drafts(request: HttpRequest) -> HttpResponse:
    """All that is not a project yet, and what was given up but is still kept."""
    identity = identity_of(request)
    status = ProjectDraft.Status
    own_drafts = queries.drafts_of(identity, "") if identity.is_known else []
    context: dict[str, Any] = {
        "drafts": [draft for draft in own_drafts if draft.status == status.IN_PROGRESS],
        "given_up": [draft for draft in own_drafts if draft.status == status.ABANDONED],
        "done": answers.just_done(request),
    }
    return render(request, "projects/drafts.html", context)


@require_safe
def draft(request: HttpRequest, draft_id: uuid.UUID) -> HttpResponse:
    """The preview."""
    return _page(request, own(request, draft_id))


def _page(
    request: HttpRequest,
    draft: ProjectDraft,
    *,
    problem: str = "",
    status: int = 200,
    text: str = "",
) -> HttpResponse:
    context: dict[str, Any] = {
        "draft": draft,
        "standings": completeness(draft),
        "covered": covered(draft),
        "tasks": queries.draft_tasks_of(draft),
        "talk_url": conversation_url(draft),
        "is_open": draft.status == ProjectDraft.Status.IN_PROGRESS,
        "problem": problem,
        "add_text": text,
        "done": answers.just_done(request),
    }
    return render(request, "projects/draft.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, draft_id: uuid.UUID) -> HttpResponse:
    """The draft as a plain form."""
    draft = own(request, draft_id)
    back = reverse("projects:draft", args=[draft.pk])
    return answers.edit_page(
        request, draft, DraftForm, commands.ChangeDraft, back=back, title=_("Edit draft")
    )


@require_POST
def finalise(request: HttpRequest, draft_id: uuid.UUID) -> HttpResponse:
    """Makes the project; the page of the project offers to take that back."""
    draft = own(request, draft_id)
    try:
        name = request.POST.get("name") or None
        version = whole(request.POST.get("version")) or None
        command = build(commands.FinaliseDraft, {"name": name}, id=draft.pk, version=version)
        outcome = run(command, Scope(identity_of(request)))
    except (BadInput, Conflict) as error:
        return _page(request, own(request, draft_id), problem=str(error), status=422)
    return answers.went(answers.project_url(outcome.created[0]), outcome.batch)


@require_POST
def abandon(request: HttpRequest, draft_id: uuid.UUID) -> HttpResponse:
    """Gives it up."""
    draft = own(request, draft_id)
    batch = run_for(request, commands.AbandonDraft(id=draft.pk))
    return answers.went(reverse("projects:drafts"), batch)


@require_POST
def resume(request: HttpRequest, draft_id: uuid.UUID) -> HttpResponse:
    """Takes it up again."""
    draft = own(request, draft_id)
    batch = run_for(request, commands.ResumeDraft(id=draft.pk))
    return answers.went(reverse("projects:draft", args=[draft.pk]), batch)


@require_POST
def add_task(request: HttpRequest, draft_id: uuid.UUID) -> HttpResponse:
    """A to-do by its title."""
    result = own(request, draft_id)
    title = request.POST.get("title", "")
    try:
        command = commands.CreateDraftTasks(
            draft=result.pk, tasks=(commands.NewDraftTask(title=title),)
        )
        batch = run_for(request, command)
    except (BadInput, Conflict) as error:
        return _page(request, result, problem=str(error), status=422, text=title)
    back = reverse("projects:draft", args=[result.pk])
    return answers.went(back, batch, at="tasks")


@require_http_methods(["GET", "HEAD", "POST"])
def edit_task(request: HttpRequest, draft_id: uuid.UUID, draft_task_id: uuid.UUID) -> HttpResponse:
    """Title, details and day of a to-do, and what it waits for."""
    task = own_task(request, draft_id, draft_task_id)
    tasks = queries.draft_tasks_of(task.draft)
    return answers.edit_page(
        request, task, DraftTaskForm, commands.ChangeDraftTasks,
        back=reverse("projects:draft", args=[draft_id]), at="tasks",
        template="projects/draft_task.html", title=_("Edit to-do"),
        choices={"others": [item for item in tasks if item.pk != task.pk]},
    )  # fmt: skip


@require_POST
def delete_task(
    request: HttpRequest, draft_id: uuid.UUID, draft_task_id: uuid.UUID
) -> HttpResponse:
    """Takes it out of the draft; undo stands at the top."""
    task = own_task(request, draft_id, draft_task_id)
    batch = run_for(request, commands.DeleteDraftTasks(ids=(task.pk,)))
    return answers.went(reverse("projects:draft", args=[draft_id]), batch, at="tasks")
