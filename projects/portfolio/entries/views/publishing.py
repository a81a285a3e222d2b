"""Showing an entry to everybody, and taking it off again; its address."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from chat.commands.base import Command, build
from chat.commands.forms import run_for
from chat.commands.scope import OwnScope
from futura.errors import BadInput, Conflict
from projects.portfolio.commands.entries import (
    ArchiveEntry,
    ReaddressEntry,
    UnpublishEntry,
    publish_entry,
    settle_entry,
)
from projects.portfolio.desk.contacts import hits_in, open_among
from projects.portfolio.entries import queries
from projects.portfolio.entries.forms import SlugForm
from projects.portfolio.entries.preview import own_article
from projects.portfolio.entries.publishing import CONTACTS, NotReady, check, print_of
from projects.portfolio.entries.views.pages import Opened, opened, page
from projects.portfolio.models import Portfolio
from projects.views import answers


@require_http_methods(["GET", "HEAD", "POST"])
def publish(request: HttpRequest, portfolio_id: uuid.UUID, entry_id: uuid.UUID) -> HttpResponse:
    """What is still missing, and the entry as visitors will read it; POST publishes."""
    at = opened(request, portfolio_id, entry_id)
    if request.method != "POST":
        return _page(request, at)
    if request.POST.get("version", "") not in {"", _print(at)}:
        words = _("It was changed since you looked. Look at it again, then publish.")
        return _page(request, at, status=409, problem=words)
    left = request.POST.getlist("leave")
    if request.POST.get("do") == "decide":
        settle_entry(at.entry, left)
        return redirect(at.url("publish"))
    try:
        outcome = publish_entry(OwnScope(at.identity), at.entry, left)
    except NotReady as error:  # the page names each failed rule
        is_undecided = any(one.code == CONTACTS for one in error.failed)
        words = _("Decide about each piece of contact data first.") if is_undecided else ""
        return _page(request, at, status=422, problem=words)
    except Conflict as error:
        return _page(request, at, status=409, problem=str(error))
    return answers.went(at.url("publish"), outcome.batch)


@require_POST
def status(request: HttpRequest, portfolio_id: uuid.UUID, entry_id: uuid.UUID) -> HttpResponse:
    """`do`: take it off (`unpublish`), put it away (`archive`)."""
    at = opened(request, portfolio_id, entry_id)
    verbs: dict[str, type[Command]] = {"unpublish": UnpublishEntry, "archive": ArchiveEntry}
    verb = verbs.get(request.POST.get("do", ""))
    if verb is None:
        raise BadInput(_("It is taken off, or put away."), field="do")
    batch = run_for(request, build(verb, {"id": at.entry.pk}))
    return answers.went(at.url("publish"), batch)


@require_POST
def slug(request: HttpRequest, portfolio_id: uuid.UUID, entry_id: uuid.UUID) -> HttpResponse:
    """Another public address."""
    at = opened(request, portfolio_id, entry_id)
    form = SlugForm(request.POST)
    sent = answers.save(
        form,
        lambda: run_for(request, ReaddressEntry(id=at.entry.pk, slug=form.cleaned_data["slug"])),
    )
    if sent.batch is None:
        return _page(request, at, status=sent.status, slug_form=form)
    return answers.went(at.url("publish"), sent.batch)


def _print(at: Opened) -> str:
    return print_of(at.entry, queries.images_of(at.entry))


def _page(
    request: HttpRequest,
    at: Opened,
    *,
    status: int = 200,
    slug_form: SlugForm | None = None,
    problem: str = "",
) -> HttpResponse:
    is_open = at.entry.portfolio.status == Portfolio.Status.PUBLISHED
    form = slug_form or SlugForm(initial={"slug": at.entry.slug, "version": at.entry.version})
    hits = hits_in(at.entry, queries.images_of(at.entry))
    context = {
        "slug_form": form,
        "article": own_article(at.entry),
        "problem": problem,
        "print": _print(at),
        "contacts": list(dict.fromkeys(one.text for one in hits)),
        "hits": open_among(hits, at.entry.portfolio) if is_open else [],
        "lacking": [one for one in check(at.entry) if one.code != CONTACTS],
        "left": set(request.POST.getlist("leave")),
    }
    return page(request, at, "publish", status=status, **context)
