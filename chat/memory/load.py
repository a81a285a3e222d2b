"""Loads what a prompt needs of a conversation's past: everything while it fits, else a window."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from chat.memory.budget import BUDGET, COMPACT_AT, FOR_GUIDE, KEPT, SUMMARY_TOKENS, WINDOW
from chat.memory.facts import cost, from_json, holding, standing
from chat.memory.queries import place_after, said_between
from chat.memory.shapes import Context, Utterance
from chat.memory.tokens import count_message
from chat.memory.window import newest
from chat.models import Message, Session


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
    place = before or (message.seq if message else place_after(row.pk))
    question = utterance(message) if message else None
    fits = row.token_count <= COMPACT_AT and place <= WINDOW + 1
    facts = [] if fits else from_json(row.key_facts)
    ids = {uuid.UUID(pk) for fact in facts for pk in (fact.message_id, fact.superseded_by) if pk}
    # some of what the summary covers is read too: beside few new messages the last ones stay
    after = 0 if fits else max(0, row.summary_seq - 2 * least)
    rows = said_between(row.pk, after=after, before=place, limit=WINDOW, also=ids)
    current = [one for one in reversed(rows) if one.superseded_at is None]
    facts = holding(standing(facts, {str(one.message_id) for one in current}))
    summary = "" if fits or _is_outdated(row, rows) else row.summary
    fixed = (SUMMARY_TOKENS if summary else 0) + (cost(facts) if facts else 0)
    fixed += question.tokens if question else 0
    recent = [one for one in current if one.seq > after]
    uncovered = sum(one.seq > row.summary_seq for one in recent)
    kept = newest(
        recent if fits else recent[-max(uncovered, least) :][-WINDOW:],
        max(BUDGET - FOR_GUIDE - fixed, COMPACT_AT // (2 if fits else 4)),
        least=least,
    )
    return Context(
        messages=kept,
        message=question,
        facts=facts,
        summary=summary,
        covered_seq=0 if fits else row.summary_seq,
        is_compacted=not fits or len(kept) < len(current),
        tokens=fixed + sum(one.tokens for one in kept),
    )


def utterance(message: Message) -> Utterance:
    """A message as guides see it."""
    return Utterance(
        "user" if message.role == Message.Role.PERSON else "assistant",
        message.text,
        message.pk,
        tuple(message.parts),
        message.seq,
        message.token_count or count_message(message.text, message.parts),
    )


def _is_outdated(session: Session, rows: Sequence[Utterance]) -> bool:
    """Whether one of the last messages that the summary covers was replaced since."""
    read_at = session.summarised_at
    return any(
        row.seq <= session.summary_seq
        and row.superseded_at is not None
        and (read_at is None or row.superseded_at >= read_at)
        for row in rows
    )
