"""What visitors do: ask a question on a page or by the API, ask it again, write to the owner."""

from __future__ import annotations

import hashlib
import uuid
from typing import Any, Final

from django.db import transaction

from chat import actions as chat_actions, languages
from chat.identity import Identity
from chat.models import RETRYABLE, Participant, Run, Session
from chat.operations.execute import raise_if_failed
from futura.errors import ModelUnavailable, TooMany
from futura.limits.rates import DAY_S
from futura.llm.client import Llm
from futura.text import shortened
from projects.portfolio.models import Portfolio
from projects.portfolio.queries import visit_of
from projects.portfolio.visitors import admission
from projects.portfolio.visitors.contract import KIND, VisitState
from projects.portfolio.visitors.guide import ASKED, put_in_inbox

TITLE_CHARS: Final = 60
LONG_ENOUGH: Final = 16
"""Characters from which on a conversation's id counts as one that nobody guesses."""


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
            state=VisitState(portfolio_id=str(portfolio.pk)),
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
    reason = "written by a visitor"
    batch = put_in_inbox(portfolio, text, reason=reason, sender=sender, reply_to=reply_to)
    if batch is None:
        raise TooMany(retry_after_s=DAY_S)
    raise_if_failed(batch)


# By the API -------------------------------------------------------------------------------------
def ask_by_api(
    *, portfolio: Portfolio, conversation_id: str, text: object, anchor: str, address: str
) -> Run | None:
    """Stores a question in the visitor's conversation and queues its run; an anchor only once.

    None for a question that is refused. The same question under a new anchor, after an answer that
    failed, is that answer's retry.
    Raises BadInput/TooLong, TooMany, Unavailable (nobody can count, or no money is left), Conflict
    for another question under a known anchor.
    """
    question = admission.checked_question(text)
    pk = session_id_of(portfolio.pk, conversation_id, address)
    part: dict[str, Any] = {"type": ASKED, "anchor": anchor}
    runs = Run.objects.filter(session=pk, message__parts__contains=[part])
    run = runs.select_related("session", "message").order_by("created_at").last()
    if run is not None:
        chat_actions.refuse_other_text(run.message, question)
        return run
    if admission.is_over_budget():
        raise admission.OverBudget
    admission.count_question(address, portfolio.pk)
    try:
        if admission.is_flagged(question, Llm(session_id=pk)):
            return None
        part["is_moderated"] = True
    except ModelUnavailable:  # nobody could tell, and the turn goes on warily
        part["is_moderated"] = False
    state, language = VisitState(portfolio_id=str(portfolio.pk)), languages.current()
    defaults: dict[str, Any] = {
        # a new conversation has a participant of its own who owns nothing else
        "participant": lambda: Participant.objects.create(time_zone="UTC", language=language),
        "kind": KIND,
        "title": shortened(question, TITLE_CHARS),
        "state": state.model_dump(mode="json"),
    }
    with transaction.atomic():
        session, _is_new = Session.objects.get_or_create(pk=pk, defaults=defaults)
        return _stored(session, question, part, address)


def session_id_of(portfolio_id: uuid.UUID, conversation_id: str, address: str) -> uuid.UUID:
    """The session that a client's conversation id stands for.

    An id that could be guessed names a conversation only together with the caller's address.
    """
    scope = "" if len(conversation_id) >= LONG_ENOUGH else address
    name = f"visit\x00{portfolio_id}\x00{conversation_id}\x00{scope}"
    return uuid.UUID(bytes=hashlib.sha256(name.encode()).digest()[:16], version=4)


def _stored(session: Session, question: str, part: dict[str, Any], address: str) -> Run:
    """The run of a question: the retry of the last one where that was the same and failed."""
    identity = admission.CountedVisitor(
        address=address, cookie_participant_id=session.participant_id
    )
    runs = Run.objects.filter(session=session).select_related("message").order_by("created_at")
    last = runs.last()
    message = last.message if last is not None and last.status in RETRYABLE else None
    if last is None or message is None or message.text != question:
        client_id = uuid.uuid5(session.pk, part["anchor"])
        return chat_actions.send_message(
            identity=identity, session=session, text=question, client_id=client_id, parts=[part]
        )
    run = chat_actions.retry_run(identity=identity, run_id=last.pk)
    message.parts = [*message.parts, {**part, "sent": True}]
    message.save(update_fields=["parts"])
    return run
