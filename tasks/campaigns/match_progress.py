"""How far the lookups of a campaign's tasks are: counted by the sweep, read by pages in one row."""

from __future__ import annotations

import uuid

from django.db.models import Count, Q
from django.utils import timezone

from tasks.campaigns.models import Campaign, LookupCount
from tasks.models import TaskMatch

Status = TaskMatch.Status


def count() -> int:
    """Counts campaigns in which a task waits, or waited when they were counted last; how many."""
    wanted = _changing()
    if not wanted:
        return 0
    listed = TaskMatch.objects.filter(
        task__response__campaign__in=wanted, deleted_at=None, task__deleted_at=None
    )
    rows = listed.order_by().values_list("task__response__campaign").annotate(
        total=Count("pk"),
        pending=Count("pk", filter=Q(status=Status.PENDING)),
        failed=Count("pk", filter=Q(status=Status.FAILED)),
    )  # fmt: skip
    now = timezone.now()
    counted = {campaign: numbers for campaign, *numbers in rows}
    made = []
    for campaign in sorted(wanted):
        total, pending, failed = counted.get(campaign, (0, 0, 0))
        made.append(
            LookupCount(
                campaign_id=campaign, total=total, pending=pending, failed=failed, counted_at=now
            )
        )
    LookupCount.objects.bulk_create(
        made,
        update_conflicts=True,
        unique_fields=["campaign"],
        update_fields=["total", "pending", "failed", "counted_at"],
    )
    return len(made)


def _changing() -> set[uuid.UUID]:
    waiting = TaskMatch.objects.filter(
        status=Status.PENDING, deleted_at=None, task__response__campaign__isnull=False
    )
    found = waiting.order_by().values_list("task__response__campaign", flat=True).distinct()
    before = LookupCount.objects.filter(pending__gt=0).values_list("pk", flat=True)
    return {*found, *before}


def of(campaign: Campaign) -> LookupCount | None:
    """How far a campaign is; None where no task ever waited long enough to be counted."""
    return LookupCount.objects.filter(pk=campaign.pk).first()
