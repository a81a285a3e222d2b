"""Staff page: why somebody reads what is private, asked before any of it is shown."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST

from chat.models import Session
from chat.presenters import presenter_for
from chat.staff import queries
from chat.staff.audit import ReasonNeeded, is_private, state_reason
from futura.errors import BadInput
from futura.parameters import own_address
from futura.staff import allowed

View = Callable[..., HttpResponseBase]


def asks_why(view: View) -> View:
    """Shows the question in place of a page that wants a reason; under `allowed`."""

    @wraps(view)
    def asking(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except ReasonNeeded as error:
            back = request.get_full_path() if request.method == "GET" else ""
            return _question(request, error.session, back)

    return asking


def _question(
    request: HttpRequest, session: Session | None, back: str, *, refusal: str = ""
) -> HttpResponse:
    context = {
        "session": session,
        "name": presenter_for(session.kind).name if session else "",
        "address": _url(session),
        "back": back,
        "refusal": refusal,
        "reason": request.POST.get("reason", "") if refusal else "",
    }
    return render(request, "staff/why.html", context, status=422 if refusal else 403)


def _url(session: Session | None) -> str:
    return reverse("staff:why", args=[session.pk]) if session else reverse("staff:why_changes")


@require_POST
@allowed("conversations")
def of_session(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """Takes the reason (`reason`) for a private conversation and opens it; a survey needs none."""
    session = queries.existing_session(session_id)
    page = reverse("staff:session", args=[session.pk])
    return _stated(request, session, page) if is_private(session) else HttpResponseRedirect(page)


@require_POST
@allowed("conversations")
def of_changes(request: HttpRequest) -> HttpResponse:
    """Takes the reason for the changes of private things and shows them."""
    return _stated(request, None, f"{reverse('staff_operations:batches')}?private=1")


def _stated(request: HttpRequest, session: Session | None, page: str) -> HttpResponse:
    back = request.POST.get("next", "")
    try:
        state_reason(user=request.user, session=session, reason=request.POST.get("reason", ""))
    except BadInput as error:
        return _question(request, session, back, refusal=str(error))
    return HttpResponseRedirect(own_address(request, back, page), status=303)
