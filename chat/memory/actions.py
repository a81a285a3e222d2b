"""Asks for a summary: when a person wants one, and when a turn has made one due."""

from __future__ import annotations

import uuid
from functools import partial
from typing import Final, Literal

from django.db import transaction

from chat import rates
from chat.identity import Identity
from chat.memory.budget import COMPACT_AT, KEPT, MANY
from chat.memory.queries import Size, size_of
from chat.models import Session
from futura import limits
from futura.celery import send_job
from futura.errors import NotFound, Unavailable

SUMMARISE: Final = "chat.summarise"
Reason = Literal["over_budget", "inactive", "ended", "request"]


def enqueue_summary(session_id: uuid.UUID, reason: Reason) -> bool:
    """Has a worker summarise; False while the broker is away: the sweep repeats what got lost."""
    return send_job(SUMMARISE, str(session_id), reason)


def request_summary(*, identity: Identity, session: Session) -> None:
    """Enqueues a summary of all that was said; asked twice, the second finds nothing to do.

    Raises NotFound for strangers, TooMany over the rate, Unavailable while nothing can be queued.
    """
    if not identity.owns(session.participant_id):
        raise NotFound
    rates.check(limits.SUMMARISE, identity)
    if not enqueue_summary(session.pk, "request"):
        raise Unavailable


def settle(session: Session, *, ended: bool) -> None:
    """Counts the branch that a reply has just ended; enqueues a summary when one is due.

    Sets `session.token_count` for the caller to save; needs the session's row locked.
    """
    size = size_of(session)
    session.token_count = size.tokens
    if ended or is_due(session, size):
        reason: Reason = "ended" if ended else "over_budget"
        transaction.on_commit(partial(enqueue_summary, session.pk, reason), robust=True)


def is_due(session: Session, size: Size) -> bool:
    """Whether what is in no summary yet is too much for a prompt, about what it remembers added."""
    facts = sum(len(str(fact.get("text", ""))) // 4 + 6 for fact in session.key_facts)
    remembered = len(session.summary) // 4 + int(facts)
    is_much = size.uncovered > MANY or size.uncovered_tokens + remembered > COMPACT_AT
    return is_much and size.uncovered > KEPT
