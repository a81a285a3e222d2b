"""Showing an entry to everybody, and taking it off again; its address."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from futura.errors import BadInput, Conflict
from projects.portfolio.contact import find_contacts
from projects.portfolio.documents import document_of
from projects.portfolio.entries import actions, queries
from projects.portfolio.entries.forms import SlugForm
from projects.portfolio.entries.publishing import NotReady, print_of
from projects.portfolio.entries.showing import shown
from projects.portfolio.entries.talk import cause_of
from projects.portfolio.entries.views.pages import Opened, opened, page
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
    try:
        done = actions.publish(at.actor, at.entry, cause=cause_of(at.entry))
    except NotReady:
        return _page(request, at, status=422)  # the page names each failed rule
    except Conflict as error:
        return _page(request, at, status=409, problem=str(error))
    return answers.went(at.url("publish"), done.batch)


@require_POST
def status(request: HttpRequest, portfolio_id: uuid.UUID, entry_id: uuid.UUID) -> HttpResponse:
    """`do`: take it off (`unpublish`), put it away (`archive`)."""
    at = opened(request, portfolio_id, entry_id)
    verbs = {"unpublish": actions.unpublish, "archive": actions.archive}
    verb = verbs.get(request.POST.get("do", ""))
    if verb is None:
        raise BadInput(_("It is taken off, or put away."), field="do")
    done = verb(at.actor, at.entry, cause=cause_of(at.entry))
    return answers.went(at.url("publish"), done.batch)


@require_POST
def slug(request: HttpRequest, portfolio_id: uuid.UUID, entry_id: uuid.UUID) -> HttpResponse:
    """Another public address."""
    at = opened(request, portfolio_id, entry_id)
    form = SlugForm(request.POST)
    sent = answers.save(
        form,
        lambda: (
            actions.readdress(
                at.actor, at.entry, form.cleaned_data["slug"], cause=cause_of(at.entry)
            ).batch
        ),
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
    form = slug_form or SlugForm(initial={"slug": at.entry.slug, "version": at.entry.version})
    found = find_contacts(document_of(at.entry).text)
    context = {
        "slug_form": form,
        "article": shown(at.entry),
        "problem": problem,
        "print": _print(at),
        "contacts": list(dict.fromkeys(one.text for one in found)),
    }
    return page(request, at, "publish", status=status, **context)
