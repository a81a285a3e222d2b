"""What one does with an audit: implement findings, answer or dismiss one, choose the tone."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from chat.identity import identity_of
from projects.modes.audit import actions
from projects.views import answers


@require_POST
def implement(request: HttpRequest, audit_id: uuid.UUID) -> HttpResponse:
    """Opens the updating conversation with the changes that wait."""
    session = actions.implement(
        identity=identity_of(request),
        session_id=audit_id,
        finding_ids=request.POST.getlist("finding")[:50],
    )
    return answers.led(request, reverse("projects:agent_talk", args=[session.pk]))


@require_POST
def harshness(request: HttpRequest, audit_id: uuid.UUID) -> HttpResponse:
    """Sets how frank the next audit is."""
    session = actions.choose_harshness(
        identity=identity_of(request),
        session_id=audit_id,
        harshness=request.POST.get("harshness", ""),
    )
    return answers.led(request, reverse("projects:agent_talk", args=[session.pk]))


@require_POST
def answer(request: HttpRequest, finding_id: uuid.UUID) -> HttpResponse:
    """Notes an answer to a finding; `dismiss` in place of words sets it aside."""
    is_dismissed = "dismiss" in request.POST
    actions.answer(
        identity=identity_of(request),
        finding_id=finding_id,
        text="" if is_dismissed else request.POST.get("answer", ""),
        is_dismissed=is_dismissed,
    )
    return _back(request)


@require_POST
def reopen(request: HttpRequest, finding_id: uuid.UUID) -> HttpResponse:
    """Takes an answer back."""
    actions.reopen(identity=identity_of(request), finding_id=finding_id)
    return _back(request)


def _back(request: HttpRequest) -> HttpResponse:
    """To the page where the form stood."""
    return answers.led(request, answers.next_url(request, reverse("projects:list")))
