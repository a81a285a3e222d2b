"""Writes of visitors: the first question and those that follow, and beginning anew."""

from __future__ import annotations

import uuid

from django.db import transaction

from chat import actions as chat_actions
from chat.identity import Identity
from chat.models import Session
from futura.text import shortened
from projects.portfolio.models import Portfolio
from projects.portfolio.public.queries import visit_of
from projects.portfolio.visitors import rates
from projects.portfolio.visitors.state import KIND, VisitState

TITLE_CHARS = 60


def ask(
    *, identity: Identity, portfolio: Portfolio, text: str, client_id: uuid.UUID | None = None
) -> Session:
    """A question in the caller's running conversation with a portfolio, or in one that begins.

    Raises BadInput/TooLong for the text, TooMany over the rate, Unavailable when it cannot be
    counted. What is refused leaves no participant behind.
    """
    session = visit_of(identity, portfolio)
    if session is not None:
        chat_actions.send_message(
            identity=identity, session=session, text=text, client_id=client_id
        )
        return session
    with transaction.atomic():
        begun = chat_actions.start_session(
            participant=identity.participant(),
            kind=KIND,
            state=VisitState(portfolio_id=str(portfolio.pk), slug=portfolio.slug),
            title=shortened(text.strip(), TITLE_CHARS) or portfolio.owner_name,
            first_text=text,
            first_client_id=client_id,
        )
        rates.check(identity.address, portfolio.pk)
    return begun


def begin_anew(*, identity: Identity, portfolio: Portfolio) -> None:
    """Puts the running conversation away: the next question begins another."""
    session = visit_of(identity, portfolio)
    if session is not None:
        chat_actions.archive_session(identity=identity, session_id=session.pk)
