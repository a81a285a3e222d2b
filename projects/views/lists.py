"""The list of projects, and the ways to a new one; the one input of the first page."""

from __future__ import annotations

import uuid
from typing import Final

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat import rates
from chat.commands.base import Scope, build
from chat.commands.run import run, run_for
from chat.identity import identity_beginning, identity_of
from chat.operations.models import OperationBatch
from futura import limits
from futura.errors import BadInput
from projects import field_labels, from_survey as survey, queries
from projects.commands.drafts import DraftFromSurvey
from projects.commands.projects import CreateProject, without_nothing
from projects.forms import NewProjectForm
from projects.models import Project
from projects.views import answers
from tasks.queries import response_for


@require_safe
def projects(request: HttpRequest) -> HttpResponse:
    """The caller's projects, active ones first, or of one status only, with their progress."""
    identity = identity_of(request)
    status = request.GET.get("status", "")
    status = status if status in Project.Status.values else ""
    counts = queries.status_counts(identity) if identity.is_known else {}
    own = queries.projects_of(identity, status) if identity.is_known else []
    order = Project.Status.values
    context = {
        "projects": sorted(own, key=lambda row: order.index(row.status)),
        "status": status,
        "tabs": [(key, field_labels.PROJECT_STATUS[key], n) for key, n in counts.items() if n],
        "total": sum(counts.values()),
        "drafts": queries.drafts_of(identity) if identity.is_known else [],
        "done": answers.just_done(request),
    }
    template = "projects/_list.html" if request.htmx else "projects/list.html"  # type: ignore[attr-defined]
    return render(request, template, context)


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Offers to go on with a draft, to talk it through, or to write it down right here."""
    if request.method != "POST":
        return _new_page(request, NewProjectForm())
    form, identity = NewProjectForm(request.POST), identity_beginning(request)

    def write() -> OperationBatch:
        with transaction.atomic():  # what is refused leaves no participant behind
            values = without_nothing(form.values())
            batch = run_for(request, build(CreateProject, values, todos=form.titles()))
            rates.check(limits.START, identity)
        return batch

    sent = answers.save(form, write)
    if sent.batch is None:
        return _new_page(request, form, sent)
    operation = sent.batch.operations.get(sequence=1)
    return answers.went(answers.project_url(operation.entity_id), sent.batch)


def _new_page(
    request: HttpRequest, form: NewProjectForm, sent: answers.Sent | None = None
) -> HttpResponse:
    identity = identity_of(request)
    asks = request.method != "POST" and "fresh" not in request.GET and identity.is_known
    return answers.form_page(
        request,
        form,
        sent,
        template="projects/new.html",
        resume=queries.draft_to_resume(identity) if asks else None,
        title=_("New project"),
    )


# by the button that was pressed: the door, and the page that it belongs to
_DOORS: Final = {
    "": ("", "survey:start"),
    "job": ("", "survey:start"),
    "todo": ("todos:add", "todos:list"),
    "project": ("projects:agent_new", "projects:agent_new"),
}


@require_POST
def begin(request: HttpRequest) -> HttpResponse:
    """Passes the text on as a to-do, a project or a job title. Raises BadInput.

    `plain` is a to-do all of whose words are its title. Without a text the page opens empty.
    """
    text = request.POST.get("text", "").replace("\x00", "").strip()
    choice = "todo" if "plain" in request.POST else request.POST.get("do", "")
    if choice not in _DOORS:
        raise BadInput(_("Choose one of the buttons."), field="do")
    door, page = _DOORS[choice]
    if not text:
        return redirect(page)
    if door:
        return redirect(door, preserve_request=True)
    return redirect(f"{reverse(page)}?{urlencode({'title': text[:2_000]})}")


@require_POST
def from_survey(request: HttpRequest, session_id: uuid.UUID, task_id: uuid.UUID) -> HttpResponse:
    """Starts the draft, or leads to what was begun before."""
    identity = identity_of(request)
    response = response_for(identity, session_id)
    candidate = survey.candidate_for(response, task_id)
    if candidate.project is not None:
        return redirect(answers.project_url(candidate.project.pk))
    if candidate.draft is not None:
        return redirect("projects:draft", draft_id=candidate.draft.pk)
    outcome = run(DraftFromSurvey(task=candidate.task.pk), Scope(identity))
    return answers.went(reverse("projects:draft", args=[outcome.created[0]]), outcome.batch)
