"""Finds pipelines and matches that nobody is making, and asks a worker again."""

from __future__ import annotations

import uuid
from collections import Counter
from datetime import datetime, timedelta
from typing import Final

from django.db import connection, transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from tasks.models import Lookup, SurveyResponse, TaskMatch
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
        # touched, so that the next sweeps leave a busy worker some time
        SurveyResponse.objects.filter(pk__in=responses, lease=None).update(updated_at=now)
        lists = _waiting_matches(now)
    for response_id in responses:
        announce.response(response_id)
    for response_id, count in lists.items():
        announce.matches(response_id, count)
    return len(responses) + sum(lists.values())


def _waiting_matches(now: datetime) -> dict[uuid.UUID, int]:
    """How many matches wait without a worker, by response; they are noted as told of."""
    abandoned = (
        Q(lookup=None, updated_at__lt=now - WAITING_FOR)
        | Q(lookup__lease=None, lookup__seen_at__lt=now - WAITING_FOR)
        | Q(lookup__lease__isnull=False, lookup__seen_at__lt=Now() - SILENT_FOR)
    )
    found = list(
        TaskMatch.objects.filter(abandoned, status=TaskMatch.Status.PENDING, deleted_at=None)
        .order_by("created_at")
        .values_list("pk", "task__response_id", "lookup__lease")[:BATCH]
    )
    told = [Lookup(match_id=pk, seen_at=now) for pk, _response, lease in found if lease is None]
    Lookup.objects.bulk_create(
        told, update_conflicts=True, unique_fields=["match"], update_fields=["seen_at"]
    )
    return Counter(response_id for _pk, response_id, _lease in found)


def _alone() -> bool:
    """Takes an advisory lock until the transaction ends; False when another process has it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [_LOCK])
        row = cursor.fetchone()
    return bool(row and row[0])
