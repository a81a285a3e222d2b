"""What one does with an audit: let findings be implemented, choose how frank it is."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from chat.identity import identity_of
from chat.models import Session
from projects.agent.audit import implementing


@require_POST
def implement(request: HttpRequest, audit_id: uuid.UUID) -> HttpResponse:
    """Opens the updating conversation with the changes that wait."""
    chosen = request.POST.getlist("finding")[:50]
    made = implementing.implement(
        identity=identity_of(request), session_id=audit_id, finding_ids=chosen
    )
    return _to(request, made)


@require_POST
def harshness(request: HttpRequest, audit_id: uuid.UUID) -> HttpResponse:
    """Sets how frank the next audit is."""
    session = implementing.choose_harshness(
        identity=identity_of(request),
        session_id=audit_id,
        harshness=request.POST.get("harshness", ""),
    )
    return _to(request, session)


def _to(request: HttpRequest, session: Session) -> HttpResponse:
    url = reverse("projects:agent_talk", args=[session.pk])
    return HttpResponseClientRedirect(url) if getattr(request, "htmx", False) else redirect(url)
