"""Staff pages: `/staff/sessions`, the queues of the review, and `/staff/log`, who read what."""

from __future__ import annotations

import uuid
from typing import Final

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from chat.staff import audit, cards, queries, queues
from chat.staff.forms import FilterForm, LogForm, narrowing
from chat.staff.reach import is_private
from futura import roles
from futura.errors import NotFound
from futura.given import key, whole
from futura.staff import allowed

PAGE_SIZE: Final = 50


@require_GET
@allowed("review")
def session_list(request: HttpRequest) -> HttpResponse:
    """The queues with their numbers, and what stands in one of them, newest first."""
    cards.refresh()
    form = FilterForm(request.GET)
    private = _private(request, form.value("q"))
    if private is not None:
        return redirect("staff:session", session_id=private)
    narrowed = form.reviews()
    reviews = queues.reviews(narrowed, form.queue, user=request.user)
    page = Paginator(reviews, PAGE_SIZE).get_page(number(request))
    tabs = [
        (one, narrowing(request.GET, queue=one.queue.name))
        for one in queues.counts(narrowed, form.queue, user=request.user)
    ]
    context = {
        "form": form,
        "page": page,
        "rows": queries.rows_of(list(page.object_list)),
        "tabs": tabs,
        "current": next((one for one, _query in tabs if one.is_current), None),
        "kept_query": narrowing(request.GET),
        "is_narrowed": narrowing(request.GET, queue="") != "",
        "queue": form.queue,
    }
    return render(request, "staff/sessions.html", context)


def _private(request: HttpRequest, words: str) -> uuid.UUID | None:
    """The private conversation whose whole id was searched for, by somebody who may open it."""
    session_id = key(words)
    if session_id is None or not roles.may(request.user, "conversations"):
        return None
    try:
        session = queries.existing_session(session_id)
    except NotFound:
        return None
    return session.pk if is_private(session) else None


def number(request: HttpRequest) -> int:
    """The page asked for, from 1; nonsense is the first."""
    return whole(request.GET.get("page")) or 1


@require_GET
@allowed("audit")
def log(request: HttpRequest) -> HttpResponse:
    """Who of staff read which conversation and exported what, newest first."""
    form = LogForm(request.GET)
    page, entries = audit.log_page(form.rows(), page=number(request))
    kept = request.GET.copy()
    kept.pop("page", None)
    context = {"form": form, "page": page, "entries": entries, "kept_query": kept.urlencode()}
    return render(request, "staff/log.html", context)
