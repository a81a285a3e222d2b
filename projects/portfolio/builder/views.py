"""Where the conversation about an entry begins, and its page: the talk beside what it makes."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat import rates
from chat.identity import identity_of
from chat.models import Session
from chat.operations import rendering
from chat.pasted import sent_ranges, sent_text
from chat.presenters import presenter_for
from chat.queries import session_for
from chat.render import page_context
from chat.views.turns import id_in
from futura import limits
from futura.errors import BadInput, FuturaError, NotFound, TooLong, TooMany
from projects import queries as projects
from projects.portfolio.builder import starting
from projects.portfolio.builder.context import entry_of
from projects.portfolio.builder.presenter import MESSAGE_CHARS, actions_for
from projects.portfolio.entries.publishing import preview_of
from projects.portfolio.entries.views.pages import page
from projects.portfolio.models import Entry, Portfolio
from projects.portfolio.queries import BUILDER, session_of


@require_http_methods(["GET", "HEAD", "POST"])
def tell(request: HttpRequest, portfolio: Portfolio) -> HttpResponse:
    """A field to tell a new piece of work in; POST makes its entry and begins the talk."""
    context = {"portfolio": portfolio, "part": "entries", "limit": MESSAGE_CHARS}
    template = "projects/portfolio/builder/tell.html"
    if request.method != "POST":
        return render(request, template, context)
    text, pasted = sent_text(request.POST), sent_ranges(request.POST)
    client_id = id_in(request.POST.get("client_id"))
    rates.check(limits.START, identity_of(request))
    try:
        words = limits.required_text(text, limit=MESSAGE_CHARS, field="text")
        session = starting.begin(portfolio, words, client_id, is_opened_with_others=bool(pasted))
    except (BadInput, TooLong) as error:
        context |= {"text": text, "problem": str(error)}
        return render(request, template, context, status=422)
    return _to_talk(session)


@require_http_methods(["GET", "HEAD", "POST"])
def workspace(request: HttpRequest, entry: Entry) -> HttpResponse:
    """The talk about an entry, or where it begins; POST says the first thing."""
    if request.method != "POST":
        return _workspace(request, entry)
    text = sent_text(request.POST).strip()
    try:
        pasted = sent_ranges(request.POST)
        if len(text) > MESSAGE_CHARS:
            raise BadInput(_("This message is too long. Send it in parts."))
        rates.check(limits.START, identity_of(request))
        starting.open_for(entry, text, is_opened_with_others=bool(pasted))
    except (BadInput, TooMany) as error:
        return _workspace(request, entry, typed=text, refusal=error)
    return redirect(entry.url("workspace"))


def _workspace(
    request: HttpRequest, entry: Entry, *, typed: str = "", refusal: FuturaError | None = None
) -> HttpResponse:
    context: dict[str, Any] = {
        "preview": preview_of(entry), "typed": typed, "problem": str(refusal or ""),
    }  # fmt: skip
    session = session_of(entry)
    if session is not None:
        context |= page_context(request, session) | rendering.panel_context(request, session)
        context |= {"session": session, "chips": actions_for(session, entry)}
    if not isinstance(refusal, TooMany):
        return page(request, entry, "workspace", context, status=422 if refusal else 200)
    answer = page(request, entry, "workspace", context, status=429)
    answer["Retry-After"] = str(refusal.retry_after_s)
    return answer


@require_POST
def story(request: HttpRequest, project_id: uuid.UUID) -> HttpResponse:
    """A first draft of an entry from a finished project's records."""
    identity = identity_of(request)
    project = projects.project_for(identity, project_id)
    portfolios = Portfolio.objects.filter(owner_id=project.owner_id, deleted_at=None)
    own = {str(portfolio.pk): portfolio for portfolio in portfolios.order_by("-updated_at")}
    if not own:
        return redirect("portfolio:home")
    portfolio = own.get(request.POST.get("portfolio", "")) or next(iter(own.values()))
    rates.check(limits.START, identity)
    return _to_talk(starting.tell_project(portfolio, project))


@require_safe
def gone(request: HttpRequest, builder_id: uuid.UUID) -> HttpResponse:
    """Where a conversation leads whose entry was deleted; else to its entry."""
    session = session_for(identity_of(request), builder_id)
    if session.kind != BUILDER:
        raise NotFound
    entry = entry_of(session)
    if entry is not None:
        return redirect(entry.url())
    return render(request, "projects/portfolio/builder/gone.html", {"session": session})


def _to_talk(session: Session) -> HttpResponse:
    return redirect(presenter_for(BUILDER).page_url(session))
