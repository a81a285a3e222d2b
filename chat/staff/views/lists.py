"""Staff pages: `/staff/sessions`, the queues of the review, and `/staff/log`, who read what."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from chat.staff import audit, cards, queries, queues
from chat.staff.forms import FilterForm, LogForm, narrowing
from futura.staff import allowed


@require_GET
@allowed("review")
def session_list(request: HttpRequest) -> HttpResponse:
    """The queues with their numbers, and what stands in one of them, newest first."""
    cards.refresh()
    form = FilterForm(request.GET, user=request.user)
    filters = form.filters()
    page, rows = queries.sessions_page(filters, page=number(request), user=request.user)
    tabs = [
        (one, narrowing(request.GET, queue=one.queue.name))
        for one in queues.counts(filters, user=request.user)
    ]
    context = {
        "form": form,
        "page": page,
        "rows": rows,
        "tabs": tabs,
        "current": next((one for one, _query in tabs if one.is_current), None),
        "kept_query": narrowing(request.GET),
        "is_narrowed": narrowing(request.GET, queue="") != "",
        "queue": filters.queue,
    }
    return render(request, "staff/sessions.html", context)


def number(request: HttpRequest) -> int:
    """The page asked for, from 1; nonsense is the first."""
    text = request.GET.get("page", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else 1


@require_GET
@allowed("audit")
def log(request: HttpRequest) -> HttpResponse:
    """Who of staff read which conversation and exported what, newest first."""
    form = LogForm(request.GET)
    page, entries = audit.log_page(form.narrowed(), page=number(request))
    kept = request.GET.copy()
    kept.pop("page", None)
    context = {"form": form, "page": page, "entries": entries, "kept_query": kept.urlencode()}
    return render(request, "staff/log.html", context)
