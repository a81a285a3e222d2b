"""Celery shells of the engine, and when the periodic ones are due."""

from __future__ import annotations

import uuid
from typing import Any, Final

from celery import shared_task
from celery.signals import worker_shutting_down
from django.conf import settings

from chat import actions, wake
from chat.memory import summary
from chat.runs import sweep as sweeping
from chat.runs import watch
from chat.runs.perform import perform
from chat.staff import queues
from chat.wake import PERFORM


@shared_task(name=PERFORM, ignore_result=True)
def perform_run(run_id: str) -> None:
    """Performs a run, unless somebody else has it or had it."""
    if watch.is_ending():
        wake.worker_for(uuid.UUID(run_id))
    else:
        perform(uuid.UUID(run_id))


@worker_shutting_down.connect
def _on_shutting_down(**_signal: object) -> None:
    watch.begin(settings.GRACE_S)


@shared_task(name="chat.sweep", ignore_result=True)
def sweep() -> None:
    """Announces forgotten runs again."""
    sweeping.sweep()


@shared_task(name="chat.reap", ignore_result=True)
def reap() -> None:
    """Ends runs whose worker died."""
    sweeping.reap()


@shared_task(name="chat.purge", ignore_result=True)
def purge() -> None:
    """Deletes for good what has lain in the bin long enough."""
    actions.purge_sessions()


@shared_task(name="chat.count_for_review", ignore_result=True)
def count_for_review() -> None:
    """Counts what the queues of the review are made of, for conversations that changed."""
    queues.refresh_all()


SCHEDULE: Final[dict[str, dict[str, Any]]] = {
    **summary.SCHEDULE,
    "chat-sweep": {"task": "chat.sweep", "schedule": 5.0, "options": {"queue": "jobs"}},
    "chat-reap": {"task": "chat.reap", "schedule": 5.0, "options": {"queue": "jobs"}},
    "chat-count-for-review": {
        "task": "chat.count_for_review",
        "schedule": 60.0,
        "options": {"queue": "jobs"},
    },
    # every hour, not every day: a day's pause would begin anew with each deployment
    "chat-purge": {"task": "chat.purge", "schedule": 3600.0, "options": {"queue": "jobs"}},
}
