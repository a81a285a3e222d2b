"""What one does with an audit: implement findings, answer or dismiss one, choose the tone."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from chat.identity import identity_of
from chat.models import Session
from projects.modes.audit import actions, implementing


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
    session = actions.choose_harshness(
        identity=identity_of(request),
        session_id=audit_id,
        harshness=request.POST.get("harshness", ""),
    )
    return _to(request, session)


@require_POST
def answer(request: HttpRequest, finding_id: uuid.UUID) -> HttpResponse:
    """Notes an answer to a finding; `dismiss` in place of words sets it aside."""
    text = "" if "dismiss" in request.POST else request.POST.get("answer", "")
    actions.answer(
        identity=identity_of(request),
        finding_id=finding_id,
        text=text,
        is_dismissed="dismiss" in request.POST,
    )
    return _back(request)


@require_POST
def reopen(request: HttpRequest, finding_id: uuid.UUID) -> HttpResponse:
    """Takes an answer back."""
    actions.reopen(identity=identity_of(request), finding_id=finding_id)
    return _back(request)


def _back(request: HttpRequest) -> HttpResponse:
    """To the page where the form stood."""
    address = request.POST.get("next", "")
    is_ours = address.isprintable() and url_has_allowed_host_and_scheme(
        address, allowed_hosts={request.get_host()}
    )
    if not (address and is_ours):
        address = reverse("projects:list")
    return (
        HttpResponseClientRedirect(address)
        if getattr(request, "htmx", False)
        else HttpResponseRedirect(address)
    )


def _to(request: HttpRequest, session: Session) -> HttpResponse:
    url = reverse("projects:agent_talk", args=[session.pk])
    return HttpResponseClientRedirect(url) if getattr(request, "htmx", False) else redirect(url)
