"""The conversation about an entry beside the entry itself, which grows as it is talked about."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from chat import rates
from chat.operations import rendering
from chat.pasted import sent_ranges, sent_text
from chat.render import page_context
from futura import limits
from futura.errors import BadInput, TooMany
from projects.portfolio.builder.presenter import MESSAGE_CHARS, actions_of
from projects.portfolio.builder.starting import open_for
from projects.portfolio.entries.preview import preview_of
from projects.portfolio.entries.queries import session_of
from projects.portfolio.entries.views.pages import Opened, frame, opened


@require_http_methods(["GET", "HEAD", "POST"])
def workspace(request: HttpRequest, portfolio_id: uuid.UUID, entry_id: uuid.UUID) -> HttpResponse:
    """The talk, or where it begins; POST says the first thing."""
    at = opened(request, portfolio_id, entry_id)
    if request.method != "POST":
        return _page(request, at)
    text = sent_text(request.POST).strip()
    try:
        pasted = sent_ranges(request.POST)
        if len(text) > MESSAGE_CHARS:
            raise BadInput(_("This is too long for one message; send it in parts."))
        rates.check(limits.START, at.identity)
        open_for(at.entry.owner, at.entry, text, is_opened_with_others=bool(pasted))
    except BadInput as error:
        return _page(request, at, status=422, typed=text, problem=str(error))
    except TooMany as error:
        page = _page(request, at, status=429, typed=text, problem=str(error))
        page["Retry-After"] = str(error.retry_after_s)
        return page
    return redirect(at.url("workspace"))


def _page(request: HttpRequest, at: Opened, *, status: int = 200, **more: Any) -> HttpResponse:
    context: dict[str, Any] = {
        **frame(request, at, "workspace"), "preview": preview_of(at.entry), **more,
    }  # fmt: skip
    session = session_of(at.entry)
    if session is not None:
        context |= page_context(request, session) | rendering.panel_context(request, session)
        context |= {"session": session, "next_steps": actions_of(session, entry=at.entry)}
    template = "projects/portfolio/entries/workspace.html"
    return render(request, template, context, status=status)
