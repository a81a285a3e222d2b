"""What every page of an entry does the same way, and its plain ones: the list, details, publishing,
the address, deleting.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from chat.commands.base import build
from chat.commands.run import run_for
from chat.operations.models import Operation
from futura.errors import BadInput, Conflict
from projects.portfolio import queries
from projects.portfolio.article import owner_article, owner_url
from projects.portfolio.commands import entries as commands
from projects.portfolio.contact_review import digest_of
from projects.portfolio.entries import limits, publishing
from projects.portfolio.models import Entry, Portfolio
from projects.portfolio.records.views import edited
from projects.portfolio.schema.fields import Field, line
from projects.portfolio.schema.forms import SchemaForm
from projects.portfolio.schema.kinds import ENTRY, ENTRY_GROUPS
from projects.views import answers

_TEMPLATES = "projects/portfolio/entries"
_NEW: Final = (Field("title", line(limits.TITLE_CHARS), gettext_lazy("Title")),)
_SLUG: Final = (
    Field(
        "slug",
        line(120),
        gettext_lazy("Address"),
        gettext_lazy("Lower-case letters, digits and hyphens."),
        is_required=True,
    ),
)


def page(
    request: HttpRequest,
    entry: Entry,
    tab: str,
    context: Mapping[str, Any],
    *,
    status: int = 200,
    template: str = "",
) -> HttpResponse:
    done = answers.just_done(request)
    next_url = request.path
    created = {"entity": "portfolio_entry", "type": Operation.Type.CREATE}
    if done and done.batch.operations.filter(**created).exists():  # an undo takes the entry away
        next_url = reverse("entries:list", args=[entry.portfolio_id])
    displayed = {
        "portfolio": entry.portfolio, "entry": entry, "part": "entries", "tab": tab,
        "failed": publishing.check(entry), "done": done, "next": next_url,
    }  # fmt: skip
    name = f"{_TEMPLATES}/{template or tab}.html"
    return render(request, name, {**displayed, **context}, status=status)


# The list -------------------------------------------------------------------------------------
@require_http_methods(["GET", "HEAD", "POST"])
def entries(request: HttpRequest, portfolio: Portfolio) -> HttpResponse:
    """The list; POST adds one and leads to its conversation."""
    form, sent = edited(
        request, _NEW, lambda values: build(commands.CreateEntry, values, portfolio=portfolio.pk)
    )
    if sent.batch is None:
        return _list(request, portfolio, form, status=sent.status)
    key = sent.batch.operations.get().entity_id
    return answers.went(reverse("entries:workspace", args=[portfolio.pk, key]), sent.batch)


def _list(
    request: HttpRequest, portfolio: Portfolio, form: SchemaForm, *, status: int = 200
) -> HttpResponse:
    rows = []
    for entry in queries.entries_of(portfolio):
        image = next(iter(entry.living_images), None)  # type: ignore[attr-defined]
        rows.append((entry, owner_url(image, 480) if image else ""))
    context: dict[str, Any] = {
        "portfolio": portfolio, "part": "entries", "form": form, "next": request.path,
        "rows": rows, "done": answers.just_done(request),
    }  # fmt: skip
    return render(request, f"{_TEMPLATES}/list.html", context, status=status)


@require_POST
def order(request: HttpRequest, portfolio: Portfolio) -> HttpResponse:
    """One entry a step up or down (`do=up:<id>`), or all of them as they were dragged (`order`)."""
    keys = [entry.pk for entry in queries.entries_of(portfolio)]
    requested = requested_order(keys, request.POST.get("do", ""), request.POST.getlist("order"))
    batch = run_for(request, commands.PlaceEntries(id=portfolio.pk, order=tuple(requested)))
    if getattr(request, "htmx", False):
        return _list(request, portfolio, SchemaForm(_NEW))
    return answers.went(reverse("entries:list", args=[portfolio.pk]), batch)


def requested_order(keys: Sequence[uuid.UUID], do: str, dragged: list[str]) -> list[uuid.UUID]:
    """Ids in the order that a gesture asks for. Raises BadInput."""
    verb, _colon, named = do.partition(":")
    try:
        if verb == "order":
            return [uuid.UUID(key) for key in dragged]
        place = keys.index(uuid.UUID(named))
        step = {"up": -1, "down": 1}[verb]
    except (ValueError, KeyError):
        raise BadInput(_("This order is not valid. Reload the page."), field="order") from None
    moved = list(keys)
    moved.insert(max(0, place + step), moved.pop(place))
    return moved


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Takes an entry away with its pictures; undo stands at the top of the list."""
    if request.method != "POST":
        return page(request, entry, "delete", {"pictures": len(queries.images_of(entry))})
    batch = run_for(request, commands.DeleteEntry(id=entry.pk))
    return answers.went(reverse("entries:list", args=[entry.portfolio_id]), batch)


@require_http_methods(["GET", "HEAD", "POST"])
def details(request: HttpRequest, entry: Entry) -> HttpResponse:
    """What is changed here and elsewhere meanwhile is shown side by side, and kept."""
    named = {"id": entry.pk, "version": entry.version}
    form, sent = edited(
        request, ENTRY, lambda values: build(commands.ChangeEntry, values, **named), row=entry,
    )  # fmt: skip
    if sent.batch is not None:
        return answers.went(entry.url("details"), sent.batch)
    groups = [
        (name, lines, is_open or any(field.errors for field in lines))
        for name, fields, is_open in ENTRY_GROUPS
        for lines in [[form[field.name] for field in fields]]
    ]
    context: dict[str, Any] = {"form": form, "groups": groups, "clashes": sent.clashes}
    return page(request, entry, "details", context, status=sent.status)


# Publishing -------------------------------------------------------------------------------------
@require_http_methods(["GET", "HEAD", "POST"])
def publish(request: HttpRequest, entry: Entry) -> HttpResponse:
    """What is still missing, and the entry as visitors will read it; POST publishes what was seen
    (`version`).
    """
    if request.method != "POST":
        return _publish_page(request, entry)
    seen = request.POST.get("version", "")
    if seen and seen != digest_of([entry, *queries.images_of(entry)]):
        problem = _("The entry changed since you opened this page. Check it again, then publish.")
        return _publish_page(request, entry, status=409, problem=problem)
    try:
        batch = run_for(request, commands.PublishEntry(id=entry.pk))
    except publishing.NotReady:  # the page names each failed rule
        return _publish_page(request, entry, status=422)
    except Conflict as error:
        return _publish_page(request, entry, status=409, problem=str(error))
    return answers.went(entry.url("publish"), batch)


@require_POST
def status(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Takes it off: it is a draft again."""
    batch = run_for(request, commands.UnpublishEntry(id=entry.pk))
    return answers.went(entry.url("publish"), batch)


@require_POST
def slug(request: HttpRequest, entry: Entry) -> HttpResponse:
    form, sent = edited(
        request, _SLUG, lambda values: build(commands.ReaddressEntry, values, id=entry.pk)
    )
    if sent.batch is None:
        return _publish_page(request, entry, status=sent.status, slug_form=form)
    return answers.went(entry.url("publish"), sent.batch)


def _publish_page(
    request: HttpRequest,
    entry: Entry,
    *,
    status: int = 200,
    slug_form: SchemaForm | None = None,
    problem: str = "",
) -> HttpResponse:
    context: dict[str, Any] = {
        "slug_form": slug_form or SchemaForm(_SLUG, initial={"slug": entry.slug}),
        "article": owner_article(entry),
        "problem": problem,
        "digest": digest_of([entry, *queries.images_of(entry)]),
    }
    return page(request, entry, "publish", context, status=status)
