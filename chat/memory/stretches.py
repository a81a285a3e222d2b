"""The stretches of a conversation that a summary takes in next, and what always stays out."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils import timezone

from chat.memory.actions import Reason
from chat.memory.budget import COMPACT_AT, KEPT, KEPT_TOKENS, MANY
from chat.memory.facts import cost, from_json, holding, standing
from chat.memory.parts import exchange_as_text
from chat.memory.prompts import Line
from chat.memory.queries import (
    first_unfinished,
    is_outdated,
    said_between,
    said_of,
    size_of,
)
from chat.memory.shapes import Fact, Memory, Utterance
from chat.memory.tokens import count, count_message
from chat.memory.window import clipped
from chat.models import Session

STRETCH_TOKENS: Final = 12_000
"""Read at once; a long conversation is summarised stretch by stretch."""

STRETCH_MESSAGES: Final = 300
KEPT_MESSAGES: Final = 60
"""Short messages that a compaction leaves at most."""

MESSAGE_TOKENS: Final = 2_000
"""What is read of one message."""

_LAST: Final = 2**31 - 1


@dataclass(frozen=True)
class Stretch:
    """Messages to fold into the memory, and what the memory was when they were read."""

    session: Session
    memory: Memory
    lines: Sequence[Line]
    read_at: datetime


def next_stretch(session_id: uuid.UUID, reason: Reason, *, is_begun: bool) -> Stretch | None:
    """What to take in next; None when there is nothing. It has no lines when only the summary of
    a replaced message has to go.

    Over budget, the last messages are left alone; else everything that was said is covered.
    `is_begun` after the first stretch: what was due then is finished.
    """
    session = Session.objects.filter(pk=session_id, deleted_at__isnull=True).first()
    if session is None:
        return None
    read_at = timezone.now()
    memory, after = Memory(session.summary, _standing(session)), session.summary_seq
    outdated = is_outdated(session)
    if outdated:
        memory, after = Memory("", memory.facts), 0
    elif reason == "over_budget" and not is_begun and not _is_due(session, memory):
        return None
    lines = [_line(row) for row in _to_cover(session.pk, after, reason)]
    return Stretch(session, memory, lines, read_at) if lines or outdated else None


def _standing(session: Session) -> list[Fact]:
    """The facts whose messages still stand."""
    facts = from_json(session.key_facts)
    ids = {pk for fact in facts for pk in (fact.message_id, fact.superseded_by) if pk}
    existing = said_of(session.pk).filter(pk__in=ids).values_list("pk", flat=True)
    return standing(facts, {str(pk) for pk in existing})


def _is_due(session: Session, memory: Memory) -> bool:
    size = size_of(session)
    remembered = count(memory.summary) + cost(holding(memory.facts))
    return size.uncovered > KEPT and (
        size.uncovered_tokens + remembered > COMPACT_AT or size.uncovered > MANY
    )


def _to_cover(session_id: uuid.UUID, after: int, reason: Reason) -> list[Utterance]:
    """The next messages to cover, in order; none that still changes, none that must stay."""
    until = first_unfinished(session_id) or _LAST
    if reason == "over_budget":
        until = min(until, _first_kept(session_id))
    said = said_of(session_id).filter(seq__gt=after, seq__lt=until).order_by("seq")
    places = list(said.values_list("seq", flat=True)[:STRETCH_MESSAGES])
    if not places:
        return []
    rows = said_between(session_id, after=after, before=places[-1] + 1, limit=2 * STRETCH_MESSAGES)
    used = 0
    kept: list[Utterance] = []
    for row in reversed(rows):
        if row.superseded_at is not None:
            continue
        used += min(MESSAGE_TOKENS, row.tokens or count_message(row.text, row.parts))
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


def _line(row: Utterance) -> Line:
    text = "\n".join(filter(None, [exchange_as_text(row.parts, limit=1_000), row.text]))
    is_person = row.role == "user"
    return Line(row.seq, is_person, clipped(text, MESSAGE_TOKENS), str(row.message_id))
