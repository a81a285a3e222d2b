"""Writes the summary and the key facts of a session: once per stretch, whoever comes first.

Nothing is deleted and no message is touched. Each stretch is written by a compare-and-set on what
the summary covered when it was read, so that of two writers one wins and a job may run twice.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Sequence
from typing import Final

from chat.memory.actions import Reason
from chat.memory.budget import SUMMARY_TOKENS
from chat.memory.facts import to_json, with_noted, with_sentences
from chat.memory.prompts import (
    KeyFactsAnswer,
    Line,
    SummaryAnswer,
    facts_messages,
    summary_messages,
)
from chat.memory.shapes import Fact, Memory
from chat.memory.stretches import Stretch, next_stretch
from chat.memory.tokens import count
from chat.memory.window import opening
from chat.models import Session
from chat.presenters import remembers_with_model
from chat.runs.lease import release
from futura.errors import ModelUnavailable
from futura.llm.client import Llm

log = logging.getLogger(__name__)

LINE_TOKENS: Final = 40
"""Without a model, what a summary has of a message: the first sentences within so many tokens."""


def summarise(session_id: uuid.UUID, reason: Reason) -> int:
    """Brings summary and facts up to date; how many stretches were written."""
    written = 0
    while stretch := next_stretch(session_id, reason, is_begun=written > 0):
        if not write(stretch, _remembered(stretch)):
            log.info("session %s was summarised by somebody else", session_id)
            break
        if not stretch.lines:
            break
        written += 1
    return written


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
    kept = opening(summary, SUMMARY_TOKENS // 2)
    room = SUMMARY_TOKENS - count(kept)
    newest: list[str] = []
    for line in reversed(lines):
        text = " ".join(opening(line.text, LINE_TOKENS).split())
        entry = f"[{line.seq}] {'Person' if line.is_person else 'Assistant'}: {text}"
        room -= count(entry) + 1
        if room < 0:
            break
        if text:
            newest.append(entry)
    return "\n".join(filter(None, [kept, *reversed(newest)]))


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
