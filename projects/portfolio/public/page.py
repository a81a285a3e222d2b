"""What the templates of the public page need: the same for visitors and for the owner's preview."""

from __future__ import annotations

import uuid
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import Truncator

from chat.identity import identity_of
from chat.render import page_context
from projects.portfolio.models import Portfolio, Profile
from projects.portfolio.public import structured
from projects.portfolio.public.addresses import Addresses
from projects.portfolio.public.cards import cards_of, positions_of
from projects.portfolio.public.queries import Public, public_of, visit_of
from projects.portfolio.public.starters import starters_of

QUESTION_CHARS: Final = 2_000  # DECISIONS 22
DESCRIPTION_CHARS: Final = 300


def ask_page(
    request: HttpRequest,
    portfolio: Portfolio,
    addresses: Addresses,
    *,
    typed: str = "",
    refusal: str = "",
    retry_after_s: int = 0,
    status: int = 200,
) -> HttpResponse:
    """The page: the conversation where there is one, else who this is and what to ask.

    A refused question comes back as `typed`, with the reason.
    """
    public = public_of(portfolio)
    session = visit_of(identity_of(request), portfolio)
    if session is not None and typed:
        session.draft = typed
    shown = {
        **context_of(public, addresses),
        **(page_context(request, session) if session is not None else {}),
        "visit": session,
        "starters": starters_of(public),
        "client_id": uuid.uuid4(),
        "limit": QUESTION_CHARS,
        "typed": typed,
        "refusal": refusal,
        "retry_after_s": retry_after_s,
        "is_basic": not (settings.OPENAI_API_KEY or settings.OPENAI_BASE_URL),
        "part": "ask",
    }
    page = render(request, "projects/portfolio/public/page.html", shown, status=status)
    if retry_after_s:
        page["Retry-After"] = str(retry_after_s)
    return page


def work_page(request: HttpRequest, portfolio: Portfolio, addresses: Addresses) -> HttpResponse:
    """Everything that is public, to read rather than to ask for."""
    public = public_of(portfolio)
    shown = {**context_of(public, addresses), "part": "work"}
    return render(request, "projects/portfolio/public/work.html", shown)


def context_of(public: Public, addresses: Addresses) -> dict[str, Any]:
    """What every page of a portfolio shows. One query, for the pictures."""
    portfolio, profile = public.portfolio, public.profile
    url = structured.absolute(addresses.page)
    picture = structured.absolute(addresses.photo) if portfolio.photo_id else ""
    return {
        "portfolio": portfolio,
        "profile": profile,
        "public": public,
        "addresses": addresses,
        "cards": cards_of(public.entries, addresses, public.hide),
        "positions": positions_of(public.experiences, public.entries, addresses),
        "title": title_of(portfolio, profile),
        "description": _description(profile),
        "canonical": url,
        "picture": picture,
        "picture_alt": portfolio.photo_alt,
        "data": structured.owner_of(public, url, picture),
    }


def title_of(portfolio: Portfolio, profile: Profile | None) -> str:
    """“A. V., data engineer for public transport”."""
    told = (profile.headline if profile else "") or portfolio.domain_label
    return ", ".join(filter(None, (portfolio.owner_name, told)))


def _description(profile: Profile | None) -> str:
    about = " ".join(profile.about) if profile else ""
    return Truncator(about).chars(DESCRIPTION_CHARS) if about else ""
