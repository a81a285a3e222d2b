"""Staff pages: `/staff/second`, agreement and disagreements, and one task to code blind."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from chat.staff import audit
from futura.errors import BadInput
from futura.given import key
from futura.staff import allowed
from tasks.staff import second


def _campaign(request: HttpRequest) -> uuid.UUID | None:
    return key(request.GET.get("group"))


def _kept(request: HttpRequest) -> str:
    campaign_id = _campaign(request)
    return f"?group={campaign_id}" if campaign_id else ""


@require_http_methods(["GET", "HEAD", "POST"])
@allowed("review")
def overview(request: HttpRequest) -> HttpResponse:
    """Agreement by campaign, and what is to be settled; POST settles one."""
    if request.method == "POST":
        sent = request.POST
        second.settle(user=request.user, task_id=_task(sent.get("task")), take=sent.get("take", ""))
        messages.success(request, _("Settled."))
        return HttpResponseRedirect(reverse("staff_tasks:second") + _kept(request), status=303)
    total, lines = second.lines()
    campaign_id = _campaign(request)
    context = {
        "total": total,
        "lines": lines,
        "disputes": second.disputes(campaign_id=campaign_id),
        "waiting": second.open_for(request.user, campaign_id=campaign_id)[:1].exists(),
        "kept": _kept(request),
    }
    return render(request, "tasks/staff_second.html", context)


def _task(sent: object) -> uuid.UUID:
    found = key(sent)
    if found is None:
        raise BadInput(_("Choose one of those listed."), field="task")
    return found


@require_GET
@allowed("review")
def following(request: HttpRequest) -> HttpResponse:
    """To the next task to code; to the overview when there is none."""
    return _next(request)


def _next(request: HttpRequest) -> HttpResponse:
    match = second.open_for(request.user, campaign_id=_campaign(request)).first()
    if match is None:
        messages.success(request, _("Nothing is left to code a second time."))
        return HttpResponseRedirect(reverse("staff_tasks:second") + _kept(request), status=303)
    to = reverse("staff_tasks:code", args=[match.task_id])
    return HttpResponseRedirect(to + _kept(request), status=303)


@require_http_methods(["GET", "HEAD", "POST"])
@allowed("review")
def code(request: HttpRequest, task_id: uuid.UUID) -> HttpResponse:
    """One task without its match; POST keeps the choice and goes to the next."""
    found = second.blind(request.user, task_id)
    if request.method == "POST":
        second.code(user=request.user, task_id=task_id, candidate=request.POST.get("candidate", ""))
        return _next(request)
    if not found.hindrance:
        audit.read(user=request.user, session=found.task.response.session)
    context = {"blind": found, "task": found.task, "kept": _kept(request)}
    return render(request, "tasks/staff_code.html", context)
