"""Writes of visitors: questions, and messages to the owner."""

from __future__ import annotations

import uuid

from django.db import transaction

from chat import actions as chat_actions
from chat.identity import Identity
from chat.models import Session
from chat.operations.changes import Actor, Cause, Create, Kind
from chat.operations.execute import execute, raise_if_failed
from futura.errors import TooMany
from futura.limits.rates import DAY_S
from futura.text import shortened
from projects.portfolio.models import OpenQuestion, Portfolio
from projects.portfolio.public.queries import visit_of
from projects.portfolio.visitors import admission
from projects.portfolio.visitors.contract import KIND, VisitState
from projects.portfolio.visitors.guide import OPEN_AT_MOST

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
        admission.count_question(identity.address, portfolio.pk)
    return begun


def write_to_owner(
    *, identity: Identity, portfolio: Portfolio, sender: str, reply_to: str, text: str
) -> None:
    """A message in the owner's inbox, with where to answer it.

    Raises TooMany over the rate or while the inbox is full, Unavailable when it cannot be counted.
    """
    admission.count_question(identity.address, portfolio.pk)
    with transaction.atomic():
        Portfolio.objects.select_for_update(no_key=True).get(pk=portfolio.pk)
        waiting = OpenQuestion.objects.filter(
            portfolio=portfolio, deleted_at=None, status=OpenQuestion.Status.OPEN
        )
        if waiting.count() >= OPEN_AT_MOST:
            raise TooMany(retry_after_s=DAY_S)
        values = {
            "portfolio": portfolio.pk, "question": text, "sender": sender, "reply_to": reply_to,
        }  # fmt: skip
        batch = execute(
            actor=Actor(portfolio.owner_id, kind=Kind.AGENT),
            changes=[Create("portfolio_question", values)],
            cause=Cause(reason="written by a visitor"),
            title=shortened(text, TITLE_CHARS),
        )
        raise_if_failed(batch)
