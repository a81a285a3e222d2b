"""Celery shells of summaries, and when the periodic one is due."""

from __future__ import annotations

import uuid
from typing import Any, Final

from celery import shared_task

from chat.memory import announce, compaction


@shared_task(name=announce.SUMMARISE, ignore_result=True)
def summarise(session_id: str, reason: announce.Reason) -> None:
    """Brings a session's summary and facts up to date, unless they are."""
    compaction.summarise(uuid.UUID(session_id), reason)


@shared_task(name="chat.sweep_summaries", ignore_result=True)
def sweep_summaries() -> None:
    """Asks for the summaries of sessions that went quiet."""
    compaction.sweep()


SCHEDULE: Final[dict[str, dict[str, Any]]] = {
    "chat-summaries": {
        "task": "chat.sweep_summaries",
        "schedule": 60.0,
        "options": {"queue": "jobs"},
    },
}
