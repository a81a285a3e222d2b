"""Pages of the concierge: home, the conversation, saying something, being greeted."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from chat import actions as chat_actions
from chat.identity import Identity, identity_beginning, identity_of
from chat.models import Session
from chat.operations import rendering
from chat.pasted import sent_ranges, sent_text
from chat.render import page_context
from chat.views.turns import id_in, is_form, json_errors
from futura.errors import FuturaError
from futura.limits import required_text
from futura.llm.stages import is_configured
from futura.parameters import own_address
from projects.concierge import actions, greeting, snapshot
from projects.concierge.agenda import agenda_of, review_line
from projects.concierge.presenter import MESSAGE_CHARS, ConciergePresenter
from projects.concierge.snapshot import Snapshot
from projects.views.answers import just_done


def context_for(
    request: HttpRequest, session: Session | None, briefing: Snapshot, *, is_known: bool = True
) -> dict[str, Any]:
    """What the partials of `templates/projects/concierge/` need.

    Without a conversation they show first suggestions by rules and a composer that begins one.
    `is_known` is false for visitors of whom nothing is known: no conversation begins by itself
    for them. Two queries beyond `chat.render.page_context`, fewer without a conversation.
    """
    is_basic = not is_configured()
    displayed: dict[str, Any] = (
        {"request": request} if session is None else page_context(request, session)
    )
    # by rules the first suggestions stand on the page already, so nothing has to begin for them
    wants = not is_basic if session is None else not actions.is_greeted(session, briefing.today)
    first = greeting.greet(briefing) if session is None else None
    displayed["concierge"] = {
        "session": session,
        "greets": is_known and wants,
        "first": first,
        "offers": first.suggestions if first else (),
        "client_id": uuid.uuid4(),
        "limit": MESSAGE_CHARS,
        "label": ConciergePresenter.composer_label,
        "placeholder": ConciergePresenter.composer_placeholder,
        "is_basic": is_basic,
    }
    return displayed


@require_safe
@never_cache
def home(request: HttpRequest) -> HttpResponse:
    """The day beside the conversation; a newcomer is welcomed instead, with one input and three
    examples that run at once.
    """
    identity = identity_of(request)
    briefing = snapshot.of_owners(identity.participant_ids) if identity.is_known else None
    agenda = agenda_of(identity, briefing) if briefing else None
    if briefing is None or agenda is None or (agenda.is_empty and identity.user_id is None):
        return render(request, "projects/home/welcome.html", {"next": "/"})
    displayed: dict[str, Any] = {
        **context_for(request, actions.current_session(identity), briefing),
        "agenda": agenda,
        "done": just_done(request),
        "claimable": identity.user_id is not None and identity.cookie_participant_id is not None,
        "name": getattr(request.user, "first_name", ""),
        "next": "/",
    }
    return render(request, "projects/home/home.html", displayed)


@require_safe
@never_cache
def day(request: HttpRequest) -> HttpResponse:
    identity = identity_of(request)
    briefing = snapshot.of_owners(identity.participant_ids)
    displayed = {"agenda": agenda_of(identity, briefing), "next": "/", "is_news": True}
    return render(request, "projects/home/_day.html", displayed)


@require_safe
@never_cache
def waiting(request: HttpRequest) -> HttpResponse:
    """Every change that waits for review, the oldest first."""
    identity = identity_of(request)
    briefing = snapshot.of_owners(identity.participant_ids)
    context = {
        "lines": [review_line(review) for review in reversed(briefing.reviews)],
        "count": briefing.review_count,
    }
    return render(request, "projects/home/waiting.html", context)


@require_safe
def concierge(request: HttpRequest) -> HttpResponse:
    identity = identity_of(request)
    return _page(request, identity, actions.current_session(identity))


@require_safe
def talk(request: HttpRequest, concierge_id: uuid.UUID) -> HttpResponse:
    identity = identity_of(request)
    return _page(request, identity, actions.concierge_session_for(identity, concierge_id))


def _page(request: HttpRequest, identity: Identity, session: Session | None) -> HttpResponse:
    briefing = snapshot.of_owners(identity.participant_ids)
    context = context_for(request, session, briefing, is_known=identity.is_known)
    if session is not None:
        context |= rendering.panel_context(request, session)
    return render(request, "projects/concierge/talk.html", context)


@require_POST
@json_errors
def say(request: HttpRequest) -> HttpResponse:
    identity = identity_beginning(request)
    text, pasted = sent_text(request.POST), sent_ranges(request.POST)
    required_text(text, limit=MESSAGE_CHARS, field="text")
    client_id = id_in(request.POST.get("client_id"))
    session = actions.current_session(identity)
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
@json_errors
def tick(request: HttpRequest, concierge_id: uuid.UUID) -> HttpResponse:
    """Says which rows of the list that stands open are meant (`key`, any number of `pick`)."""
    identity = identity_of(request)
    session = actions.concierge_session_for(identity, concierge_id)
    actions.tick(
        identity=identity, session=session,
        key=request.POST.get("key", "")[:40], picked=request.POST.getlist("pick"),
    )  # fmt: skip
    return HttpResponse(status=204) if _is_htmx(request) else _back(request, session.pk)


@require_POST
@json_errors
def new(request: HttpRequest) -> HttpResponse:
    """Another conversation, which begins with a greeting; one that is new still is taken."""
    identity = identity_beginning(request)
    session = actions.current_session(identity)
    if session is not None and actions.is_untouched(session):
        actions.greet(identity=identity, session=session)
        return _back(request, session.pk)
    return _back(request, actions.say(identity=identity, session=None).session_id)


@require_POST
@json_errors
def greet(request: HttpRequest) -> HttpResponse:
    """Today's greeting in the running conversation; `again=1` for fresh suggestions.

    A page that has no conversation yet is loaded anew, with the one that begins here.
    """
    identity = identity_of(request)
    session = actions.current_session(identity)
    if session is None:
        return _back(request, actions.say(identity=identity, session=None).session_id)
    actions.greet(identity=identity, session=session, again=request.POST.get("again") == "1")
    return HttpResponse(status=204) if _is_htmx(request) else _back(request, session.pk)


def _back(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """The page that asked, when it is one of ours and shows the running conversation."""
    there = reverse("concierge:talk", args=[session_id])
    url = own_address(request, request.POST.get("next", ""), there)
    if _is_htmx(request):
        return HttpResponse(status=204, headers={"HX-Redirect": url})
    return HttpResponseRedirect(url, status=303)


def _is_htmx(request: HttpRequest) -> bool:
    return bool(getattr(request, "htmx", False))
