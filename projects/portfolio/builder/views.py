"""Where the conversation about an entry begins; its page is the entry's own."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat import rates
from chat.identity import identity_of
from chat.models import Session
from chat.pasted import sent_ranges, sent_text
from futura import limits
from futura.errors import BadInput, NotFound, TooLong
from projects import queries as projects
from projects.portfolio import queries
from projects.portfolio.builder import starting
from projects.portfolio.builder.presenter import MESSAGE_CHARS, workspace_url
from projects.portfolio.models import Portfolio


@require_http_methods(["GET", "HEAD", "POST"])
def tell(request: HttpRequest, portfolio_id: uuid.UUID) -> HttpResponse:
    """A field to tell a new piece of work in; POST makes its entry and begins the talk."""
    identity = identity_of(request)
    portfolio = queries.portfolio_for(identity, portfolio_id)
    context = {"portfolio": portfolio, "part": "entries", "limit": MESSAGE_CHARS}
    if request.method != "POST":
        return render(request, "projects/portfolio/builder/tell.html", context)
    text, pasted = sent_text(request.POST), sent_ranges(request.POST)
    rates.check(limits.START, identity)
    try:
        words = limits.required_text(text, limit=MESSAGE_CHARS, field="text")
        session = starting.begin(
            portfolio.owner, portfolio, words, _client_id(request),
            is_opened_with_others=bool(pasted),
        )  # fmt: skip
    except (BadInput, TooLong) as error:
        context |= {"text": text, "problem": str(error)}
        return render(request, "projects/portfolio/builder/tell.html", context, status=422)
    return _to_talk(session)


@require_POST
def story(request: HttpRequest, project_id: uuid.UUID) -> HttpResponse:
    """A first draft of an entry from a finished project's records."""
    identity = identity_of(request)
    project = projects.project_for(identity, project_id)
    own = Portfolio.objects.filter(owner_id=project.owner_id, deleted_at=None).order_by(
        "-updated_at"
    )
    portfolio = _chosen(request, list(own))
    if portfolio is None:
        return redirect("portfolio:home")
    rates.check(limits.START, identity)
    return _to_talk(starting.tell_project(project.owner, portfolio, project))


@require_safe
def gone(request: HttpRequest, builder_id: uuid.UUID) -> HttpResponse:
    """Where a conversation leads whose entry was deleted; else to its entry."""
    session = starting.builder_session_for(identity_of(request), builder_id)
    entry = starting.entry_of(session)
    if entry is not None:
        return redirect(workspace_url(entry))
    return render(request, "projects/portfolio/builder/gone.html", {"session": session})


def _to_talk(session: Session) -> HttpResponse:
    entry = starting.entry_of(session)
    if entry is None:
        raise NotFound
    return redirect(workspace_url(entry))


def _client_id(request: HttpRequest) -> uuid.UUID | None:
    """What makes a resend harmless. Raises BadInput."""
    told = request.POST.get("client_id", "")
    try:
        return uuid.UUID(told) if told else None
    except ValueError:
        raise BadInput(_("Send it once more, please."), field="client_id") from None


def _chosen(request: HttpRequest, own: list[Portfolio]) -> Portfolio | None:
    named = request.POST.get("portfolio", "")
    return next((one for one in own if str(one.pk) == named), own[0] if own else None)
