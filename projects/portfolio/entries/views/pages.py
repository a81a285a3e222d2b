"""What every page of an entry does the same way, and its plain ones: the list, details, publishing,
the address, deleting.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from chat.commands.base import Scope, build
from chat.commands.run import run_for
from chat.identity import Identity, identity_of
from chat.operations.models import Operation
from futura.errors import BadInput, Conflict
from projects.portfolio import queries
from projects.portfolio.article import owner_article, owner_url
from projects.portfolio.commands import entries as commands
from projects.portfolio.commands.base import settle_contacts
from projects.portfolio.contact_review import digest_of, hits_in_entry, open_among
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


@dataclass(frozen=True)
class Opened:
    """An entry behind its door, and who came through."""

    identity: Identity
    entry: Entry

    @property
    def portfolio(self) -> Portfolio:
        return self.entry.portfolio

    def url(self, name: str) -> str:
        return reverse(f"entries:{name}", args=[self.entry.portfolio_id, self.entry.pk])


def opened(request: HttpRequest, portfolio_id: uuid.UUID, entry_id: uuid.UUID) -> Opened:
    """The door: the caller's own entry of this very portfolio, or NotFound."""
    identity = identity_of(request)
    return Opened(identity, queries.entry_for(identity, entry_id, portfolio_id=portfolio_id))


def page(
    request: HttpRequest,
    at: Opened,
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
        next_url = reverse("entries:list", args=[at.entry.portfolio_id])
    displayed = {
        "portfolio": at.portfolio, "entry": at.entry, "part": "entries", "tab": tab,
        "failed": publishing.check(at.entry), "done": done, "next": next_url,
    }  # fmt: skip
    name = f"{_TEMPLATES}/{template or tab}.html"
    return render(request, name, {**displayed, **context}, status=status)


# The list -------------------------------------------------------------------------------------
@require_http_methods(["GET", "HEAD", "POST"])
def entries(request: HttpRequest, portfolio_id: uuid.UUID) -> HttpResponse:
    """The list; POST adds one and leads to its conversation."""
    portfolio = queries.portfolio_for(identity_of(request), portfolio_id)
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
def order(request: HttpRequest, portfolio_id: uuid.UUID) -> HttpResponse:
    """One entry a step up or down (`do=up:<id>`), or all of them as they were dragged (`order`)."""
    portfolio = queries.portfolio_for(identity_of(request), portfolio_id)
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
def delete(request: HttpRequest, portfolio_id: uuid.UUID, entry_id: uuid.UUID) -> HttpResponse:
    """Takes an entry away with its pictures; undo stands at the top of the list."""
    at = opened(request, portfolio_id, entry_id)
    if request.method != "POST":
        return page(request, at, "delete", {"pictures": len(queries.images_of(at.entry))})
    batch = run_for(request, commands.DeleteEntry(id=at.entry.pk))
    return answers.went(reverse("entries:list", args=[portfolio_id]), batch)


@require_http_methods(["GET", "HEAD", "POST"])
def details(request: HttpRequest, portfolio_id: uuid.UUID, entry_id: uuid.UUID) -> HttpResponse:
    """What is changed here and elsewhere meanwhile is shown side by side, and kept."""
    at = opened(request, portfolio_id, entry_id)
    named = {"id": at.entry.pk, "version": at.entry.version}
    form, sent = edited(
        request, ENTRY, lambda values: build(commands.ChangeEntry, values, **named), row=at.entry,
    )  # fmt: skip
    if sent.batch is not None:
        return answers.went(at.url("details"), sent.batch)
    groups = [
        (name, lines, is_open or any(field.errors for field in lines))
        for name, fields, is_open in ENTRY_GROUPS
        for lines in [[form[field.name] for field in fields]]
    ]
    context: dict[str, Any] = {"form": form, "groups": groups, "clashes": sent.clashes}
    return page(request, at, "details", context, status=sent.status)


# Publishing -------------------------------------------------------------------------------------
@require_http_methods(["GET", "HEAD", "POST"])
def publish(request: HttpRequest, portfolio_id: uuid.UUID, entry_id: uuid.UUID) -> HttpResponse:
    """What is still missing, and the entry as visitors will read it; POST publishes."""
    at = opened(request, portfolio_id, entry_id)
    if request.method != "POST":
        return _publish_page(request, at)
    seen = request.POST.get("version", "")
    rows = [at.entry, *queries.images_of(at.entry)]
    if seen and seen != digest_of(rows):
        problem = _("The entry changed since you opened this page. Check it again, then publish.")
        return _publish_page(request, at, status=409, problem=problem)
    leave = request.POST.getlist("leave")
    if request.POST.get("do") == "decide":
        settle_contacts(portfolio_id, rows, leave)
        return redirect(at.url("publish"))
    try:
        outcome = commands.publish_entry(Scope(at.identity), at.entry, leave)
    except publishing.NotReady as error:  # the page names each failed rule
        is_undecided = any(rule.code == publishing.CONTACTS for rule in error.failed)
        problem = _("Decide about each item of contact data first.") if is_undecided else ""
        return _publish_page(request, at, status=422, problem=problem)
    except Conflict as error:
        return _publish_page(request, at, status=409, problem=str(error))
    return answers.went(at.url("publish"), outcome.batch)


@require_POST
def status(request: HttpRequest, portfolio_id: uuid.UUID, entry_id: uuid.UUID) -> HttpResponse:
    """`do`: take it off (`unpublish`), put it away (`archive`)."""
    at = opened(request, portfolio_id, entry_id)
    verbs = {"unpublish": commands.UnpublishEntry, "archive": commands.ArchiveEntry}
    verb = verbs.get(request.POST.get("do", ""))
    if verb is None:
        raise BadInput(_("Choose unpublish or archive."), field="do")
    return answers.went(at.url("publish"), run_for(request, verb(id=at.entry.pk)))


@require_POST
def slug(request: HttpRequest, portfolio_id: uuid.UUID, entry_id: uuid.UUID) -> HttpResponse:
    at = opened(request, portfolio_id, entry_id)
    form, sent = edited(
        request, _SLUG, lambda values: build(commands.ReaddressEntry, values, id=at.entry.pk)
    )
    if sent.batch is None:
        return _publish_page(request, at, status=sent.status, slug_form=form)
    return answers.went(at.url("publish"), sent.batch)


def _publish_page(
    request: HttpRequest,
    at: Opened,
    *,
    status: int = 200,
    slug_form: SchemaForm | None = None,
    problem: str = "",
) -> HttpResponse:
    entry, images = at.entry, queries.images_of(at.entry)
    is_open = at.portfolio.status == Portfolio.Status.PUBLISHED
    hits = hits_in_entry(entry, images)
    context: dict[str, Any] = {
        "slug_form": slug_form or SchemaForm(_SLUG, initial={"slug": entry.slug}),
        "article": owner_article(entry),
        "problem": problem,
        "digest": digest_of([entry, *images]),
        "contacts": list(dict.fromkeys(hit.text for hit in hits)),
        "hits": open_among(hits, at.portfolio) if is_open else [],
        "unmet": [rule for rule in publishing.check(entry) if rule.code != publishing.CONTACTS],
        "allowed": set(request.POST.getlist("leave")),
    }
    return page(request, at, "publish", context, status=status)
