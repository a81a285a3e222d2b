"""How visitors' conversations look: claims that open their sources, cards, how it was answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from chat.identity import Identity
from chat.models import Message, Session
from chat.presenters import Presenter, Rendered
from futura.text import quoted
from projects.portfolio import spans
from projects.portfolio.contact_review import hider
from projects.portfolio.models import Entry, Portfolio
from projects.portfolio.public import page
from projects.portfolio.public.page import Card, cards_of
from projects.portfolio.visitors import admission, retention
from projects.portfolio.visitors.contract import KIND, PART
from projects.portfolio.visitors.marking import html_of, source_id

_CACHE: Final = "_visit_cards"


class VisitPresenter(Presenter):
    """The thread of a visit; nothing can be changed from it."""

    kind = KIND
    message_chars = admission.QUESTION_CHARS
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
        """The public page, or the owner's preview."""
        return reverse("visitors:visit", args=[session.pk])

    def language(self, session: Session, *, chosen: str) -> str:
        """The portfolio's, as on its pages."""
        found = Portfolio.objects.filter(pk=session.state.get("portfolio_id")).first()
        return found.language_for([session.participant_id], chosen) if found else ""

    def admit(self, identity: Identity, *, session: Session) -> None:
        """Counts a question: 5 a minute, 40 an hour, 120 a day from an address."""
        if not isinstance(identity, admission.Counted):
            admission.count_question(identity.address, str(session.state.get("portfolio_id", "")))

    def refusal(self, session: Session) -> str:
        """Nothing is asked of a portfolio that is not open, except by its owner."""
        portfolio = Portfolio.objects.filter(
            pk=session.state.get("portfolio_id"), deleted_at=None
        ).first()
        if portfolio is None:
            return gettext("This portfolio no longer exists.")
        is_open = portfolio.status == Portfolio.Status.PUBLISHED
        if not is_open and session.participant_id != portfolio.owner_id:
            return gettext("This portfolio is not published.")
        return ""

    def erase(self, session: Session) -> None:
        """The numbers of a visit outlive it."""
        retention.keep_numbers(session)

    def html(self, message: Message) -> SafeString:
        """The answer with its claims marked."""
        record = record_of(message)
        return html_of(message.text, record.get("claims") or (), message.pk)

    def part(
        self, part: Mapping[str, Any], *, message: Message, session: Session
    ) -> Rendered | None:
        """What stands below an answer: its sources, cards, and what to ask next."""
        if part.get("type") != PART:
            return None
        cards = cards_in(session)
        return Rendered(
            "projects/portfolio/chat/_answer.html",
            {
                "record": part,
                "session": session,
                "message": message,
                "sources": [_source(one, message, cards) for one in part.get("evidence") or ()],
                "works": [
                    cards[one["id"]]
                    for one in part.get("cards") or ()
                    if one["kind"] == "project" and one["id"] in cards
                ],
                "positions": [
                    {**one, "dates": spans_of(one.get("dates", ""))}
                    for one in part.get("cards") or ()
                    if one["kind"] == "experience"
                ],
            },
        )

    def part_words(self, part: Mapping[str, Any], *, message: Message) -> str:
        """The sources in plain words, for exports."""
        if part.get("type") != PART:
            return ""
        return "\n".join(
            f"[{one['number']}] {one['title']}: {quoted(one['quote'])}" for one in part["evidence"]
        )


def record_of(message: Message) -> Mapping[str, Any]:
    """What an answer keeps beside its words; empty for other messages."""
    return next((one for one in message.parts if one.get("type") == PART), {})


def _source(
    one: Mapping[str, Any], message: Message, cards: Mapping[str, Card]
) -> Mapping[str, Any]:
    """A piece of evidence as the page shows it, with the page it leads to."""
    card = cards.get(str(one["id"])) if one["source"] == "project" else None
    return {
        **one,
        "anchor": source_id(message.pk, int(one["number"])),
        "url": card.url if card else "",
        "dates": spans_of(one.get("dates", "")),
    }


def spans_of(dates: str) -> str:
    """“2021-03 to 2022-01” in words."""
    first, _to, last = dates.partition(" to ")
    is_current = last == "present"
    return spans.told(first, "" if is_current else last, is_current=is_current)


def cards_in(session: Session) -> Mapping[str, Card]:
    """Cards of the published entries of the portfolio, by id in the corpus; read once a session."""
    kept: Mapping[str, Card] | None = session.__dict__.get(_CACHE)
    if kept is None:
        portfolio = Portfolio.objects.filter(pk=session.state.get("portfolio_id")).first()
        kept = {}
        if portfolio is not None:
            is_open = portfolio.status == Portfolio.Status.PUBLISHED
            entries = Entry.objects.filter(
                portfolio=portfolio, status=Entry.Status.PUBLISHED, deleted_at=None
            )
            at = page.public_addresses(portfolio) if is_open else page.preview_addresses(portfolio)
            hide = hider(portfolio)
            kept = {one.doc_id: one for one in cards_of(map(hide, entries), at, hide)}
        session.__dict__[_CACHE] = kept
    return kept
