"""The public page as the owner sees it before, and while, visitors do."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from chat.identity import identity_of
from chat.views.answering import told
from projects.portfolio.desk.views.desk import own
from projects.portfolio.entries.pictures.serving import respond, width_wished
from projects.portfolio.public import actions, addresses, page, queries
from projects.portfolio.public.views import pages


@require_safe
@never_cache
def preview(request: HttpRequest, portfolio_id: uuid.UUID) -> HttpResponse:
    """The page, with the conversation that the owner has with it."""
    portfolio = own(request, portfolio_id)
    return page.ask_page(request, portfolio, addresses.preview(portfolio))


@require_safe
@never_cache
def work(request: HttpRequest, portfolio_id: uuid.UUID) -> HttpResponse:
    """All of it, to read."""
    portfolio = own(request, portfolio_id)
    return page.work_page(request, portfolio, addresses.preview(portfolio))


@require_safe
@never_cache
def kept(request: HttpRequest, portfolio_id: uuid.UUID) -> HttpResponse:
    """What visitors are told of their questions."""
    portfolio = own(request, portfolio_id)
    return pages.kept_page(request, portfolio, addresses.preview(portfolio))


@require_safe
@never_cache
def entry(request: HttpRequest, portfolio_id: uuid.UUID, entry_slug: str) -> HttpResponse:
    """A published piece of work, as visitors see it."""
    portfolio = own(request, portfolio_id)
    found = queries.published_entry(portfolio, entry_slug)
    return pages.entry_page(request, found, addresses.preview(portfolio))


@require_safe
@never_cache
def image(request: HttpRequest, portfolio_id: uuid.UUID, shown_id: uuid.UUID) -> HttpResponse:
    """A picture of it."""
    stored = queries.published_image(own(request, portfolio_id), shown_id)
    return respond(request, stored, is_public=False, width=width_wished(request))


@require_safe
@never_cache
def photo(request: HttpRequest, portfolio_id: uuid.UUID) -> HttpResponse:
    """The photo of its person."""
    stored = queries.photo_of(own(request, portfolio_id))
    return respond(request, stored, is_public=False, width=width_wished(request))


@require_POST
@told
def ask(request: HttpRequest, portfolio_id: uuid.UUID) -> HttpResponse:
    """A question of the owner's own."""
    portfolio = own(request, portfolio_id)
    return pages.asked(request, portfolio, addresses.preview(portfolio))


@require_POST
@told
def new(request: HttpRequest, portfolio_id: uuid.UUID) -> HttpResponse:
    """Begins the conversation anew."""
    portfolio = own(request, portfolio_id)
    actions.begin_anew(identity=identity_of(request), portfolio=portfolio)
    return redirect(addresses.preview(portfolio).page)
