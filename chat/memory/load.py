"""Loads what a prompt needs of a conversation's past: everything while it fits, else a window."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from chat.memory.budget import BUDGET, COMPACT_AT, FOR_GUIDE, KEPT, WINDOW
from chat.memory.corrections import Said, corrected
from chat.memory.facts import cost, from_json, holding, still_there
from chat.memory.queries import Row, place_after, said_between
from chat.memory.shapes import Context, Fact, Utterance
from chat.memory.summaries import SUMMARY_TOKENS, without_stale
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
    neither message nor place is given. `least` messages stay
    beside a summary. Nothing is summarised here: what is over the budget and in no summary yet is
    left out, oldest first.
    """
    row = session if isinstance(session, Session) else Session.objects.get(pk=session)
    place = before or (message.seq if message else place_after(row.pk))
    asked = utterance(message) if message else None
    if row.token_count <= COMPACT_AT and place <= WINDOW + 1:
        return _everything(row, place, asked, least)
    return _compacted(row, place, asked, least)


def utterance(message: Message) -> Utterance:
    """A message as guides see it."""
    return Row(
        message.seq,
        message.role,
        message.text,
        message.pk,
        message.parts,
        message.token_count or count_message(message.text, message.parts),
        message.superseded_at,
    ).utterance


def _everything(session: Session, place: int, asked: Utterance | None, least: int) -> Context:
    rows = said_between(session.pk, after=0, before=place, limit=WINDOW)
    room = BUDGET - FOR_GUIDE - (asked.tokens if asked else 0)
    current = [row.utterance for row in reversed(rows) if row.superseded_at is None]
    kept = newest(current, max(room, COMPACT_AT // 2), least=least)
    return Context(
        messages=kept,
        message=asked,
        is_compacted=len(kept) < len(current),
        tokens=sum(one.tokens for one in kept) + (asked.tokens if asked else 0),
    )


def _compacted(session: Session, place: int, asked: Utterance | None, least: int) -> Context:
    facts = from_json(session.key_facts)
    ids = {uuid.UUID(one) for fact in facts for one in (fact.message_id, fact.superseded_by) if one}
    # some of what the summary covers is read too: beside few new messages the last ones stay
    after = max(0, session.summary_seq - 2 * least)
    rows = said_between(session.pk, after=after, before=place, limit=WINDOW, also=ids)
    current = [row for row in reversed(rows) if row.superseded_at is None]
    recent = _recent([row for row in current if row.seq > after], session.summary_seq, least)
    facts = still_there(facts, {str(row.message_id) for row in current})
    facts = _with_corrections(facts, recent, asked, session.summary_seq)
    summary = "" if _is_outdated(session, rows) else session.summary
    return _fitted(session, facts, summary, recent, asked, least)


def _recent(rows: Sequence[Row], covered: int, least: int) -> list[Utterance]:
    """What no summary covers, and at least the last few."""
    uncovered = sum(row.seq > covered for row in rows)
    return [row.utterance for row in rows[-max(uncovered, least) :]][-WINDOW:]


def _with_corrections(
    facts: list[Fact], recent: Sequence[Utterance], asked: Utterance | None, covered: int
) -> list[Fact]:
    """The facts after what the person took back since the last summary."""
    for one in (*recent, asked):
        if one is not None and one.role == "user" and one.seq > covered:
            facts = corrected(facts, Said(str(one.message_id), one.seq, one.text))
    return facts


def _is_outdated(session: Session, rows: Sequence[Row]) -> bool:
    """Whether one of the last messages that the summary covers was replaced since."""
    read_at = session.summarised_at
    return any(
        row.seq <= session.summary_seq
        and row.superseded_at is not None
        and (read_at is None or row.superseded_at >= read_at)
        for row in rows
    )


def _fitted(
    session: Session,
    facts: Sequence[Fact],
    summary: str,
    recent: Sequence[Utterance],
    asked: Utterance | None,
    least: int,
) -> Context:
    known = holding(facts)
    if any(fact.superseded_seq > session.summary_seq for fact in facts):
        summary = without_stale(summary, facts)
    fixed = (
        (SUMMARY_TOKENS if summary else 0)
        + sum(cost(fact) for fact in known)
        + (asked.tokens if asked else 0)
    )
    room = max(BUDGET - FOR_GUIDE - fixed, COMPACT_AT // 4)
    kept = newest(recent, room, least=least)
    return Context(
        messages=kept,
        message=asked,
        facts=known,
        summary=summary,
        covered_seq=session.summary_seq,
        is_compacted=True,
        tokens=fixed + sum(one.tokens for one in kept),
    )
