"""Doors to the home page: the whole of it, and the day alone when something has changed."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from chat.identity import identity_of
from projects.concierge import snapshot
from projects.concierge.home.agenda import agenda_of, review_line
from projects.concierge.page import context_for
from projects.concierge.queries import current_session
from projects.views.answers import just_done


@require_safe
@never_cache
def home(request: HttpRequest) -> HttpResponse:
    """The day beside the conversation; a newcomer is welcomed instead."""
    identity = identity_of(request)
    if not identity.is_known:
        return welcome(request)
    briefing = snapshot.of_owners(identity.participant_ids)
    agenda = agenda_of(identity, briefing)
    if agenda.is_empty and identity.user_id is None:
        return welcome(request)
    shown: dict[str, Any] = {
        **context_for(request, current_session(identity), briefing),
        "agenda": agenda,
        "done": just_done(request),
        "claimable": identity.user_id is not None and identity.cookie_participant_id is not None,
        "name": _name(request),
        "next": "/",
    }
    return render(request, "projects/home/home.html", shown)


def welcome(request: HttpRequest) -> HttpResponse:
    """What Futura is, one input, and three examples that run at once."""
    return render(request, "projects/home/welcome.html", {"next": "/"})


@require_safe
@never_cache
def day(request: HttpRequest) -> HttpResponse:
    """The day as it is now (a fragment)."""
    identity = identity_of(request)
    briefing = snapshot.of_owners(identity.participant_ids)
    shown = {"agenda": agenda_of(identity, briefing), "next": "/", "is_news": True}
    return render(request, "projects/home/_day.html", shown)


@require_safe
@never_cache
def waiting(request: HttpRequest) -> HttpResponse:
    """Every change that waits for review, the oldest first."""
    identity = identity_of(request)
    briefing = snapshot.of_owners(identity.participant_ids)
    shown = {
        "lines": [review_line(one) for one in reversed(briefing.reviews)],
        "count": briefing.review_count,
    }
    return render(request, "projects/home/waiting.html", shown)


def _name(request: HttpRequest) -> str:
    """What a person goes by, as far as it is known."""
    user = request.user
    return str(getattr(user, "first_name", "")) if user.is_authenticated else ""
