"""The lists of to-dos, and copies of them to keep."""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from chat.identity import identity_of
from projects.todos import export, queries, showing
from projects.todos.listing import REMEMBERED, Listing
from projects.views.answers import just_done

COOKIE: Final = "futura_todos"  # the view and the order of the last visit
COOKIE_AGE_S: Final = 400 * 24 * 3600
KINDS: Final = {
    "csv": "text/csv; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "json": "application/json; charset=utf-8",
}


@require_safe
@vary_on_headers("HX-Request")
def todos(request: HttpRequest) -> HttpResponse:
    """The page, or its list alone for htmx."""
    stored = QueryDict(request.COOKIES.get(COOKIE, "")).dict()
    wanted = Listing.of({**{name: stored.get(name, "") for name in _kept(request)},
                        **request.GET.dict()})  # fmt: skip
    answer = page(request, wanted, done=just_done(request))
    if set(REMEMBERED) & set(request.GET):
        kept = urlencode({name: getattr(wanted, name) for name in REMEMBERED})
        answer.set_cookie(
            COOKIE, kept, max_age=COOKIE_AGE_S, samesite="Lax", httponly=True,
            secure=settings.SESSION_COOKIE_SECURE,
        )  # fmt: skip
    return answer


def _kept(request: HttpRequest) -> list[str]:
    """What is taken from the last visit; what is done has an order of its own."""
    is_done = request.GET.get("tab") == "done"
    return [name for name in REMEMBERED if not (is_done and name == "sort")]


def page(request: HttpRequest, wanted: Listing, *, status: int = 200, **more: Any) -> HttpResponse:
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
    wanted, today = Listing.of(request.GET.dict()), timezone.localdate()
    tasks = queries.exported(identity, wanted, today) if identity.is_known else []
    text = export.WAYS[ending](tasks)
    answer = HttpResponse(text, content_type=KINDS[ending])
    name = f"to-dos-{wanted.tab}-{today.isoformat()}.{ending}"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
