"""Finds pipelines and matches that nobody is making, and asks a worker again."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from futura import locks
from tasks.campaigns import match_progress
from tasks.coding import announce
from tasks.coding.heartbeat import SILENT_FOR
from tasks.coding.run import RUNNING
from tasks.models import Lookup, SurveyResponse, TaskMatch

WAITING_FOR: Final = timedelta(seconds=10)
BATCH: Final = 200
Waiting: TypeAlias = tuple[uuid.UUID, uuid.UUID, uuid.UUID | None]  # match, response, lease


def sweep() -> int:
    """Announces again what waits without a living worker; how many.

    When more matches wait than `BATCH`, workers are asked for threads to work them off instead of
    being told of each list: the queue holds a few short words, whatever waits.
    """
    now = timezone.now()
    with transaction.atomic():
        if not locks.claim("sweep of the coding"):
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
        waiting = _waiting_matches(now)
        is_backlog = len(waiting) > BATCH
        lists = {} if is_backlog else _told(waiting, now)
        match_progress.count()
    for response_id in responses:
        announce.response(response_id)
    for response_id, count in lists.items():
        announce.matches(response_id, count)
    if is_backlog:
        announce.backlog(expires_s=WAITING_FOR.total_seconds())
    return len(responses) + len(waiting)


def _waiting_matches(now: datetime) -> list[Waiting]:
    """Matches that wait without a worker, oldest first: at most one more than `BATCH`."""
    abandoned = (
        Q(lookup=None, updated_at__lt=now - WAITING_FOR)
        | Q(lookup__lease=None, lookup__seen_at__lt=now - WAITING_FOR)
        | Q(lookup__lease__isnull=False, lookup__seen_at__lt=Now() - SILENT_FOR)
    )
    return list(
        TaskMatch.objects.filter(abandoned, status=TaskMatch.Status.PENDING, deleted_at=None)
        .order_by("created_at")
        .values_list("pk", "task__response_id", "lookup__lease")[: BATCH + 1]
    )


def _told(waiting: Sequence[Waiting], now: datetime) -> dict[uuid.UUID, int]:
    """How many of them each response has; they are noted as told of."""
    told = [Lookup(match_id=pk, seen_at=now) for pk, _response, lease in waiting if lease is None]
    Lookup.objects.bulk_create(
        told, update_conflicts=True, unique_fields=["match"], update_fields=["seen_at"]
    )
    return Counter(response_id for _pk, response_id, _lease in waiting)
