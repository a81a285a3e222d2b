"""What puts things right later: queued runs nobody heard of, running ones whose worker died."""

from __future__ import annotations

import logging
import uuid
from datetime import timedelta
from functools import partial
from typing import Final

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from chat import events, wake
from chat.events.kinds import Reference
from chat.events.log import text_after
from chat.models import Message, Run, Session
from chat.runs.lease import wake_next

log = logging.getLogger(__name__)

QUEUED_FOR: Final = timedelta(seconds=5)
ANNOUNCED_FOR: Final = timedelta(seconds=15)  # a busy worker is not sent the same run all the time
SILENT_FOR: Final = timedelta(seconds=15)  # five heartbeats missed

_SWEEP_LOCK: Final = 0x46757431  # any fixed numbers; one per periodic job
_REAP_LOCK: Final = 0x46757432


def _alone(key: int) -> bool:
    """Takes an advisory lock until the transaction ends; False when another process has it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [key])
        row = cursor.fetchone()
    return bool(row and row[0])


def sweep() -> int:
    """Announces queued runs again that no worker took up; how many."""
    now = timezone.now()
    before = Q(status=Run.Status.RUNNING) | Q(
        status=Run.Status.QUEUED, created_at__lt=OuterRef("created_at")
    )
    with transaction.atomic():
        if not _alone(_SWEEP_LOCK):
            return 0
        in_front = Run.objects.filter(before, session=OuterRef("session"))
        forgotten = Run.objects.filter(
            ~Exists(in_front),
            Q(enqueued_at__isnull=True) | Q(enqueued_at__lt=now - ANNOUNCED_FOR),
            status=Run.Status.QUEUED,
            created_at__lt=now - QUEUED_FOR,
        )
        ids = list(forgotten.order_by("created_at").values_list("pk", flat=True)[:500])
    for run_id in ids:
        wake.worker_for(run_id)
    return len(ids)


def reap() -> int:
    """Marks runs whose worker fell silent as interrupted; how many."""
    silent_since = timezone.now() - SILENT_FOR
    with transaction.atomic():
        if not _alone(_REAP_LOCK):
            return 0
        dead = Run.objects.filter(status=Run.Status.RUNNING, heartbeat_at__lt=silent_since)
        ids = list(dead.values_list("pk", flat=True)[:500])
    return sum(_interrupt(run_id) for run_id in ids)


def _interrupt(run_id: uuid.UUID) -> bool:
    """Ends one dead run, with the text it had shown; False when it came back to life."""
    run = Run.objects.select_related("reply").get(pk=run_id)
    text = _shown_text(run)
    stopped = run.stop_requested_at is not None
    with transaction.atomic():
        Session.objects.select_for_update().get(pk=run.session_id)
        still = Run.objects.filter(
            pk=run_id, status=Run.Status.RUNNING, lease=run.lease, heartbeat_at=run.heartbeat_at
        )
        changed = still.update(
            status=Run.Status.STOPPED if stopped else Run.Status.INTERRUPTED,
            finished_at=timezone.now(),
            stage="",
            error_code="" if stopped else "interrupted",
        )
        if not changed:
            return False
        status = Message.Status.STOPPED if stopped else Message.Status.INTERRUPTED
        Message.objects.filter(pk=run.reply_id or uuid.UUID(int=0)).update(text=text, status=status)
        news = [Reference("message", str(run.reply_id)), Reference("run", str(run_id))]
        transaction.on_commit(partial(events.append, run.session_id, *news))
        transaction.on_commit(partial(wake_next, run.session_id))
    log.warning("run %s was left by its worker", run_id)
    return True


def _shown_text(run: Run) -> str:
    """The saved text, continued by what the log still has of it."""
    if run.reply is None or run.lease is None:
        return ""
    return text_after(run.session_id, run.reply.pk, run.lease, run.reply.text)
