"""How visitors' conversations look: claims that open their sources, cards, how it was answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy as _

from chat.identity import Identity
from chat.models import Message, Session
from chat.presenters import Presenter, Rendered
from futura.text import quoted
from projects.portfolio import periods
from projects.portfolio.article import cited_html, source_id
from projects.portfolio.contact_review import hider
from projects.portfolio.models import Portfolio
from projects.portfolio.public.page import Addresses, cards_of
from projects.portfolio.queries import published_entries
from projects.portfolio.visitors import admission, retention
from projects.portfolio.visitors.contract import KIND, PART, QUESTION_CHARS
from projects.portfolio.visitors.sentences import is_label

_CACHE: Final = "_visit_places"


class VisitPresenter(Presenter):
    """The thread of a visit; nothing can be changed from it."""

    kind = KIND
    message_chars = QUESTION_CHARS
    event_kinds = frozenset({KIND})
    state_event = KIND
    changes_things = False
    has_policy = False
    # visitors' questions are paid by a budget of their own, and nothing reads their summaries
    remembers_with_model = False
    composer_label = _("Your question")
    composer_placeholder = _("Ask about this portfolio")
    name = _("Portfolio visit")

    def page_url(self, session: Session) -> str:
        return reverse("visitors:visit", args=[session.pk])

    def language(self, session: Session, *, chosen: str) -> str:
        portfolio = _portfolio_of(session)
        return portfolio.language_for([session.participant_id], chosen) if portfolio else ""

    def admit(self, identity: Identity, *, session: Session) -> None:
        """Counts a question: 5 a minute, 40 an hour, 120 a day from an address."""
        if not isinstance(identity, admission.CountedVisitor):
            admission.count_question(identity.address, str(session.state.get("portfolio_id", "")))

    def refusal(self, session: Session) -> str:
        """Nothing is asked of a portfolio that is not open, except by its owner."""
        portfolio = _portfolio_of(session)
        if portfolio is None or portfolio.deleted_at is not None:
            return gettext("This portfolio no longer exists.")
        is_open = portfolio.status == Portfolio.Status.PUBLISHED
        if not is_open and session.participant_id != portfolio.owner_id:
            return gettext("This portfolio is not published.")
        return ""

    def erase(self, session: Session) -> None:
        retention.add_to_months(session)

    def html(self, message: Message) -> SafeString:
        record = record_of(message)
        return cited_html(message.text, record.get("claims") or (), message.pk)

    def part(
        self, part: Mapping[str, Any], *, message: Message, session: Session
    ) -> Rendered | None:
        """What stands below an answer: its sources and cards."""
        if part.get("type") != PART:
            return None
        (cards, work), displayed = _pages_of(session), part.get("cards") or ()
        projects = [card["id"] for card in displayed if card["kind"] == "project"]
        context = {
            "record": part,
            "session": session,
            "message": message,
            "sources": [
                _dated(item)
                | {
                    "anchor": source_id(message.pk, int(item["number"])),
                    "url": _url_of(item, cards, work),
                }
                for item in part.get("evidence") or ()
            ],
            "works": [cards[pk] for pk in projects if pk in cards],
            "positions": [_dated(card) for card in displayed if card["kind"] == "experience"],
        }
        return Rendered("projects/portfolio/chat/_answer.html", context)

    def part_words(self, part: Mapping[str, Any], *, message: Message) -> str:
        if part.get("type") != PART:
            return ""
        return "\n".join(
            f"[{item['number']}] {item['title']}: {quoted(item['quote'])}"
            for item in part["evidence"]
        )


def record_of(message: Message) -> Mapping[str, Any]:
    """What an answer keeps beside its words; empty for other messages."""
    return next((part for part in message.parts if part.get("type") == PART), {})


def _dated(item: Mapping[str, Any]) -> dict[str, Any]:
    """With “2021-03 to 2022-01” in words."""
    first, _to, last = item.get("dates", "").partition(" to ")
    is_current = last == "present"
    dates = periods.period_text(first, "" if is_current else last, is_current=is_current)
    return {**item, "dates": dates}


def _portfolio_of(session: Session) -> Portfolio | None:
    return Portfolio.objects.filter(pk=session.state.get("portfolio_id")).first()


def _url_of(item: Mapping[str, Any], cards: Mapping[str, Any], work: str) -> str:
    """The page that an evidence was quoted from, opened at its words; empty for facts."""
    card, facet = cards.get(str(item["id"])), item["facet"]
    page = work if item["source"] in {"resume", "profile"} else ""
    if item["source"] == "project":
        page = card.page_url if card else ""
    if not page or facet == "answer":
        return ""
    text = str(item["quote"])
    words = text.partition(": ")[2] if is_label(text) else text
    place = f"position-{item['id']}" if facet == "experience" else ""
    # a dash has a meaning in such an address
    return f"{page}#{place}:~:text={quote(words, safe='').replace('-', '%2D')}"


def _pages_of(session: Session) -> tuple[Mapping[str, Any], str]:
    """Cards of published entries by id, and the page of records. Read once a session."""
    if _CACHE not in session.__dict__:
        pages: tuple[Mapping[str, Any], str] = ({}, "")
        if (portfolio := _portfolio_of(session)) is not None:
            is_open = portfolio.status == Portfolio.Status.PUBLISHED
            addresses, hide = Addresses(portfolio, is_preview=not is_open), hider(portfolio)
            cards = cards_of(map(hide, published_entries(portfolio)), addresses, hide)
            pages = {card.doc_id: card for card in cards}, addresses.work
        session.__dict__[_CACHE] = pages
    cached: tuple[Mapping[str, Any], str] = session.__dict__[_CACHE]
    return cached
