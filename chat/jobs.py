"""Celery shells of the engine, and when the periodic ones are due."""

from __future__ import annotations

import uuid
from typing import Any, Final

from celery import shared_task

from chat import runs
from chat.wake import PERFORM


@shared_task(name=PERFORM, ignore_result=True)
def perform_run(run_id: str) -> None:
    """Performs a run, unless somebody else has it or had it."""
    runs.perform(uuid.UUID(run_id))


@shared_task(name="chat.sweep", ignore_result=True)
def sweep() -> None:
    """Announces forgotten runs again."""
    runs.sweep()


@shared_task(name="chat.reap", ignore_result=True)
def reap() -> None:
    """Ends runs whose worker died."""
    runs.reap()


SCHEDULE: Final[dict[str, dict[str, Any]]] = {
    "chat-sweep": {"task": "chat.sweep", "schedule": 5.0, "options": {"queue": "jobs"}},
    "chat-reap": {"task": "chat.reap", "schedule": 5.0, "options": {"queue": "jobs"}},
}
