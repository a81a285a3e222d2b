"""Staff's doors to lists: corrections that can be taken back, and the second coding."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
    require_safe,
)

from chat.commands.base import build
from chat.commands.run import run
from chat.staff import audit
from chat.staff.queries import session_for_staff
from chat.staff.views.sessions import address, page
from futura.errors import BadInput, Conflict
from futura.parameters import key, whole
from futura.rows import only
from futura.staff import allowed
from tasks.commands.base import TaskCommand
from tasks.commands.edit import MergeTasks
from tasks.commands.matches import NONE_OF_THESE, ChooseMatch
from tasks.models import SurveyResponse
from tasks.queries import task_of
from tasks.staff import second
from tasks.staff.commands import CorrectTask, ReviewScope, TakeOut, reason_in, undo_correction
from tasks.staff.panel import next_doubt
from tasks.views.fragments import version_in


@require_POST
@allowed("review")
def correct(
    request: HttpRequest, session_id: uuid.UUID, task_id: uuid.UUID, form: str
) -> HttpResponse:
    """Runs the command that a form stands for, then shows the task it made, or the one it is of.

    After a match was chosen, the next doubtful task is in view. What is refused is said beside
    the form, with every word that was typed. Raises NotFound.
    """
    session, sent = session_for_staff(session_id, request.user), request.POST
    response = only(SurveyResponse.objects.filter(pk=session.pk))
    task = task_of(response, task_id)
    try:
        reason = reason_in(sent.get("reason", ""), _usual_reason(form, sent))
        name = "match_version" if form == "match" else "version"
        values = {"survey": session.pk, "task": task.pk, "version": version_in(sent, name)}
        kind, more = _command_for(form, sent, reason)
        command = build(kind, {**values, **more})
        outcome = run(command, ReviewScope(session, request.user, reason))
    except (BadInput, Conflict) as error:
        refused = {"form": form, "task_id": task.pk, "says": str(error)}
        refused |= {"sent": sent.dict(), "others": sent.getlist("others")}
        requested = {"show": "tasks", "task": str(task.pk), "find": sent.get("words", "")}
        status = 422 if isinstance(error, BadInput) else error.status
        return page(request, session, overrides=requested, status=status, refused=refused)
    tasks = response.tasks.filter(pk__in=outcome.created).values_list("pk", flat=True)
    first = next(iter(tasks), task.pk)
    if form == "match":
        first = next_doubt(response, task).pk
    to = address(session, request, show="tasks", task=str(first))
    return HttpResponseRedirect(to, status=303)


def _command_for(
    form: str, sent: QueryDict, reason: str
) -> tuple[type[TaskCommand], dict[str, Any]]:
    """The command that a form stands for, and its values. Raises BadInput."""
    if form == "match":
        values = {"candidate": sent.get("candidate", ""), "words": sent.get("words", "")}
        return ChooseMatch, {**values, "reason": reason}
    if form == "merge":
        return MergeTasks, {"others": [_key(other, "others") for other in sent.getlist("others")]}
    if form == "take_out":
        place = whole(sent.get("place", ""), digits=3)
        return TakeOut, {"place": -1 if place is None else place}
    return CorrectTask, {"statement": sent.get("statement", ""), "group": sent.get("group", "")}


def _usual_reason(form: str, sent: QueryDict) -> str:
    """What stands for a reason where the form asks for none."""
    if form == "take_out":
        return _("These are two different tasks.")
    if form != "match":
        return ""
    if sent.get("candidate") == NONE_OF_THESE:
        return _("None of the statements fits.")
    return _("This statement fits better.")


@require_POST
@allowed("review")
def take_back(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    session = session_for_staff(session_id, request.user)
    undo_correction(
        user=request.user, session=session, batch_id=_key(request.POST.get("batch", ""), "batch")
    )
    messages.success(request, _("Undone."))
    to = address(session, request, show="tasks", task=request.GET.get("task", ""))
    return HttpResponseRedirect(to, status=303)


def _key(text: str, field: str) -> uuid.UUID:
    """An id of what a form lists. Raises BadInput that names the field."""
    listed = key(text)
    if listed is None:
        raise BadInput(_("Select one from the list."), field=field)
    return listed


# The second coding -------------------------------------------------------------------------------
def _campaign(request: HttpRequest) -> uuid.UUID | None:
    return key(request.GET.get("group"))


def _campaign_query(request: HttpRequest) -> str:
    campaign_id = _campaign(request)
    return f"?group={campaign_id}" if campaign_id else ""


def _goto(request: HttpRequest, name: str, *ids: uuid.UUID) -> HttpResponse:
    to = reverse(f"staff_tasks:{name}", args=ids) + _campaign_query(request)
    return HttpResponseRedirect(to, status=303)


@require_safe
@allowed("review")
def overview(request: HttpRequest) -> HttpResponse:
    """Agreement by campaign, and where the coders disagree."""
    return _overview(request)


def _overview(request: HttpRequest, *, status: int = 200) -> HttpResponse:
    total, lines = second.lines()
    campaign_id = _campaign(request)
    page, disagreements = second.disagreements(
        campaign_id=campaign_id, page=request.GET.get("page", "")
    )
    context = {
        "total": total,
        "lines": lines,
        "page": page,
        "disagreements": disagreements,
        "waiting": second.open_for(request.user, campaign_id=campaign_id)[:1].exists(),
        "campaign_query": _campaign_query(request),
    }
    return render(request, "tasks/staff_second.html", context, status=status)


@require_GET
@allowed("review")
def following(request: HttpRequest) -> HttpResponse:
    """To the next task to code; to the overview when there is none."""
    return _next(request)


def _next(request: HttpRequest) -> HttpResponse:
    match = second.open_for(request.user, campaign_id=_campaign(request)).first()
    if match is None:
        messages.success(request, _("There are no tasks left for second coding."))
        return _goto(request, "second")
    return _goto(request, "code", match.task_id)


@require_http_methods(["GET", "HEAD", "POST"])
@allowed("review")
def code(request: HttpRequest, task_id: uuid.UUID) -> HttpResponse:
    """One task without its match; POST keeps the choice and goes to the next."""
    try:
        if request.method == "POST":
            candidate = request.POST.get("candidate", "")
            second.code(user=request.user, task_id=task_id, candidate=candidate)
            return _next(request)
        match = second.due(request.user, task_id)
    except Conflict as error:
        messages.warning(request, str(error))
        return _overview(request, status=error.status)
    audit.read(user=request.user, session=match.task.response.session)
    context = {
        "task": match.task,
        "candidates": second.blind(match),
        "last": second.last_of(request.user),
        "campaign_query": _campaign_query(request),
    }
    return render(request, "tasks/staff_code.html", context)
