"""What every gesture on to-dos answers: the list anew with a notice, or the way back to it."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from chat.identity import identity_of
from chat.operations.models import OperationBatch
from futura.errors import BadInput
from projects.models import Task
from projects.queries import task_for
from projects.todos import showing
from projects.todos.listing import Listing
from projects.views.answers import notice_of

CHANGED = "todos-changed"  # what other lists on the page listen for


def own(request: HttpRequest, todo_id: uuid.UUID) -> Task:
    """The door: the caller's to-do, or NotFound."""
    return task_for(identity_of(request), todo_id)


def next_in(request: HttpRequest) -> str:
    """The page to go back to, with its filters."""
    told = request.POST.get("next", "") or request.GET.get("next", "")
    is_here = url_has_allowed_host_and_scheme(told, allowed_hosts={request.get_host()})
    if not (is_here and told.startswith("/") and told.isprintable() and len(told) < 2_000):
        return reverse("todos:list")
    path, _, query = told.partition("#")[0].partition("?")
    kept = QueryDict(query, mutable=True)
    kept.pop("done", None)
    return f"{path}?{kept.urlencode()}" if kept else path


def wanted_in(request: HttpRequest) -> Listing:
    """The list that a gesture was made on."""
    return Listing.of(QueryDict(next_in(request).partition("?")[2]).dict())


def ids_in(told: Sequence[str]) -> list[uuid.UUID]:
    """The ids in a field. Raises BadInput."""
    try:
        return [uuid.UUID(one) for one in told]
    except ValueError:
        raise BadInput(_("That is not an ID."), field="chosen") from None


def changed(request: HttpRequest, batch: OperationBatch | None, **more: Any) -> HttpResponse:
    """After a gesture: the list as it is now (where it was made on one), and what was done."""
    htmx: Any = request.htmx  # type: ignore[attr-defined]
    if not htmx:
        back = next_in(request)
        told = f"{'&' if '?' in back else '?'}done={batch.pk}" if batch else ""
        return redirect(f"{back}{told}")
    done = notice_of(batch) if batch is not None else None
    context: dict[str, Any] = {"done": done, "next": next_in(request), "undo_in": "page", **more}
    if htmx.target != "found":
        answer = render(request, "projects/todos/_toast.html", context)
    else:
        context |= showing.listed(identity_of(request), wanted_in(request)) | {"undo_in": "found"}
        answer = render(request, "projects/todos/_changed.html", context)
    answer["HX-Trigger"] = CHANGED
    return answer
