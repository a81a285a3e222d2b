"""The page of a portfolio, its pieces of work, their pictures, asking and writing to its owner: for
visitors at its address, and for the owner who looks at it before, and while, they do.
"""

from __future__ import annotations

import functools
import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat import languages
from chat.identity import identity_of
from chat.views.turns import id_in, told
from futura.errors import FuturaError, NotFound, TooMany, Unavailable
from futura.limits import storable
from projects.portfolio.article import article_of
from projects.portfolio.entries.pictures.storing import respond, width_wished
from projects.portfolio.models import Portfolio
from projects.portfolio.public import actions, addresses, page, queries, structured
from projects.portfolio.public.addresses import Addresses
from projects.portfolio.queries import portfolio_for, published_portfolio
from projects.portfolio.undecided import hider

Door = Callable[..., HttpResponseBase]


def for_visitors(view: Door, *, has_words: bool = True) -> Door:
    """The door of everybody: a published portfolio by its public address.

    A picture is the same for all: who asks for it is not looked at, so that caches may keep it.
    """

    @functools.wraps(view)
    def opened(request: HttpRequest, slug: str, **more: Any) -> HttpResponseBase:
        portfolio = published_portfolio(slug)
        shown = partial(view, request, portfolio, addresses.public(portfolio), **more)
        return _in_its_language(request, portfolio, shown) if has_words else shown()

    return told(opened)


def for_owner(view: Door) -> Door:
    """The door of its owner, whether it is published or not."""

    @functools.wraps(view)
    def opened(request: HttpRequest, portfolio_id: uuid.UUID, **more: Any) -> HttpResponseBase:
        portfolio = portfolio_for(identity_of(request), portfolio_id)
        shown = partial(view, request, portfolio, addresses.preview(portfolio), **more)
        return _in_its_language(request, portfolio, shown)

    return never_cache(told(opened))


def _in_its_language(
    request: HttpRequest, portfolio: Portfolio, answer: Callable[[], HttpResponseBase]
) -> HttpResponseBase:
    """A page in the portfolio's language; who asks for the first time keeps their own elsewhere."""
    identity = identity_of(request)
    identity.language = identity.language or languages.current()
    own = portfolio.language_for(identity.participant_ids, identity.chosen_language)
    return languages.answered_in(own, answer)


ask_page = require_safe(page.ask_page)
work_page = require_safe(page.work_page)


@require_safe
def kept_page(request: HttpRequest, portfolio: Portfolio, at: Addresses) -> HttpResponse:
    """What happens to questions, said plainly."""
    shown = {
        "portfolio": portfolio,
        "addresses": at,
        "title": portfolio.owner_name,
        "kept_days": settings.PORTFOLIO_VISIT_DAYS,
    }
    return render(request, "projects/portfolio/public/kept.html", shown)


@require_safe
def entry_page(
    request: HttpRequest, portfolio: Portfolio, at: Addresses, entry_slug: str
) -> HttpResponse:
    """A piece of work as a page, with what search engines and other sites show of it."""
    found = queries.published_entry(portfolio, entry_slug)
    article = article_of(found, image_url=at.image, hide=hider(portfolio))
    url = structured.absolute(at.entry(found.slug))
    shown = {
        "portfolio": portfolio,
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


@require_safe
def image(
    request: HttpRequest, portfolio: Portfolio, at: Addresses, shown_id: uuid.UUID
) -> HttpResponse:
    """A picture of a published piece of work (`w`: at most so wide)."""
    stored = queries.published_image(portfolio, shown_id)
    return respond(request, stored, is_public=not at.is_preview, width=width_wished(request))


@require_safe
def photo(request: HttpRequest, portfolio: Portfolio, at: Addresses) -> HttpResponse:
    """The photo of the portfolio's person (`w`: at most so wide)."""
    stored = queries.photo_of(portfolio)
    return respond(request, stored, is_public=not at.is_preview, width=width_wished(request))


@require_POST
def ask(request: HttpRequest, portfolio: Portfolio, at: Addresses) -> HttpResponse:
    """A question (`text`, `client_id`); refused, the page shows it again with the reason."""
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
    return HttpResponseRedirect(at.page, status=303)


@require_POST
def new(request: HttpRequest, portfolio: Portfolio, at: Addresses) -> HttpResponse:
    """Begins anew: the conversation there was is put away."""
    actions.begin_anew(identity=identity_of(request), portfolio=portfolio)
    return HttpResponseRedirect(at.page, status=303)


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


class ContactForm(forms.Form):
    """`website` is filled by machines only."""

    sender = forms.CharField(label=_("Your name"), max_length=120)
    reply_to = forms.EmailField(label=_("Your email address"), help_text=_("For the reply."))
    text = forms.CharField(
        label=_("Message"), max_length=2_000, widget=forms.Textarea(attrs={"rows": 6})
    )
    website = forms.CharField(required=False, widget=forms.HiddenInput)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def contact(request: HttpRequest, portfolio: Portfolio, at: Addresses) -> HttpResponse:
    """The form; POST writes to the owner."""
    form = ContactForm(request.POST or None)
    status = 422 if request.method == "POST" else 200
    if request.method == "POST" and form.is_valid():
        values = {name: form.cleaned_data[name] for name in ("sender", "reply_to", "text")}
        try:
            if not form.cleaned_data["website"]:
                actions.write_to_owner(identity=identity_of(request), portfolio=portfolio, **values)
        except (TooMany, Unavailable) as error:
            form.add_error(None, str(error))
            status = error.status
        else:
            return redirect(f"{at.contact}?sent=yes")
    context = {
        "portfolio": portfolio, "addresses": at, "form": form, "part": "contact",
        "title": portfolio.owner_name, "canonical": request.build_absolute_uri(at.contact),
        "is_sent": "sent" in request.GET,
    }  # fmt: skip
    return render(request, "projects/portfolio/public/contact.html", context, status=status)
