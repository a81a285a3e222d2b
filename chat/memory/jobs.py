"""Celery shells of summaries, and the sweep that finds sessions without one."""

from __future__ import annotations

import uuid
from typing import Any, Final

from celery import shared_task

from chat.memory import summary
from chat.memory.actions import SUMMARISE, Reason, enqueue_summary
from chat.memory.queries import neglected, over_budget


@shared_task(name=SUMMARISE, ignore_result=True)
def summarise(session_id: str, reason: Reason) -> None:
    """Brings a session's summary and facts up to date, unless they are."""
    summary.summarise(uuid.UUID(session_id), reason)


@shared_task(name="chat.sweep_summaries", ignore_result=True)
def sweep_summaries() -> None:
    """Enqueues the summaries of quiet sessions and lost compactions."""
    sweep()


def sweep() -> int:
    """Enqueues the summaries of quiet sessions and lost compactions; how many."""
    enqueued = sum(enqueue_summary(session_id, "inactive") for session_id in neglected())
    return enqueued + sum(enqueue_summary(pk, "over_budget") for pk in over_budget())


SCHEDULE: Final[dict[str, dict[str, Any]]] = {
    "chat-summaries": {
        "task": "chat.sweep_summaries",
        "schedule": 60.0,
        "options": {"queue": "jobs"},
    },
}
