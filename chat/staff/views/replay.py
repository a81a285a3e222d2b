"""Staff page: `/staff/sessions/<id>/replay`, a conversation step by step."""

from __future__ import annotations

import json
import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from chat.staff import audit, queries
from chat.staff.forms import narrowing
from chat.staff.models import Access
from chat.staff.replay import replay_of
from chat.staff.views.why import asks_why
from futura.given import whole
from futura.staff import allowed


@require_GET
@allowed("review")
@asks_why
def replay(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """One point of it (`?at=`, counted from 1): what was said by then, the state, what changed."""
    session = queries.session_for_staff(session_id, request.user)
    audit.read(user=request.user, session=session, kind=Access.Kind.REPLAY)
    found = replay_of(session, at=whole(request.GET.get("at")) or 1)
    query = narrowing(request.GET)
    context = {
        "session": session,
        "replay": found,
        "point": found.point,
        "state_json": json.dumps(
            dict(found.point.state) if found.point else {}, indent=2, ensure_ascii=False
        ),
        "kept_query": query,
        "before": found.at - 1 if found.at > 1 else None,
        "next": found.at + 1 if found.at < len(found.points) else None,
        "kept": [(name, value) for name, value in request.GET.items() if name in _CARRIED],
    }
    return render(request, "staff/replay.html", context)


_CARRIED = ("queue", "group", "kind", "tag", "q")
