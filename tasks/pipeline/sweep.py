"""Finds pipelines and matches that nobody is making, and asks a worker again."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db import connection, transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from tasks.models import SurveyResponse, TaskMatch
from tasks.pipeline import announce
from tasks.pipeline.heart import SILENT_FOR
from tasks.pipeline.run import RUNNING

WAITING_FOR: Final = timedelta(seconds=10)
BATCH: Final = 200
_LOCK: Final = 0x46757451  # any fixed number, one per periodic job


def sweep() -> int:
    """Announces again what waits without a living worker; how many."""
    now = timezone.now()
    with transaction.atomic():
        if not _alone():
            return 0
        abandoned = Q(lease=None, updated_at__lt=now - WAITING_FOR) | Q(
            lease__isnull=False, heartbeat_at__lt=Now() - SILENT_FOR
        )
        responses = list(
            SurveyResponse.objects.filter(abandoned, step__in=RUNNING).values_list("pk", flat=True)[
                :BATCH
            ]
        )
        matches = list(
            TaskMatch.objects.filter(abandoned, status=TaskMatch.Status.PENDING)
            .filter(task__deleted_at=None)
            .order_by("created_at")
            .values_list("task_id", flat=True)[:BATCH]
        )
        # touched, so that the next sweeps leave a busy worker some time
        SurveyResponse.objects.filter(pk__in=responses, lease=None).update(updated_at=now)
        TaskMatch.objects.filter(task_id__in=matches, lease=None).update(updated_at=now)
    for response_id in responses:
        announce.response(response_id)
    for task_id in matches:
        announce.match(task_id)
    return len(responses) + len(matches)


def _alone() -> bool:
    """Takes an advisory lock until the transaction ends; False when another process has it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [_LOCK])
        row = cursor.fetchone()
    return bool(row and row[0])
