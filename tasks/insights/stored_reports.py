"""Stored sums: asked for, counted by a worker, counted anew when answers changed, thrown away."""

from __future__ import annotations

import time
import uuid
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import Count, Max
from django.utils import timezone

from futura import locks
from futura.celery import send_job
from onet import queries as catalogue
from onet.groups import ActivityGroup
from onet.scores import scores_of
from tasks.campaigns.models import Campaign
from tasks.insights import facts
from tasks.insights.counting import report_of
from tasks.insights.forms import Selection
from tasks.insights.models import Insight
from tasks.insights.report import Line, Report
from tasks.models import TaskMatch, WorkTask

COUNT: Final = "tasks.insights.count"
KEPT_DAYS: Final = 14  # a selection that nobody looks at for so long is forgotten
BUSY_S: Final = 120.0  # a counting that takes longer is taken up by another worker


def find(campaign: Campaign, selection: Selection) -> Insight | None:
    """What was counted of a selection, or is being counted; looking at it keeps it fresh."""
    found = Insight.objects.filter(campaign=campaign, selection=selection.key).first()
    now = timezone.now()
    if found is not None and found.asked_at < now - timedelta(hours=1):
        Insight.objects.filter(pk=found.pk).update(asked_at=now)
    return found


def want(campaign: Campaign, selection: Selection) -> Insight:
    """Has a selection counted (anew) by a worker; what is there stays until that is done."""
    now = timezone.now()
    insight, _new = Insight.objects.update_or_create(
        campaign=campaign, selection=selection.key, defaults={"wanted_at": now, "asked_at": now}
    )
    transaction.on_commit(lambda: announce(insight.pk))
    return insight


def announce(insight_id: uuid.UUID) -> None:
    """Tells a worker; a word that is lost is said again by the clock."""
    send_job(COUNT, str(insight_id))


def count(insight_id: uuid.UUID) -> None:
    """Counts what is wanted, unless another worker is at it; safe to run twice."""
    with transaction.atomic():
        if not locks.claim(f"insight {insight_id}"):
            return
        insight = Insight.objects.select_related("campaign").filter(pk=insight_id).first()
        if insight is None or insight.wanted_at is None:
            return
        began = time.monotonic()
        stamp = stamp_of(insight.campaign)
        report = counted(insight.campaign, Selection.from_key(insight.selection))
        insight.report = report.model_dump(mode="json")
        insight.stamp, insight.made_at = stamp, timezone.now()
        insight.took_ms = round(1000 * (time.monotonic() - began))
        insight.wanted_at, insight.error = None, ""
        insight.save()


def counted(campaign: Campaign, selection: Selection) -> Report:
    """The report of a selection, counted now from the rows; seven queries."""
    persons = facts.people(campaign, selection)
    everybody = campaign.participations.count()
    found = list(facts.facts(campaign, selection))
    scores = scores_of({one.statement for one in found if one.statement})
    report = report_of(persons, found, scores=scores, everybody=everybody)
    _name(report.groups, {one.value: str(one.label) for one in ActivityGroup})
    _name(report.activities, {one.element_id: one.name for one in catalogue.activities()})
    return report


def _name(lines: list[Line], names: dict[str, str]) -> None:
    for line in lines:
        line.name = names.get(line.key, line.key)


def stamp_of(campaign: Campaign) -> str:
    """Says whether anything that is counted has changed since: equal stamps, equal sums."""
    people = campaign.participations.aggregate(
        n=Count("pk"), sent=Count("submitted_at"), gone=Count("erased_at"),
        began=Count("started_at"), at=Max("response__updated_at"),
    )  # fmt: skip
    tasks = WorkTask.objects.filter(response__campaign=campaign).aggregate(
        n=Count("pk"), at=Max("updated_at")
    )
    matches = TaskMatch.objects.filter(task__response__campaign=campaign).aggregate(
        at=Max("updated_at")
    )
    told = [*people.values(), *tasks.values(), *matches.values()]
    return " ".join("" if one is None else str(one).replace(" ", "T") for one in told)


def refresh() -> None:
    """By the clock: says lost words again, has changed campaigns counted, forgets what is old."""
    now = timezone.now()
    Insight.objects.filter(asked_at__lt=now - timedelta(days=KEPT_DAYS)).exclude(
        selection=""
    ).delete()
    for waiting in Insight.objects.filter(wanted_at__lt=now - timedelta(seconds=BUSY_S)):
        announce(waiting.pk)
    since = now - timedelta(days=1)
    for insight in (
        Insight.objects.filter(asked_at__gte=since, wanted_at=None, made_at__isnull=False)
        .select_related("campaign")
        .order_by("campaign_id")
    ):
        if stamp_of(insight.campaign) != insight.stamp:
            Insight.objects.filter(pk=insight.pk).update(wanted_at=now)
            announce(insight.pk)
