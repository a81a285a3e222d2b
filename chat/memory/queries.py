"""Reads of a conversation for its context: what was said, how much of it, what a prompt needs."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Final

from django.db.models import Exists, F, Min, OuterRef, Q, QuerySet
from django.utils import timezone

from chat import hot
from chat.memory.facts import cost, from_json, holding, standing
from chat.memory.shapes import (
    BUDGET,
    COMPACT_AT,
    FOR_GUIDE,
    KEPT,
    SUMMARY_TOKENS,
    WINDOW,
    Context,
    Utterance,
)
from chat.memory.tokens import count_message, newest
from chat.models import Message, Session
from chat.queries import next_seq

SAID: Final = Q(role=Message.Role.PERSON, status=Message.Status.COMPLETE) | Q(
    role=Message.Role.ASSISTANT, status__in=(Message.Status.COMPLETE, Message.Status.STOPPED)
)
"""What counts as said: nothing that still waits or grows, no answer that failed or broke off."""

CURRENT: Final = Q(superseded_at__isnull=True)

QUIET_FOR: Final = timedelta(minutes=15)  # DECISIONS 42
_NO_LONGER_LOOKED_AT: Final = timedelta(days=2)
AT_ONCE: Final = 100  # sessions that one sweep finds


def current_messages(session_id: uuid.UUID) -> QuerySet[Message]:
    return Message.objects.filter(SAID, CURRENT, session_id=session_id)


def first_unfinished(session_id: uuid.UUID) -> int | None:
    unfinished = (Message.Status.QUEUED, Message.Status.STREAMING)
    messages = Message.objects.filter(CURRENT, session_id=session_id, status__in=unfinished)
    first: int | None = messages.aggregate(first=Min("seq"))["first"]
    return first


def is_outdated(session: Session) -> bool:
    if not session.summary_seq or session.summarised_at is None:
        return False
    replaced = Message.objects.filter(
        session=session, seq__lte=session.summary_seq, superseded_at__gte=session.summarised_at
    )
    return replaced.exists()


def neglected() -> list[uuid.UUID]:
    """Sessions that are quiet and long enough for a summary, and whose last words are in none."""
    now = timezone.now()
    unread = Message.objects.filter(
        SAID, CURRENT, session=OuterRef("pk"), seq__gt=OuterRef("summary_seq") + KEPT - 1
    )
    quiet = Session.objects.filter(
        Q(summarised_at__isnull=True) | Q(summarised_at__lt=F("updated_at")),
        Exists(unread),
        updated_at__gt=now - _NO_LONGER_LOOKED_AT,
        updated_at__lt=now - QUIET_FOR,
        deleted_at__isnull=True,
    )
    return list(quiet.order_by("updated_at").values_list("pk", flat=True)[:AT_ONCE])


def messages_before(session_id: uuid.UUID, *, before: int | None, limit: int) -> list[Message]:
    """The newest messages of the current branch before a place, in order, whatever their state."""
    current = Message.objects.filter(CURRENT, session_id=session_id)
    if before is not None:
        current = current.filter(seq__lt=before)
    return list(current.order_by("-seq")[:limit])[::-1]


def messages_of(session_id: uuid.UUID, ids: Collection[uuid.UUID]) -> list[Message]:
    return list(Message.objects.filter(session_id=session_id, pk__in=ids).order_by("seq"))


def load(
    session: Session | uuid.UUID,
    *,
    message: Message | None = None,
    before: int | None = None,
    least: int = KEPT,
) -> Context:
    """The past of a session as it stands before `message` (or a place), in one query.

    Takes the session's row as it was read, or its id for one more query; one more, too, where
    neither message nor place is given. `least` messages stay beside a summary. Nothing is
    summarised here: what is over the budget and in no summary yet is left out, oldest first.
    """
    row = session if isinstance(session, Session) else Session.objects.get(pk=session)
    place = before or (message.seq if message else next_seq(row.pk))
    question = utterance(message) if message else None
    fits = row.token_count <= COMPACT_AT and place <= WINDOW + 1
    facts = [] if fits else from_json(row.key_facts)
    ids = {uuid.UUID(pk) for fact in facts for pk in (fact.message_id, fact.superseded_by) if pk}
    # some of what the summary covers is read too: beside few new messages the last ones stay
    after = 0 if fits else max(0, row.summary_seq - 2 * least)
    rows = hot.recent(row.pk, after=after, before=place, limit=WINDOW, known=ids)
    current = [row for row in reversed(rows) if row.superseded_at is None]
    facts = holding(standing(facts, {str(item.message_id) for item in current}))
    summary = "" if fits or _is_outdated(row, rows) else row.summary
    fixed = (SUMMARY_TOKENS if summary else 0) + (cost(facts) if facts else 0)
    fixed += question.tokens if question else 0
    recent = [item for item in current if item.seq > after]
    uncovered = sum(item.seq > row.summary_seq for item in recent)
    stored = newest(
        recent if fits else recent[-max(uncovered, least) :][-WINDOW:],
        max(BUDGET - FOR_GUIDE - fixed, COMPACT_AT // (2 if fits else 4)),
        least=least,
    )
    return Context(
        messages=stored,
        message=question,
        facts=facts,
        summary=summary,
        covered_seq=0 if fits else row.summary_seq,
        is_compacted=not fits or len(stored) < len(current),
        tokens=fixed + sum(item.tokens for item in stored),
    )


def utterance(message: Message) -> Utterance:
    return Utterance(
        "user" if message.role == Message.Role.PERSON else "assistant",
        message.text,
        message.pk,
        tuple(message.parts),
        message.seq,
        message.token_count or count_message(message.text, message.parts),
        said_at=message.created_at,
    )


def _is_outdated(session: Session, rows: Sequence[Utterance]) -> bool:
    read_at = session.summarised_at
    return any(
        row.seq <= session.summary_seq
        and row.superseded_at is not None
        and (read_at is None or row.superseded_at >= read_at)
        for row in rows
    )
