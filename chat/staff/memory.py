"""What a conversation is remembered by, for the staff's view: summary, key facts, corrections."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from chat.memory.budget import BUDGET
from chat.memory.facts import from_json
from chat.memory.shapes import Fact
from chat.models import Session


@dataclass(frozen=True)
class Memory:
    """Summary and facts as they stand; `gone` are facts that were corrected or withdrawn."""

    summary: str
    covered_seq: int
    summarised_at: datetime | None
    tokens: int
    budget: int
    facts: tuple[Fact, ...]
    gone: tuple[Fact, ...]


def memory_of(session: Session) -> Memory:
    """No query: all of it lies in the session."""
    facts = from_json(session.key_facts)
    return Memory(
        summary=session.summary,
        covered_seq=session.summary_seq,
        summarised_at=session.summarised_at,
        tokens=session.token_count,
        budget=BUDGET,
        facts=tuple(fact for fact in facts if fact.holds),
        gone=tuple(fact for fact in facts if not fact.holds),
    )
