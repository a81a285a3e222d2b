"""What the templates of the public page need: the same for visitors and for the owner's preview."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import urljoin

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from chat.identity import identity_of
from chat.render import page_context
from futura.errors import FuturaError
from futura.llm.stages import is_configured
from projects.portfolio import periods
from projects.portfolio.article import SMALL, picture_of
from projects.portfolio.contact_review import Hide
from projects.portfolio.models import Entry, EntryImage, Experience, Portfolio
from projects.portfolio.queries import Public, living_images, public_of, visit_of
from projects.portfolio.schema.kinds import TYPES
from projects.portfolio.visitors.contract import QUESTION_CHARS

DESCRIPTION_CHARS: Final = 300
STARTERS: Final = 4


# Addresses --------------------------------------------------------------------------------------
class Addresses:
    """Where the parts of one page lead: the public one or the owner's preview of it."""

    def __init__(self, portfolio: Portfolio, *, is_preview: bool = False) -> None:
        self.is_preview = is_preview
        self._route = "portfolio_desk:preview_" if is_preview else "visitors:"
        self._key = str(portfolio.pk) if is_preview else portfolio.slug
        page = "portfolio_desk:preview" if is_preview else "visitors:page"
        self.page = reverse(page, args=[self._key])
        self.work = self._at("work")
        self.ask = self._at("ask")
        self.new = self._at("new")
        self.privacy = self._at("kept")
        self.photo = self._at("photo")
        # nobody writes to themselves in a preview
        self.contact = "" if is_preview else self._at("contact")

    def _at(self, name: str, *more: object) -> str:
        return reverse(f"{self._route}{name}", args=[self._key, *more])

    def image(self, image: EntryImage, width: int) -> str:
        return f"{self._at('image', image.pk)}?w={width}"

    def entry(self, slug: str) -> str:
        return self._at("entry", slug)


def absolute(path: str) -> str:
    return urljoin(f"{settings.SITE_URL}/", path)


# Pages ------------------------------------------------------------------------------------------
def ask_page(
    request: HttpRequest,
    portfolio: Portfolio,
    addresses: Addresses,
    *,
    typed: str = "",
    refusal: FuturaError | None = None,
) -> HttpResponse:
    """The page: the conversation where there is one, else who this is and what to ask.

    A refused question comes back as `typed`, with the reason.
    """
    public = public_of(portfolio)
    session = visit_of(identity_of(request), portfolio)
    if session is not None and typed:
        session.draft = typed
    retry_after_s = getattr(refusal, "retry_after_s", 0)
    context = {
        **context_of(public, addresses),
        **(page_context(request, session) if session is not None else {}),
        "visit": session,
        "starters": starters_of(public),
        "client_id": uuid.uuid4(),
        "limit": QUESTION_CHARS,
        "typed": typed,
        "refusal": str(refusal or ""),
        "retry_after_s": retry_after_s,
        "is_basic": not is_configured(),
        "part": "ask",
    }
    status = refusal.status if refusal else 200
    page = render(request, "projects/portfolio/public/page.html", context, status=status)
    if retry_after_s:
        page["Retry-After"] = str(retry_after_s)
    return page


def work_page(request: HttpRequest, portfolio: Portfolio, addresses: Addresses) -> HttpResponse:
    """Everything that is public, to read rather than to ask for."""
    displayed = {**context_of(public_of(portfolio), addresses), "part": "work"}
    return render(request, "projects/portfolio/public/work.html", displayed)


def context_of(public: Public, addresses: Addresses) -> dict[str, Any]:
    """What every page of a portfolio shows. One query, for the pictures."""
    portfolio, profile = public.portfolio, public.profile
    headline = (profile.headline if profile else "") or portfolio.domain_label
    about = " ".join(profile.about) if profile else ""
    return {
        "portfolio": portfolio,
        "profile": profile,
        "public": public,
        "addresses": addresses,
        "cards": cards_of(public.entries, addresses, public.hide),
        "positions": positions_of(public, addresses),
        "title": ", ".join(filter(None, (portfolio.owner_name, headline))),
        "description": Truncator(about).chars(DESCRIPTION_CHARS) if about else "",
        "canonical": absolute(addresses.page),
        "picture": absolute(addresses.photo) if portfolio.photo_id else "",
        "picture_alt": portfolio.photo_alt,
    }


# Cards ----------------------------------------------------------------------------------------
def cards_of(entries: Iterable[Entry], addresses: Addresses, hide: Hide) -> list[Entry]:
    """The entries, which come as `hide` shows them, each with its `page_url`, a `note`, and its
    `picture`; without one a plate is drawn, one of a few by `plate`. One query.
    """
    rows: list[Any] = list(entries)
    living = living_images().filter(entry__in=rows)
    leading = living.order_by("entry_id", "-is_hero", "position").distinct("entry_id")
    heroes = {image.entry_id: picture_of(hide(image), addresses.image, SMALL) for image in leading}
    for entry in rows:
        named = [*entry.tech_stack, *entry.languages, *entry.tags][:3]
        about = entry.entry_type or ", ".join(named)
        when = periods.period_of(entry)
        entry.note = " · ".join(filter(None, (when, about)))
        entry.page_url = addresses.entry(entry.slug)
        entry.picture = heroes.get(entry.pk)
        entry.plate = sum(entry.doc_id.encode()) % 4
    return rows


def positions_of(public: Public, addresses: Addresses) -> list[Experience]:
    """The positions, each with `facts` in a line (of what was no usual job, its kind, too), and
    `works`, the pieces of work made there.
    """
    visible = {entry.pk for entry in public.entries}
    rows: list[Any] = list(public.experiences)
    for row in rows:
        when = periods.period_of(row)
        where = ", ".join(filter(None, (row.company if row.title else "", row.location)))
        is_job = row.experience_type in {Experience.Type.FULL_TIME, Experience.Type.OTHER}
        kind = "" if is_job else str(TYPES[row.experience_type])
        row.facts = " · ".join(filter(None, (where, when, kind)))
        linked = (entry for entry in row.linked_entries.all() if entry.pk in visible)
        row.works = [(item.title or item.doc_id, addresses.entry(item.slug)) for item in linked]
    return rows


# Questions to begin with ------------------------------------------------------------------------
def starters_of(public: Public) -> list[str]:
    """Up to four questions that this portfolio can answer, one of each kind; the last asks how it
    works.
    """
    at_work = _most_named(skill for experience in public.experiences for skill in experience.skills)
    in_works = _most_named(
        name for entry in public.entries for name in (*entry.tech_stack, *entry.languages)
    )
    questions: list[str] = []
    if at_work or in_works:
        questions.append(_("Have you used %(skill)s at work?") % {"skill": at_work or in_works})
    if in_works:
        questions.append(_("Which projects did you do with %(skill)s?") % {"skill": in_works})
    elif public.entries:
        questions.append(_("Which projects have you done?"))
    if public.experiences:
        company = public.experiences[0].company
        questions.append(_("Tell me about your time at %(company)s.") % {"company": company})
    elif public.entries and public.entries[0].title:
        questions.append(_("Tell me about %(work)s.") % {"work": public.entries[0].title})
    return [*questions[: STARTERS - 1], _("How does this work?")]


def _most_named(names: Iterable[str]) -> str:
    """The name that comes most often, the first of those that come as often; empty for none."""
    counted = Counter(name.strip() for name in names if name.strip())
    return counted.most_common(1)[0][0] if counted else ""
