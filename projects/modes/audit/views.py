"""What one does with an audit: implement findings, answer or dismiss one, choose the tone."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from chat.identity import identity_of
from futura.errors import BadInput
from projects.modes.audit import findings
from projects.views import answers


@require_POST
def implement(request: HttpRequest, audit_id: uuid.UUID) -> HttpResponse:
    """Opens the updating conversation with the changes that wait."""
    session = findings.implement(
        identity=identity_of(request),
        session_id=audit_id,
        finding_ids=request.POST.getlist("finding")[:50],
    )
    return answers.led(request, reverse("projects:agent_talk", args=[session.pk]))


@require_POST
def harshness(request: HttpRequest, audit_id: uuid.UUID) -> HttpResponse:
    """Sets how frank the next audit is."""
    session = findings.choose_harshness(
        identity=identity_of(request),
        session_id=audit_id,
        harshness=request.POST.get("harshness", ""),
    )
    return answers.led(request, reverse("projects:agent_talk", args=[session.pk]))


@require_POST
def answer(request: HttpRequest, finding_id: uuid.UUID) -> HttpResponse:
    """Notes an answer to a finding; `dismiss` in place of words sets it aside."""
    row = findings.finding_for(identity_of(request), finding_id)
    text = "" if "dismiss" in request.POST else request.POST.get("answer", "")
    if not text.strip() and "dismiss" not in request.POST:
        raise BadInput(_("Enter an answer or dismiss the finding."), field="answer")
    findings.settle(row, text)
    return _back(request)


@require_POST
def reopen(request: HttpRequest, finding_id: uuid.UUID) -> HttpResponse:
    """Takes an answer back."""
    findings.reopen(findings.finding_for(identity_of(request), finding_id))
    return _back(request)


def _back(request: HttpRequest) -> HttpResponse:
    """To the page where the form stood."""
    return answers.led(request, answers.next_url(request, reverse("projects:list")))
