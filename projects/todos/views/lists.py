"""The lists of to-dos, and copies of them to keep."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from chat.identity import identity_of
from projects.todos import export, queries, showing
from projects.todos.wanted import Wanted
from projects.views.answers import just_done

KINDS: Final = {
    "csv": "text/csv; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "json": "application/json; charset=utf-8",
}


@require_safe
@vary_on_headers("HX-Request")
def todos(request: HttpRequest) -> HttpResponse:
    """The page, or its list alone for htmx."""
    return page(request, Wanted.of(request.GET.dict()), done=just_done(request))


def page(request: HttpRequest, wanted: Wanted, *, status: int = 200, **more: Any) -> HttpResponse:
    """A list; `more` is what stands in the way of adding something."""
    context = showing.listed(identity_of(request), wanted)
    context |= {"next": wanted.url, "undo_in": "found", **more}
    is_part = request.htmx and not request.htmx.history_restore_request  # type: ignore[attr-defined]
    template = "projects/todos/_found.html" if is_part else "projects/todos/list.html"
    answer = render(request, template, context, status=status)
    if is_part and "q" in request.GET:  # sent by the form of filters, with all that is empty
        answer["HX-Replace-Url"] = wanted.url
    return answer


@require_safe
def copy(request: HttpRequest, ending: str) -> HttpResponse:
    """All of a list, as its filters say."""
    identity = identity_of(request)
    wanted, today = Wanted.of(request.GET.dict()), timezone.localdate()
    tasks = queries.exported(identity, wanted, today) if identity.is_known else []
    text = export.WAYS[ending](tasks)
    answer = HttpResponse(text, content_type=KINDS[ending])
    name = f"to-dos-{wanted.tab}-{today.isoformat()}.{ending}"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
