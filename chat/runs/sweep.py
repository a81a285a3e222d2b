"""What puts things right later: queued runs nobody heard of, running ones whose worker died.

How long ago something was is reckoned by the database's clock alone.
"""

from __future__ import annotations

import logging
from datetime import timedelta
from functools import partial
from typing import Final

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now

from chat import events
from chat.events.kinds import Reference
from chat.events.log import text_after
from chat.models import Message, Run, Session
from chat.runs import lease
from chat.runs.lease import wake_next
from futura import locks

log = logging.getLogger(__name__)

QUEUED_FOR: Final = timedelta(seconds=5)
ANNOUNCED_FOR: Final = timedelta(seconds=15)  # a busy worker is not sent the same run all the time
SILENT_FOR: Final = timedelta(seconds=15)  # five heartbeats missed


def sweep() -> int:
    """Announces queued runs again that no worker took up; how many."""
    before = Q(status=Run.Status.RUNNING) | Q(
        status=Run.Status.QUEUED, created_at__lt=OuterRef("created_at")
    )
    with transaction.atomic():
        if not locks.claim("sweep of runs"):
            return 0
        in_front = Run.objects.filter(before, session=OuterRef("session"))
        forgotten = Run.objects.filter(
            ~Exists(in_front),
            Q(enqueued_at__isnull=True) | Q(enqueued_at__lt=Now() - ANNOUNCED_FOR),
            status=Run.Status.QUEUED,
            created_at__lt=Now() - QUEUED_FOR,
        )
        ids = list(forgotten.order_by("created_at").values_list("pk", flat=True)[:500])
    for run_id in ids:
        lease.wake_worker(run_id)
    return len(ids)


def reap(silent_for: timedelta = SILENT_FOR) -> int:
    """Marks runs whose worker fell silent as interrupted; how many.

    A database that started only just now has heard nobody: it waits as long first.
    """
    with transaction.atomic():
        if not locks.claim("reaping of runs") or _age_of_server() < silent_for:
            return 0
        dead = Run.objects.filter(status=Run.Status.RUNNING, heartbeat_at__lt=Now() - silent_for)
        result = list(dead.select_related("reply")[:500])
    return sum(_interrupt(run) for run in result)


def _age_of_server() -> timedelta:
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement_timestamp() - pg_postmaster_start_time()")
        (age,) = cursor.fetchone()
    age_of_server: timedelta = age
    return age_of_server


def _interrupt(seen: Run) -> bool:
    """Ends one dead run, with the text it had shown; False when it came back to life."""
    text = _logged_text(seen)
    with transaction.atomic():
        Session.objects.select_for_update().filter(pk=seen.session_id).first()
        still = Run.objects.select_for_update().filter(
            pk=seen.pk, status=Run.Status.RUNNING, lease=seen.lease, heartbeat_at=seen.heartbeat_at
        )
        run = still.first()
        if run is None:
            return False
        stopped = run.stop_requested_at is not None
        Run.objects.filter(pk=run.pk).update(
            status=Run.Status.STOPPED if stopped else Run.Status.INTERRUPTED,
            finished_at=Now(),
            stage="",
            error_code="" if stopped else "interrupted",
        )
        status = Message.Status.STOPPED if stopped else Message.Status.INTERRUPTED
        Message.objects.filter(answered_by=run).update(text=text, status=status)
        references = [Reference("message", str(run.reply_id)), Reference("run", str(run.pk))]
        transaction.on_commit(partial(events.append, run.session_id, *references))
        transaction.on_commit(partial(wake_next, run.session_id), robust=True)
    log.warning("run %s was left by its worker", run.pk)
    return True


def _logged_text(run: Run) -> str:
    if run.reply is None or run.lease is None:
        return ""
    return text_after(run.session_id, run.reply.pk, run.lease, run.reply.text)
