"""Writes the summary and the key facts of a session, stretch by stretch, whoever comes first."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final, Literal
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone

from chat import rates
from chat.hot import Size, size_of
from chat.identity import Identity
from chat.memory.facts import from_json, standing, to_json, with_noted, with_sentences
from chat.memory.prompts import (
    KeyFactsAnswer,
    Line,
    SummaryAnswer,
    facts_messages,
    summary_messages,
)
from chat.memory.queries import (
    current_messages,
    first_unfinished,
    is_outdated,
    neglected,
)
from chat.memory.shapes import (
    COMPACT_AT,
    KEPT,
    KEPT_TOKENS,
    MANY,
    SUMMARY_TOKENS,
    Fact,
    Memory,
    day_of,
    exchange_as_text,
)
from chat.memory.tokens import clipped, count, count_message, opening
from chat.models import Message, Session
from chat.presenters import remembers_with_model
from chat.runs.lease import release
from chat.zones import place_of
from futura import limits
from futura.celery import send_job
from futura.errors import ModelUnavailable, NotFound, Unavailable
from futura.llm.client import Llm

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


def summarise_when_due(session: Session, size: Size, *, ended: bool) -> None:
    """Enqueues a summary on commit where the branch that a reply has just ended wants one."""
    if ended or is_due(session, size):
        reason: Reason = "ended" if ended else "over_budget"
        transaction.on_commit(partial(enqueue_summary, session.pk, reason), robust=True)


def is_due(session: Session, size: Size) -> bool:
    """Whether what is in no summary yet is too much for a prompt, about what it remembers added."""
    facts = sum(len(str(fact.get("text", ""))) // 4 + 6 for fact in session.key_facts)
    remembered = len(session.summary) // 4 + int(facts)
    is_much = size.uncovered > MANY or size.uncovered_tokens + remembered > COMPACT_AT
    return is_much and size.uncovered > KEPT


log = logging.getLogger(__name__)

STRETCH_TOKENS: Final = 12_000
"""Read at once; a long conversation is summarised stretch by stretch."""

STRETCH_MESSAGES: Final = 300
KEPT_MESSAGES: Final = 60
"""Short messages that a compaction leaves at most."""

MESSAGE_TOKENS: Final = 2_000
"""What is read of one message."""

LINE_TOKENS: Final = 40
"""Without a model, what a summary has of a message: the first sentences within so many tokens."""

_LAST: Final = 2**31 - 1


def sweep() -> int:
    """What is due while somebody talks, and was lost on its way, their next turn asks for again."""
    return sum(enqueue_summary(session_id, "inactive") for session_id in neglected())


@dataclass(frozen=True)
class Stretch:
    """Messages to fold into the memory, and what the memory was when they were read."""

    session: Session
    memory: Memory
    lines: Sequence[Line]
    read_at: datetime


def summarise(session_id: uuid.UUID, reason: Reason) -> int:
    written = 0
    while stretch := next_stretch(session_id, reason, is_begun=written > 0):
        if not write(stretch, _remembered(stretch)):
            log.info("session %s was summarised by somebody else", session_id)
            break
        if not stretch.lines:
            break
        written += 1
    return written


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
    elif reason == "over_budget" and not is_begun and not is_due(session, size_of(session)):
        return None
    lines = _to_cover(session, after, reason)
    return Stretch(session, memory, lines, read_at) if lines or outdated else None


def _standing(session: Session) -> list[Fact]:
    facts = from_json(session.key_facts)
    ids = {pk for fact in facts for pk in (fact.message_id, fact.superseded_by) if pk}
    existing = current_messages(session.pk).filter(pk__in=ids).values_list("pk", flat=True)
    return standing(facts, {str(pk) for pk in existing})


def _to_cover(session: Session, after: int, reason: Reason) -> list[Line]:
    """The next messages to cover, in order; none that still changes, none that must stay."""
    until = first_unfinished(session.pk) or _LAST
    if reason == "over_budget":
        until = min(until, _first_spared(session.pk))
    messages = current_messages(session.pk).filter(seq__gt=after, seq__lt=until).order_by("seq")
    zone = place_of(session.participant_id).zone
    used = 0
    lines: list[Line] = []
    for message in messages[:STRETCH_MESSAGES]:
        tokens = message.token_count or count_message(message.text, message.parts)
        used += min(MESSAGE_TOKENS, tokens)
        if lines and used > STRETCH_TOKENS:
            break
        lines.append(_line(message, zone))
    return lines


def _first_spared(session_id: uuid.UUID) -> int:
    """Place of the first of the last messages that a compaction leaves alone."""
    newest = current_messages(session_id).order_by("-seq").values_list("seq", "token_count", "text")
    used, first = 0, _LAST
    for number, (seq, tokens, text) in enumerate(newest[:KEPT_MESSAGES], start=1):
        used += tokens or count_message(text)
        if number > KEPT and used > KEPT_TOKENS:
            break
        first = seq
    return first


def _line(message: Message, zone: ZoneInfo | None) -> Line:
    text = "\n".join(filter(None, [exchange_as_text(message.parts, limit=1_000), message.text]))
    is_person = message.role == Message.Role.PERSON
    day = day_of(message.created_at, zone)
    return Line(message.seq, is_person, clipped(text, MESSAGE_TOKENS), str(message.pk), day)


def _remembered(stretch: Stretch) -> Memory:
    """The memory with the stretch in it: by the model, and from first sentences where it fails, or
    where conversations of this kind are not worth its price.
    """
    memory, lines = stretch.memory, stretch.lines
    if not lines:
        return memory
    if not remembers_with_model(stretch.session.kind):
        return Memory(_opened(memory.summary, lines), with_sentences(memory.facts, lines))
    llm = Llm(session_id=stretch.session.pk)
    release()
    try:
        facts = _noted(memory, lines, llm)
    except ModelUnavailable:
        facts = with_sentences(memory.facts, lines)
    memory = Memory(memory.summary, facts)
    try:
        answer = llm.structured(
            "summary",
            summary_messages(memory, lines),
            SummaryAnswer,
            prompt_version=SummaryAnswer.VERSION,
        )
    except ModelUnavailable:
        return Memory(_opened(memory.summary, lines), facts)
    return Memory(opening(answer.summary, SUMMARY_TOKENS), facts)


def _noted(memory: Memory, lines: Sequence[Line], llm: Llm) -> list[Fact]:
    answer = llm.structured(
        "key_facts",
        facts_messages(memory, lines),
        KeyFactsAnswer,
        prompt_version=KeyFactsAnswer.VERSION,
    )
    facts, refused = with_noted(memory.facts, answer.facts, lines)
    llm.checked("key_facts", used=len(answer.facts) - refused.total(), refused=refused)
    return facts


def _opened(summary: str, lines: Sequence[Line]) -> str:
    """The summary within half of the room, and first sentences of the newest messages."""
    stored = opening(summary, SUMMARY_TOKENS // 2)
    room = SUMMARY_TOKENS - count(stored)
    newest: list[str] = []
    for line in reversed(lines):
        text = " ".join(opening(line.text, LINE_TOKENS).split())
        entry = f"[{line.seq}] {'Person' if line.is_person else 'Assistant'}: {text}"
        room -= count(entry) + 1
        if room < 0:
            break
        if text:
            newest.append(entry)
    return "\n".join(filter(None, [stored, *reversed(newest)]))


def write(stretch: Stretch, memory: Memory) -> bool:
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
