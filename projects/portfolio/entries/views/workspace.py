"""The conversation about an entry beside the entry itself, which grows as it is talked about."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from chat.operations import rendering
from chat.render import page_context
from projects.portfolio.entries.panel import preview_of
from projects.portfolio.entries.talk import session_of
from projects.portfolio.entries.views.pages import frame, opened


@require_http_methods(["GET", "HEAD"])
def workspace(request: HttpRequest, portfolio_id: uuid.UUID, entry_id: uuid.UUID) -> HttpResponse:
    """The talk, or where it begins."""
    at = opened(request, portfolio_id, entry_id)
    context: dict[str, Any] = {**frame(request, at, "workspace"), "preview": preview_of(at.entry)}
    session = session_of(at.entry)
    if session is not None:
        context |= page_context(request, session) | rendering.panel_context(request, session)
        context["session"] = session
    return render(request, "projects/portfolio/entries/workspace.html", context)
