"""What every page of an entry does the same way, and its plain ones: the list, details, publishing,
the address, deleting.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from chat.commands.base import Command, build
from chat.commands.forms import run_for
from chat.commands.scope import OwnScope
from chat.identity import Identity, identity_of
from chat.operations.models import Operation, OperationBatch
from futura.errors import BadInput, Conflict
from projects.forms import VersionedForm
from projects.portfolio.commands.entries import (
    ArchiveEntry,
    ChangeEntry,
    CreateEntry,
    DeleteEntry,
    PlaceEntries,
    ReaddressEntry,
    UnpublishEntry,
    publish_entry,
    settle_entry,
)
from projects.portfolio.desk.review import hits_in, open_among
from projects.portfolio.entries import queries
from projects.portfolio.entries.preview import own_article, own_url
from projects.portfolio.entries.publishing import CONTACTS, NotReady, check, print_of
from projects.portfolio.models import Entry, Portfolio
from projects.portfolio.queries import portfolio_for
from projects.portfolio.schema.entry import FIELDS, GROUPS, EntryFields
from projects.portfolio.views import edited
from projects.views import answers

_TEMPLATES = "projects/portfolio/entries"


class AddForm(VersionedForm):
    """A new entry."""

    title = forms.CharField(label=gettext_lazy("Title"), required=False)


class SlugForm(VersionedForm):
    """The public address."""

    slug = forms.CharField(
        label=gettext_lazy("Address"),
        help_text=gettext_lazy("Lower-case letters, digits and hyphens."),
    )


@dataclass(frozen=True)
class Opened:
    """An entry behind its door, and who came through."""

    identity: Identity
    entry: Entry

    @property
    def portfolio(self) -> Portfolio:
        """What it stands in."""
        return self.entry.portfolio

    def url(self, name: str) -> str:
        """A page of this entry."""
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
    """One of the pages of an entry, with what its head needs."""
    done = answers.just_done(request)
    shown = {
        "portfolio": at.portfolio, "entry": at.entry, "part": "entries", "tab": tab,
        "failed": check(at.entry), "done": done,
        "next": _after_undo(request.path, done.batch if done else None, at.entry),
    }  # fmt: skip
    name = f"{_TEMPLATES}/{template or tab}.html"
    return render(request, name, {**shown, **context}, status=status)


def _after_undo(path: str, batch: OperationBatch | None, entry: Entry) -> str:
    """Where an undo leads: not to an entry that it takes away."""
    made = Operation.Type.CREATE
    if batch and batch.operations.filter(entity="portfolio_entry", type=made).exists():
        return reverse("entries:list", args=[entry.portfolio_id])
    return path


# The list -------------------------------------------------------------------------------------
@require_http_methods(["GET", "HEAD", "POST"])
def entries(request: HttpRequest, portfolio_id: uuid.UUID) -> HttpResponse:
    """The list; POST adds one and leads to its conversation."""
    portfolio = portfolio_for(identity_of(request), portfolio_id)
    if request.method != "POST":
        return _list(request, portfolio, AddForm())
    form = AddForm(request.POST)

    def write() -> OperationBatch:
        values = {"title": form.cleaned_data["title"], "portfolio": portfolio.pk}
        return run_for(request, build(CreateEntry, values))

    sent = answers.save(form, write)
    if sent.batch is None:
        return _list(request, portfolio, form, status=sent.status)
    key = sent.batch.operations.get().entity_id
    return answers.went(reverse("entries:workspace", args=[portfolio.pk, key]), sent.batch)


def _list(
    request: HttpRequest, portfolio: Portfolio, form: AddForm, *, status: int = 200
) -> HttpResponse:
    context: dict[str, Any] = {
        "portfolio": portfolio, "part": "entries", "form": form, "next": request.path,
        "rows": [(one, _thumbnail(one)) for one in queries.entries_of(portfolio)],
        "done": answers.just_done(request),
    }  # fmt: skip
    return render(request, f"{_TEMPLATES}/list.html", context, status=status)


def _thumbnail(entry: Entry) -> str:
    for image in entry.shown_images:  # type: ignore[attr-defined]
        image.entry = entry
        return own_url(image, 480)
    return ""


@require_POST
def order(request: HttpRequest, portfolio_id: uuid.UUID) -> HttpResponse:
    """One entry a step up or down (`do=up:<id>`), or all of them as they were dragged (`order`)."""
    portfolio = portfolio_for(identity_of(request), portfolio_id)
    keys = [one.pk for one in queries.entries_of(portfolio)]
    asked = requested_order(keys, request.POST.get("do", ""), request.POST.getlist("order"))
    batch = run_for(request, PlaceEntries(id=portfolio.pk, order=tuple(asked)))
    if getattr(request, "htmx", False):
        return _list(request, portfolio, AddForm())
    return answers.went(reverse("entries:list", args=[portfolio.pk]), batch)


def requested_order(keys: Sequence[uuid.UUID], do: str, dragged: list[str]) -> list[uuid.UUID]:
    """Ids in the order that a gesture asks for. Raises BadInput."""
    verb, _colon, named = do.partition(":")
    try:
        if verb == "order":
            return [uuid.UUID(one) for one in dragged]
        place = keys.index(uuid.UUID(named))
        step = {"up": -1, "down": 1}[verb]
    except (ValueError, KeyError):
        raise BadInput(_("This order is not valid. Reload the page."), field="order") from None
    rest = list(keys)
    rest.insert(max(0, place + step), rest.pop(place))
    return rest


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest, portfolio_id: uuid.UUID, entry_id: uuid.UUID) -> HttpResponse:
    """Takes an entry away with its pictures; undo stands at the top of the list."""
    at = opened(request, portfolio_id, entry_id)
    if request.method != "POST":
        return page(request, at, "delete", {"pictures": len(queries.images_of(at.entry))})
    batch = run_for(request, DeleteEntry(id=at.entry.pk))
    return answers.went(reverse("entries:list", args=[portfolio_id]), batch)


# Details ----------------------------------------------------------------------------------------
@require_http_methods(["GET", "HEAD", "POST"])
def details(request: HttpRequest, portfolio_id: uuid.UUID, entry_id: uuid.UUID) -> HttpResponse:
    """What is changed here and elsewhere meanwhile is shown side by side, and kept."""
    at = opened(request, portfolio_id, entry_id)
    named = {"id": at.entry.pk, "version": at.entry.version}
    form, sent = edited(
        request, FIELDS, EntryFields, lambda values: build(ChangeEntry, values, **named),
        row=at.entry,
    )  # fmt: skip
    if sent.batch is not None:
        return answers.went(at.url("details"), sent.batch)
    groups = [
        (name, lines, is_open or any(field.errors for field in lines))
        for name, fields, is_open in GROUPS
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
    if request.POST.get("version", "") not in {"", _print(at)}:
        told = _("The entry changed since you opened this page. Check it again, then publish.")
        return _publish_page(request, at, status=409, problem=told)
    leave = request.POST.getlist("leave")
    if request.POST.get("do") == "decide":
        settle_entry(at.entry, leave)
        return redirect(at.url("publish"))
    try:
        outcome = publish_entry(OwnScope(at.identity), at.entry, leave)
    except NotReady as error:  # the page names each failed rule
        is_undecided = any(one.code == CONTACTS for one in error.failed)
        told = _("Decide about each item of contact data first.") if is_undecided else ""
        return _publish_page(request, at, status=422, problem=told)
    except Conflict as error:
        return _publish_page(request, at, status=409, problem=str(error))
    return answers.went(at.url("publish"), outcome.batch)


@require_POST
def status(request: HttpRequest, portfolio_id: uuid.UUID, entry_id: uuid.UUID) -> HttpResponse:
    """`do`: take it off (`unpublish`), put it away (`archive`)."""
    at = opened(request, portfolio_id, entry_id)
    verbs: dict[str, type[Command]] = {"unpublish": UnpublishEntry, "archive": ArchiveEntry}
    verb = verbs.get(request.POST.get("do", ""))
    if verb is None:
        raise BadInput(_("Choose unpublish or archive."), field="do")
    return answers.went(at.url("publish"), run_for(request, build(verb, {"id": at.entry.pk})))


@require_POST
def slug(request: HttpRequest, portfolio_id: uuid.UUID, entry_id: uuid.UUID) -> HttpResponse:
    """Another public address."""
    at = opened(request, portfolio_id, entry_id)
    form = SlugForm(request.POST)

    def write() -> OperationBatch:
        return run_for(request, ReaddressEntry(id=at.entry.pk, slug=form.cleaned_data["slug"]))

    sent = answers.save(form, write)
    if sent.batch is None:
        return _publish_page(request, at, status=sent.status, slug_form=form)
    return answers.went(at.url("publish"), sent.batch)


def _print(at: Opened) -> str:
    return print_of(at.entry, queries.images_of(at.entry))


def _publish_page(
    request: HttpRequest,
    at: Opened,
    *,
    status: int = 200,
    slug_form: SlugForm | None = None,
    problem: str = "",
) -> HttpResponse:
    entry = at.entry
    is_open = at.portfolio.status == Portfolio.Status.PUBLISHED
    hits = hits_in(entry, queries.images_of(entry))
    context: dict[str, Any] = {
        "slug_form": slug_form or SlugForm(initial={"slug": entry.slug, "version": entry.version}),
        "article": own_article(entry),
        "problem": problem,
        "print": _print(at),
        "contacts": list(dict.fromkeys(one.text for one in hits)),
        "hits": open_among(hits, at.portfolio) if is_open else [],
        "lacking": [one for one in check(entry) if one.code != CONTACTS],
        "left": set(request.POST.getlist("leave")),
    }
    return page(request, at, "publish", context, status=status)
