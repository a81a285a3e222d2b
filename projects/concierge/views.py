"""Pages of the concierge: the conversation, saying something, starting another, being greeted."""

from __future__ import annotations

import uuid

from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe

from chat import actions as chat_actions
from chat import rates
from chat.commands.base import build
from chat.commands.scope import OwnScope
from chat.identity import Identity, identity_of
from chat.models import Session
from chat.operations import rendering
from chat.pasted import sent_ranges, sent_text
from chat.views.turns import id_in, is_form, told
from futura import limits
from futura.errors import FuturaError
from futura.limits import required_text
from projects.concierge import actions, page, queries, snapshot
from projects.concierge.commands import StartConversation
from projects.concierge.presenter import MESSAGE_CHARS


@require_safe
def concierge(request: HttpRequest) -> HttpResponse:
    """The running conversation, or the way to begin one."""
    identity = identity_of(request)
    return _page(request, identity, queries.current_session(identity))


@require_safe
def talk(request: HttpRequest, concierge_id: uuid.UUID) -> HttpResponse:
    """One conversation, an earlier one too."""
    identity = identity_of(request)
    return _page(request, identity, queries.concierge_session_for(identity, concierge_id))


def _page(request: HttpRequest, identity: Identity, session: Session | None) -> HttpResponse:
    briefing = snapshot.of_owners(identity.participant_ids)
    shown = page.context_for(request, session, briefing, is_known=identity.is_known)
    shown["start_projects"] = queries.projects_to_start(identity)
    if session is not None:
        shown |= rendering.panel_context(request, session)
    return render(request, "projects/concierge/talk.html", shown)


@require_POST
@told
def say(request: HttpRequest) -> HttpResponse:
    """Says something in the running conversation, or begins one with it (`text`, `next`)."""
    identity = identity_of(request)
    text, pasted = sent_text(request.POST), sent_ranges(request.POST)
    required_text(text, limit=MESSAGE_CHARS, field="text")
    client_id = id_in(request.POST.get("client_id"))
    session = queries.current_session(identity)
    try:
        run = actions.say(
            identity=identity, session=session, text=text, client_id=client_id, pasted=pasted
        )
    except FuturaError:
        if session is not None and is_form(request):
            chat_actions.keep_refused(identity=identity, session=session, text=text)
        raise
    return _back(request, run.session_id)


@require_POST
@told
def tick(request: HttpRequest, concierge_id: uuid.UUID) -> HttpResponse:
    """Says which rows of the list that stands open are meant (`key`, any number of `pick`)."""
    identity = identity_of(request)
    session = queries.concierge_session_for(identity, concierge_id)
    actions.tick(
        identity=identity, session=session,
        key=request.POST.get("key", "")[:40], picked=request.POST.getlist("pick"),
    )  # fmt: skip
    return HttpResponse(status=204) if _is_htmx(request) else _back(request, session.pk)


@require_POST
@told
def new(request: HttpRequest) -> HttpResponse:
    """Another conversation, which begins with a greeting; one that is new still is taken."""
    identity = identity_of(request)
    session = queries.current_session(identity)
    if session is not None and queries.is_untouched(session):
        actions.greet(identity=identity, session=session)
        return _back(request, session.pk)
    return _back(request, actions.say(identity=identity, session=None).session_id)


@require_POST
@told
def start(request: HttpRequest) -> HttpResponse:
    """Opens a conversation of its own (`kind`, `project`, `text`) and leads there."""
    identity = identity_of(request)
    values = {"kind": request.POST.get("kind", ""), "project": request.POST.get("project") or None,
              "says": request.POST.get("text", "").strip() or None}  # fmt: skip
    command = build(StartConversation, values)
    with transaction.atomic():  # what is refused is not counted
        opened = command.act(OwnScope(identity))
        rates.check(limits.START, identity)
    return HttpResponseRedirect(opened.url, status=303)


@require_POST
@told
def greet(request: HttpRequest) -> HttpResponse:
    """Today's greeting in the running conversation; `again=1` for fresh suggestions.

    A page that has no conversation yet is loaded anew, with the one that begins here.
    """
    identity = identity_of(request)
    session = queries.current_session(identity)
    if session is None:
        return _back(request, actions.say(identity=identity, session=None).session_id)
    actions.greet(identity=identity, session=session, again=request.POST.get("again") == "1")
    return HttpResponse(status=204) if _is_htmx(request) else _back(request, session.pk)


def _back(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """The page that asked, when it is one of ours and shows the running conversation; the
    conversation itself for `?talk=1`.
    """
    asked = "" if "talk" in request.GET else request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(asked, allowed_hosts={request.get_host()})
    url = asked if asked and is_ours else reverse("concierge:talk", args=[session_id])
    if _is_htmx(request):
        return HttpResponse(status=204, headers={"HX-Redirect": url})
    return HttpResponseRedirect(url, status=303)


def _is_htmx(request: HttpRequest) -> bool:
    return bool(getattr(request, "htmx", False))
