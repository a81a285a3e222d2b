"""What visitors do by the API: ask a question in their conversation, or ask it again."""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction

from chat import actions as chat_actions
from chat import languages
from chat.identity import Identity
from chat.models import RETRYABLE, Participant, Run, Session
from futura.errors import Conflict, ModelUnavailable
from futura.llm.client import Llm
from futura.text import shortened
from projects.portfolio.models import Portfolio
from projects.portfolio.visitors import admission, moderation
from projects.portfolio.visitors.guide import ASKED
from projects.portfolio.visitors.state import KIND, VisitState

TITLE_CHARS: Final = 60
LONG_ENOUGH: Final = 16
"""Characters from which on a conversation's id counts as one that nobody guesses."""


@dataclass(frozen=True)
class Asked:
    """A question that is being answered; or one that was refused, in words for the visitor."""

    session: Session | None = None
    run: Run | None = None
    refusal: str = ""


def ask(
    *,
    portfolio: Portfolio,
    conversation_id: str,
    text: object,
    anchor: str,
    address: str,
    with_reasoning: bool = False,
) -> Asked:
    """Stores a question in the visitor's conversation and queues its run; an anchor only once.

    The same question under a new anchor, after an answer that failed, is that answer's retry.
    Raises BadInput/TooLong, TooMany, Unavailable (nobody can count, or no money is left), Conflict
    for another question under a known anchor.
    """
    question = admission.question_of(text)
    pk = visit_id(portfolio.pk, conversation_id, address)
    client_id = uuid.uuid5(pk, anchor)
    known = Run.objects.filter(session=pk, message__client_id=client_id)
    known = known.select_related("session", "message").order_by("created_at")
    if (run := known.last()) is not None:
        chat_actions.refuse_other_text(run.message, question)
        return Asked(run.session, run)
    if (run := _retried(pk, anchor)) is not None:
        chat_actions.refuse_other_text(run.message, question)
        return Asked(run.session, run)
    admission.refuse_without_money()
    admission.count_question(address, portfolio.pk)
    is_flagged = _is_flagged(question, Llm(session_id=pk))
    if is_flagged:
        return Asked(refusal=moderation.refusal())
    part = {
        "type": ASKED,
        "anchor": anchor,
        "is_moderated": is_flagged is not None,
        "reasoning": with_reasoning,
    }
    return _stored(portfolio, pk, question, client_id, part, address)


def _is_flagged(question: str, llm: Llm) -> bool | None:
    """Whether a question is refused; None where nobody could tell, and the turn goes on warily."""
    try:
        return moderation.is_flagged(question, llm)
    except ModelUnavailable:
        return None


def _stored(
    portfolio: Portfolio,
    pk: uuid.UUID,
    question: str,
    client_id: uuid.UUID,
    part: dict[str, Any],
    address: str,
) -> Asked:
    with transaction.atomic():
        session = _running(portfolio.pk, pk) or _begun(portfolio, pk, question)
        identity = admission.Counted(address=address, cookie_participant_id=session.participant_id)
        last = Run.objects.filter(session=session).order_by("created_at").last()
        if _is_same_again(last, question):
            assert last is not None  # noqa: S101 - seen by _is_same_again
            run = _try_again(identity, last, part)
        else:
            run = chat_actions.send_message(
                identity=identity, session=session, text=question, client_id=client_id, parts=[part]
            )
    return Asked(session, run)


def visit_id(portfolio_id: uuid.UUID, conversation_id: str, address: str) -> uuid.UUID:
    """The session that a client's conversation id stands for.

    An id that could be guessed names a conversation only together with the caller's address.
    """
    scope = "" if len(conversation_id) >= LONG_ENOUGH else address
    name = f"visit\x00{portfolio_id}\x00{conversation_id}\x00{scope}"
    return uuid.UUID(bytes=hashlib.sha256(name.encode()).digest()[:16], version=4)


def _running(portfolio_id: uuid.UUID, session_id: uuid.UUID) -> Session | None:
    """A running visit of this portfolio."""
    session = Session.objects.filter(pk=session_id, kind=KIND, deleted_at=None).first()
    if session is None or session.state.get("portfolio_id") != str(portfolio_id):
        return None
    return session


def _begun(portfolio: Portfolio, pk: uuid.UUID, question: str) -> Session:
    """A new conversation, with a participant of its own who owns nothing else."""
    state = VisitState(portfolio_id=str(portfolio.pk), slug=portfolio.slug)
    session, _is_new = Session.objects.get_or_create(
        pk=pk,
        defaults={
            "participant": Participant.objects.create(
                time_zone="UTC", language=languages.current()
            ),
            "kind": KIND,
            "title": shortened(question, TITLE_CHARS) or portfolio.owner_name,
            "state": state.model_dump(mode="json"),
        },
    )
    return session


def _is_same_again(last: Run | None, question: str) -> bool:
    return (
        last is not None
        and last.status in RETRYABLE
        and last.message is not None
        and last.message.text == question
    )


def _try_again(identity: Identity, last: Run, part: dict[str, Any]) -> Run:
    """The retry of a failed answer, under the new anchor."""
    message = last.message
    if message is None:
        raise Conflict
    run = chat_actions.retry_run(identity=identity, run_id=last.pk)
    message.parts = [*(one for one in message.parts if one.get("type") != ASKED),
                     {**part, "sent": True}]  # fmt: skip
    message.save(update_fields=["parts"])
    return run


def _retried(pk: uuid.UUID, anchor: str) -> Run | None:
    """The retry that this anchor has begun before."""
    retries = Run.objects.filter(session=pk, cause=Run.Cause.RETRY)
    run = retries.select_related("message", "session").order_by("created_at").last()
    if run is None or run.message is None:
        return None
    anchors = {one.get("anchor") for one in run.message.parts if one.get("type") == ASKED}
    return run if anchor in anchors else None
