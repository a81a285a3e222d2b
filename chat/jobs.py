"""Celery shells of the engine, and what it does by the clock."""

from __future__ import annotations

import uuid

from celery import shared_task
from celery.signals import worker_shutting_down
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore

from chat import actions
from chat.memory import summary
from chat.runs import lease, lease_renewal, sweep
from chat.runs.lease import PERFORM
from chat.runs.perform import perform
from chat.staff import queues
from futura.celery import WakeUp, periodic


@shared_task(base=WakeUp, name=PERFORM, ignore_result=True)
def perform_run(run_id: str, after: str = "") -> None:
    """Performs a run, unless somebody else has it or had it."""
    if lease_renewal.is_ending():
        lease.wake_worker(uuid.UUID(run_id), after=after)
    else:
        perform(uuid.UUID(run_id), after)


@worker_shutting_down.connect
def _on_shutting_down(**_signal: object) -> None:
    lease_renewal.begin(settings.GRACE_S)


@shared_task(name=summary.SUMMARISE, ignore_result=True)
def summarise_session(session_id: str, reason: summary.Reason) -> None:
    """Brings a session's summary and facts up to date, unless they are."""
    summary.summarise(uuid.UUID(session_id), reason)


def purge_sign_ins() -> None:
    """Deletes sign-ins that are over; Django itself never does."""
    SessionStore.clear_expired()


periodic(
    {
        "chat.sweep": (sweep.sweep, 5.0),
        "chat.reap": (sweep.reap, 5.0),
        "chat.sweep_summaries": (summary.sweep, 60.0),
        "chat.count_for_review": (queues.refresh_all, 60.0),
        # every hour, not every day: a day's pause would begin anew with each deployment
        "chat.purge": (actions.purge_sessions, 3600.0),
        "chat.purge_sign_ins": (purge_sign_ins, 3600.0),
    }
)
