"""The duck's pages: begin, and the conversation."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from chat.actions import start_session
from chat.identity import identity_of
from chat.queries import session_for
from chat.render import page_context
from futura.errors import NotFound
from futura_guide_duck.guide import KIND, DuckState


@require_http_methods(["GET", "HEAD", "POST"])
def begin(request: HttpRequest) -> HttpResponse:
    """A page with a button, and a new conversation when it is pressed."""
    if request.method != "POST":
        return render(request, "futura_guide_duck/begin.html")
    participant = identity_of(request).participant()
    session = start_session(participant=participant, kind=KIND, state=DuckState())
    return redirect("duck:talk", session.pk)


@require_safe
def talk(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """One conversation. 404 for strangers, and for conversations of another kind."""
    session = session_for(identity_of(request), session_id)
    if session.kind != KIND:
        raise NotFound
    return render(request, "futura_guide_duck/talk.html", page_context(request, session))
