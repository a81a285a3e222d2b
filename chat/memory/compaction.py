"""Writes the summary and the key facts of a session: once per stretch, whoever comes first.

Nothing is deleted and no message is touched. Each stretch is written by a compare-and-set on what
the summary covered when it was read, so that of two writers one wins and a job may run twice.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils import timezone

from chat.memory import announce
from chat.memory.budget import COMPACT_AT, KEPT, KEPT_TOKENS, MANY
from chat.memory.facts import cost, from_json, still_there, to_json
from chat.memory.parts import exchange_in_words
from chat.memory.prompts import Line
from chat.memory.queries import (
    Row,
    first_unfinished,
    is_outdated,
    neglected,
    over_budget,
    said_between,
    said_of,
    size_of,
)
from chat.memory.shapes import Fact
from chat.memory.summaries import (
    Memory,
    facts_by_rules,
    facts_with_model,
    summary_by_rules,
    summary_with_model,
)
from chat.memory.tokens import count, count_message
from chat.memory.window import clipped
from chat.models import Message, Session
from chat.presenters import remembers_with_model
from chat.runs.lease import release
from futura.errors import ModelUnavailable
from futura.llm.client import Llm

log = logging.getLogger(__name__)

STRETCH_TOKENS: Final = 12_000
"""Read at once; a long conversation is summarised stretch by stretch."""

STRETCH_MESSAGES: Final = 300
KEPT_MESSAGES: Final = 60
"""Short messages that a compaction leaves at most."""

_LONGEST: Final = 2_000  # tokens of one message that are read for a summary
_LAST: Final = 2**31 - 1


@dataclass(frozen=True)
class Stretch:
    """Messages to fold into the memory, and what the memory was when they were read."""

    session: Session
    memory: Memory
    lines: Sequence[Line]
    ids: dict[int, str]
    read_at: datetime


def summarise(session_id: uuid.UUID, reason: announce.Reason) -> int:
    """Brings summary and facts up to date; how many stretches were written.

    Over budget, the last messages are left alone; else everything that was said is covered.
    """
    written = 0
    while stretch := _next_stretch(session_id, reason, is_begun=written > 0):
        if not _write(stretch, _remembered(stretch)):
            log.info("session %s was summarised by somebody else", session_id)
            return written
        written += 1
    return written


def sweep() -> int:
    """Asks for the summaries of quiet sessions and for lost compactions; how many."""
    asked = 0
    for session_id in neglected():
        asked += announce.summary(session_id, "inactive")
    for session_id in over_budget():
        asked += announce.summary(session_id, "over_budget")
    return asked


def _next_stretch(
    session_id: uuid.UUID, reason: announce.Reason, *, is_begun: bool
) -> Stretch | None:
    session = Session.objects.filter(pk=session_id, deleted_at__isnull=True).first()
    if session is None:
        return None
    read_at = timezone.now()
    facts = _standing(session)
    memory = Memory(session.summary, facts)
    after = session.summary_seq
    outdated = is_outdated(session)
    if outdated:
        memory, after = Memory("", facts), 0
    elif reason == "over_budget" and not is_begun and not _is_due(session, memory):
        return None
    rows = _to_cover(session, after, reason)
    if not rows:
        if outdated:
            _write(Stretch(session, memory, (), {}, read_at), memory)
        return None
    lines = [_line(row) for row in rows]
    return Stretch(session, memory, lines, {r.seq: str(r.message_id) for r in rows}, read_at)


def _standing(session: Session) -> list[Fact]:
    """The facts whose messages still stand."""
    facts = from_json(session.key_facts)
    ids = {one for fact in facts for one in (fact.message_id, fact.superseded_by) if one}
    standing = said_of(session.pk).filter(pk__in=ids).values_list("pk", flat=True)
    return still_there(facts, {str(pk) for pk in standing})


def _is_due(session: Session, memory: Memory) -> bool:
    size = size_of(session)
    remembered = count(memory.summary) + sum(cost(fact) for fact in memory.facts if fact.holds)
    return size.uncovered > KEPT and (
        size.uncovered_tokens + remembered > COMPACT_AT or size.uncovered > MANY
    )


def _to_cover(session: Session, after: int, reason: announce.Reason) -> list[Row]:
    """The next messages to cover, in order; none that still changes, none that must stay."""
    until = first_unfinished(session.pk) or _LAST
    if reason == "over_budget":
        until = min(until, _first_kept(session.pk))
    said = said_of(session.pk).filter(seq__gt=after, seq__lt=until).order_by("seq")
    last = said.values_list("seq", flat=True)[:STRETCH_MESSAGES]
    bounds = list(last)
    if not bounds:
        return []
    rows = said_between(session.pk, after=after, before=bounds[-1] + 1, limit=2 * STRETCH_MESSAGES)
    current = [row for row in reversed(rows) if row.superseded_at is None]
    return _within_stretch(current)


def _within_stretch(rows: Sequence[Row]) -> list[Row]:
    used = 0
    kept: list[Row] = []
    for row in rows:
        used += min(_LONGEST, row.tokens or count_message(row.text, row.parts))
        if kept and used > STRETCH_TOKENS:
            break
        kept.append(row)
    return kept


def _first_kept(session_id: uuid.UUID) -> int:
    """Place of the first of the last messages that a compaction leaves alone."""
    newest = said_of(session_id).order_by("-seq").values_list("seq", "token_count", "text")
    used, first = 0, _LAST
    for number, (seq, tokens, text) in enumerate(newest[:KEPT_MESSAGES], start=1):
        used += tokens or count_message(text)
        if number > KEPT and used > KEPT_TOKENS:
            break
        first = seq
    return first


def _line(row: Row) -> Line:
    said = "\n".join(filter(None, [exchange_in_words(row.parts, limit=1_000), row.text]))
    return Line(row.seq, row.role == Message.Role.PERSON, clipped(said, _LONGEST))


def _remembered(stretch: Stretch) -> Memory:
    """The memory with the stretch in it: by the model, and by rules where it gives nothing, or
    where conversations of this kind are not worth its price.
    """
    if not remembers_with_model(stretch.session.kind):
        facts = facts_by_rules(stretch.memory, stretch.lines, stretch.ids)
        memory = Memory(stretch.memory.summary, facts)
        return Memory(summary_by_rules(memory, stretch.lines), facts)
    llm = Llm(session_id=stretch.session.pk)
    release()
    try:
        facts = facts_with_model(stretch.memory, stretch.lines, stretch.ids, llm)
    except ModelUnavailable:
        facts = facts_by_rules(stretch.memory, stretch.lines, stretch.ids)
    memory = Memory(stretch.memory.summary, facts)
    try:
        summary = summary_with_model(memory, stretch.lines, llm)
    except ModelUnavailable:
        summary = summary_by_rules(memory, stretch.lines)
    return Memory(summary, facts)


def _write(stretch: Stretch, memory: Memory) -> bool:
    """Compare and set; False when somebody else wrote since."""
    session = stretch.session
    unchanged = Session.objects.filter(
        pk=session.pk, summary_seq=session.summary_seq, summarised_at=session.summarised_at
    )
    changed = unchanged.update(
        summary=memory.summary,
        summary_seq=stretch.lines[-1].seq if stretch.lines else 0,
        key_facts=to_json(memory.facts),
        summarised_at=stretch.read_at,
    )
    return bool(changed)
