"""Tells workers that a source waits to be read; the row is the queue, a lost call is swept."""

from __future__ import annotations

import logging
import uuid
from datetime import timedelta
from typing import Final

from django.db import connection, transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from futura.celery import app
from projects.portfolio.models import Source
from tasks.coding.heartbeat import SILENT_FOR

log = logging.getLogger(__name__)

READ: Final = "portfolio.read_source"
WAITING_FOR: Final = timedelta(seconds=10)
BATCH: Final = 200
_LOCK: Final = 0x46757472  # any fixed number, one per periodic job


def source(source_id: uuid.UUID) -> None:
    """Asks a worker to read it."""
    try:
        app.send_task(READ, args=[str(source_id)], queue="jobs", retry=False)
    except (OperationalError, RedisError, OSError) as error:
        log.warning("source %s not announced: %s", source_id, error)


def sweep() -> int:
    """Announces again what waits without a living worker; how many."""
    now = timezone.now()
    waiting = Q(outcome=Source.Outcome.WAITING, read_at__lt=now - WAITING_FOR)
    abandoned = Q(outcome=Source.Outcome.READING, heartbeat_at__lt=Now() - SILENT_FOR)
    with transaction.atomic():
        if not _alone():
            return 0
        found = list(
            Source.objects.filter(waiting | abandoned).values_list("pk", flat=True)[:BATCH]
        )
        # touched, so that the next sweeps leave a busy worker some time
        Source.objects.filter(pk__in=found, outcome=Source.Outcome.WAITING).update(read_at=now)
    for source_id in found:
        source(source_id)
    return len(found)


def _alone() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [_LOCK])
        row = cursor.fetchone()
    return bool(row and row[0])
