"""Keeps the token counts of messages and sessions, and notices when a summary is due."""

from __future__ import annotations

from chat.memory import announce
from chat.memory.budget import COMPACT_AT, MANY
from chat.memory.queries import size_of
from chat.models import Session


def settle(session: Session, *, ended: bool) -> None:
    """Counts the branch that a reply has just ended; asks for a summary when one is due.

    Sets `session.token_count` for the caller to save; needs the session's row locked.
    """
    size = size_of(session)
    session.token_count = size.tokens
    if ended:
        announce.on_commit(session.pk, "ended")
    elif size.uncovered > MANY or size.uncovered_tokens + _remembered(session) > COMPACT_AT:
        announce.on_commit(session.pk, "over_budget")


def _remembered(session: Session) -> int:
    """About what summary and facts cost; the exact count is for those who summarise."""
    facts = sum(len(str(fact.get("text", ""))) // 4 + 6 for fact in session.key_facts)
    return len(session.summary) // 4 + int(facts)
