"""The entries of a portfolio: which there are, in which order, and a new one."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from chat.commands.base import build
from chat.commands.forms import run_for
from chat.identity import identity_of
from futura.errors import BadInput
from projects.portfolio.commands.entries import CreateEntry, DeleteEntry, PlaceEntries
from projects.portfolio.entries import queries
from projects.portfolio.entries.forms import AddForm
from projects.portfolio.entries.preview import own_url
from projects.portfolio.models import Entry, Portfolio
from projects.portfolio.queries import portfolio_for
from projects.views import answers


@require_http_methods(["GET", "HEAD", "POST"])
def entries(request: HttpRequest, portfolio_id: uuid.UUID) -> HttpResponse:
    """The list; POST adds one and leads to its conversation."""
    portfolio = portfolio_for(identity_of(request), portfolio_id)
    form = AddForm(request.POST or None)
    if request.method != "POST":
        return _list(request, portfolio, AddForm())
    sent = answers.save(
        form,
        lambda: run_for(
            request,
            build(CreateEntry, {"title": form.cleaned_data["title"], "portfolio": portfolio.pk}),
        ),
    )
    if sent.batch is None:
        return _list(request, portfolio, form, status=sent.status)
    made = sent.batch.operations.get().entity_id
    return answers.went(reverse("entries:workspace", args=[portfolio.pk, made]), sent.batch)


def _list(
    request: HttpRequest, portfolio: Portfolio, form: AddForm, *, status: int = 200
) -> HttpResponse:
    found = queries.entries_of(portfolio)
    for one in found:
        one.portfolio = portfolio
        for image in one.shown_images:  # type: ignore[attr-defined]
            image.entry = one
    rows = [(one, _thumbnail(one)) for one in found]
    context = {
        "portfolio": portfolio, "part": "entries", "rows": rows, "form": form,
        "done": answers.just_done(request), "next": request.path,
    }  # fmt: skip
    return render(request, "projects/portfolio/entries/list.html", context, status=status)


def _thumbnail(entry: Entry) -> str:
    images = entry.shown_images  # type: ignore[attr-defined]
    return own_url(images[0], 480) if images else ""


@require_POST
def order(request: HttpRequest, portfolio_id: uuid.UUID) -> HttpResponse:
    """One entry a step up or down (`do=up:<id>`), or all of them as they were dragged (`order`)."""
    portfolio = portfolio_for(identity_of(request), portfolio_id)
    ids = [one.pk for one in queries.entries_of(portfolio)]
    wanted = wanted_order(ids, request.POST.get("do", ""), request.POST.getlist("order"))
    batch = run_for(request, PlaceEntries(id=portfolio.pk, order=tuple(wanted)))
    if getattr(request, "htmx", False):
        return _list(request, portfolio, AddForm())
    return answers.went(reverse("entries:list", args=[portfolio.pk]), batch)


def wanted_order(ids: list[uuid.UUID], do: str, dragged: list[str]) -> list[uuid.UUID]:
    """Ids in the order that a gesture asks for. Raises BadInput."""
    try:
        if do == "order":
            return [uuid.UUID(one) for one in dragged]
        verb, _colon, named = do.partition(":")
        one = uuid.UUID(named)
    except ValueError:
        raise BadInput(_("This order cannot be used."), field="order") from None
    if verb not in {"up", "down"} or one not in ids:
        raise BadInput(_("This order cannot be used."), field="order")
    place = ids.index(one)
    to = max(0, min(len(ids) - 1, place + (1 if verb == "down" else -1)))
    rest = [other for other in ids if other != one]
    return [*rest[:to], one, *rest[to:]]


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest, portfolio_id: uuid.UUID, entry_id: uuid.UUID) -> HttpResponse:
    """Takes an entry away with its pictures; undo stands at the top of the list."""
    entry = queries.entry_for(identity_of(request), entry_id, portfolio_id=portfolio_id)
    if request.method != "POST":
        context = {
            "portfolio": entry.portfolio, "entry": entry, "part": "entries",
            "pictures": len(queries.images_of(entry)),
        }  # fmt: skip
        return render(request, "projects/portfolio/entries/delete.html", context)
    batch = run_for(request, DeleteEntry(id=entry.pk))
    return answers.went(reverse("entries:list", args=[portfolio_id]), batch)
