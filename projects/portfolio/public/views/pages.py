"""Doors of visitors: the page, its pieces of work, their pictures, and asking."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from chat.identity import identity_of
from chat.views.answering import id_in, told
from futura.errors import FuturaError, NotFound
from futura.limits import storable
from projects.portfolio.article import article_of
from projects.portfolio.entries.pictures.serving import respond, width_wished
from projects.portfolio.models import Entry, Portfolio
from projects.portfolio.public import actions, addresses, page, queries, structured
from projects.portfolio.public.addresses import Addresses
from projects.portfolio.queries import published_portfolio
from projects.portfolio.undecided import hider


@require_safe
@never_cache
def public_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The public page of a portfolio."""
    portfolio = published_portfolio(slug)
    return page.ask_page(request, portfolio, addresses.public(portfolio))


@require_safe
def work(request: HttpRequest, slug: str) -> HttpResponse:
    """All of it, to read."""
    portfolio = published_portfolio(slug)
    return page.work_page(request, portfolio, addresses.public(portfolio))


@require_safe
def kept(request: HttpRequest, slug: str) -> HttpResponse:
    """What is kept of a visitor's questions."""
    portfolio = published_portfolio(slug)
    return kept_page(request, portfolio, addresses.public(portfolio))


@require_safe
def entry(request: HttpRequest, slug: str, entry_slug: str) -> HttpResponse:
    """A piece of work."""
    portfolio = published_portfolio(slug)
    found = queries.published_entry(portfolio, entry_slug)
    return entry_page(request, found, addresses.public(portfolio))


@require_safe
def image(request: HttpRequest, slug: str, shown_id: uuid.UUID) -> HttpResponse:
    """A picture of a published piece of work (`w`: at most so wide)."""
    portfolio = published_portfolio(slug)
    stored = queries.published_image(portfolio, shown_id)
    return respond(request, stored, is_public=True, width=width_wished(request))


@require_safe
def photo(request: HttpRequest, slug: str) -> HttpResponse:
    """The photo of the portfolio's person (`w`: at most so wide)."""
    stored = queries.photo_of(published_portfolio(slug))
    return respond(request, stored, is_public=True, width=width_wished(request))


@require_POST
@told
def ask(request: HttpRequest, slug: str) -> HttpResponse:
    """A visitor's question (`text`, `client_id`); refused, it comes back with the reason."""
    portfolio = published_portfolio(slug)
    return asked(request, portfolio, addresses.public(portfolio))


@require_POST
@told
def new(request: HttpRequest, slug: str) -> HttpResponse:
    """Begins anew: the conversation there was is put away."""
    portfolio = published_portfolio(slug)
    actions.begin_anew(identity=identity_of(request), portfolio=portfolio)
    return _on(addresses.public(portfolio).page)


@require_safe
@never_cache
def visit(request: HttpRequest, visit_id: uuid.UUID) -> HttpResponse:
    """From a conversation to the page it belongs to; the owner's own may be a preview."""
    identity = identity_of(request)
    _session, portfolio = queries.visit_for(identity, visit_id)
    if portfolio.status == Portfolio.Status.PUBLISHED:
        where = addresses.public(portfolio).page
    elif identity.owns(portfolio.owner_id):
        where = addresses.preview(portfolio).page
    else:
        raise NotFound
    query = request.META.get("QUERY_STRING", "")
    return redirect(f"{where}?{query}" if query else where)


def asked(request: HttpRequest, portfolio: Portfolio, at: Addresses) -> HttpResponse:
    """Asks, and goes back to the page; a refusal is told there, beside the question."""
    identity = identity_of(request)
    text = request.POST.get("text", "")
    client_id = id_in(request.POST.get("client_id"))
    try:
        actions.ask(identity=identity, portfolio=portfolio, text=text, client_id=client_id)
    except FuturaError as error:
        if request.headers.get("Accept", "").startswith("application/json"):
            raise
        return page.ask_page(
            request,
            portfolio,
            at,
            typed=storable(text),
            refusal=str(error),
            retry_after_s=getattr(error, "retry_after_s", 0),
            status=error.status,
        )
    return _on(at.page)


def entry_page(request: HttpRequest, found: Entry, at: Addresses) -> HttpResponse:
    """A piece of work as a page, with what search engines and other sites show of it."""
    article = article_of(found, image_url=at.image, hide=hider(found.portfolio))
    url = structured.absolute(at.entry(found.slug))
    shown = {
        "portfolio": found.portfolio,
        "addresses": at,
        "article": article,
        "title": article.seo_title,
        "description": article.seo_description,
        "canonical": url,
        "picture": structured.absolute(article.hero.url) if article.hero else "",
        "picture_alt": article.hero.alt if article.hero else "",
        "data": structured.work_of(found, article, url, structured.absolute(at.page)),
    }
    return render(request, "projects/portfolio/public/entry.html", shown)


def kept_page(request: HttpRequest, portfolio: Portfolio, at: Addresses) -> HttpResponse:
    """What happens to questions, said plainly."""
    shown = {
        "portfolio": portfolio,
        "addresses": at,
        "title": portfolio.owner_name,
        "kept_days": settings.PORTFOLIO_VISIT_DAYS,
    }
    return render(request, "projects/portfolio/public/kept.html", shown)


def _on(url: str) -> HttpResponse:
    return HttpResponseRedirect(url, status=303)
