"""Celery shells of the engine, and when the periodic ones are due."""

from __future__ import annotations

import uuid
from typing import Any, Final

from celery import shared_task
from celery.signals import worker_shutting_down
from django.conf import settings

from chat import actions
from chat.memory import summary
from chat.runs import lease, watch
from chat.runs import sweep as sweeping
from chat.runs.lease import PERFORM
from chat.runs.perform import perform
from chat.staff import queues


@shared_task(name=PERFORM, ignore_result=True)
def perform_run(run_id: str) -> None:
    """Performs a run, unless somebody else has it or had it."""
    if watch.is_ending():
        lease.wake_worker(uuid.UUID(run_id))
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


@shared_task(name=summary.SUMMARISE, ignore_result=True)
def summarise_session(session_id: str, reason: summary.Reason) -> None:
    """Brings a session's summary and facts up to date, unless they are."""
    summary.summarise(uuid.UUID(session_id), reason)


@shared_task(name="chat.sweep_summaries", ignore_result=True)
def sweep_summaries() -> None:
    """Enqueues the summaries of quiet sessions and lost compactions."""
    summary.sweep()


@shared_task(name="chat.purge", ignore_result=True)
def purge() -> None:
    """Deletes for good what has lain in the bin long enough."""
    actions.purge_sessions()


@shared_task(name="chat.count_for_review", ignore_result=True)
def count_for_review() -> None:
    """Counts what the queues of the review are made of, for conversations that changed."""
    queues.refresh_all()


_PERIODS_S: Final = {
    "chat.sweep": 5.0,
    "chat.reap": 5.0,
    "chat.sweep_summaries": 60.0,
    "chat.count_for_review": 60.0,
    # every hour, not every day: a day's pause would begin anew with each deployment
    "chat.purge": 3600.0,
}
SCHEDULE: Final[dict[str, dict[str, Any]]] = {
    task: {"task": task, "schedule": period_s, "options": {"queue": "jobs"}}
    for task, period_s in _PERIODS_S.items()
}
