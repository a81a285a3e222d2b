"""Reads the facts of a campaign, and keeps what they add up to until answers change."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import date, timedelta
from functools import partial
from typing import Final

from django.db import transaction
from django.db.models import Count, Max, Min, QuerySet
from django.utils import timezone

from chat.models import Message
from futura import locks
from futura.celery import send_job
from onet import queries as catalogue
from onet.candidates import ActivityGroup
from onet.scores import scores_of
from tasks.campaigns.models import Campaign, Participation
from tasks.insights.forms import Selection
from tasks.insights.models import Insight
from tasks.insights.report import Fact, Person, Report, report_of
from tasks.models import TaskMatch, WorkTask

COUNT: Final = "tasks.insights.count"
KEPT_DAYS: Final = 14  # a selection that nobody looks at for so long is forgotten
BUSY_S: Final = 120.0  # a counting that takes longer is taken up by another worker


def find(campaign: Campaign, selection: Selection) -> Insight | None:
    """What was counted of a selection, or is being counted; looking at it keeps it fresh."""
    insight = Insight.objects.filter(campaign=campaign, selection=selection.key).first()
    now = timezone.now()
    if insight is not None and insight.asked_at < now - timedelta(hours=1):
        Insight.objects.filter(pk=insight.pk).update(asked_at=now)
    return insight


def report_in(insight: Insight | None) -> Report | None:
    """What was counted; None before the first counting."""
    if insight is None or insight.report is None:
        return None
    return Report.model_validate(insight.report)


def rounded(campaign: Campaign, selection: Selection) -> Selection:
    """The selection with its days moved inwards, so that between any two days enough people agreed.

    Else the sums up to a day, subtracted from those up to the next, would be one person's.
    """
    since, until, least = selection.since, selection.until, campaign.min_group
    if since is None and until is None:
        return selection
    others = selection.model_copy(update={"since": None, "until": None})
    with timezone.override(None):  # as a worker counts
        counts = list(
            campaign.participations.filter(others.condition())
            .values_list("created_at__date")
            .annotate(Count("pk"))
            .order_by("created_at__date")
        )
    if not counts:
        return selection
    starts, ends, waiting = list[date](), list[date](), 0
    for on, number in counts:
        if not waiting:
            starts.append(on)
        waiting += number
        if waiting >= least:
            ends.append(on)
            waiting = 0
    (first, _number), (last, _number), day = counts[0], counts[-1], timedelta(days=1)
    if since:  # past all of them where nobody may be shown
        since = next((start for start in starts if start >= since), max(since, last + day))
    if until:
        until = next((end for end in reversed(ends) if end <= until), min(until, first - day))
    return selection.model_copy(update={"since": since, "until": until})


def want(campaign: Campaign, selection: Selection) -> Insight:
    """Has a selection counted (anew) by a worker; what is there stays until that is done."""
    now = timezone.now()
    insight, _new = Insight.objects.update_or_create(
        campaign=campaign, selection=selection.key, defaults={"wanted_at": now, "asked_at": now}
    )
    transaction.on_commit(lambda: announce(insight.pk))
    return insight


def outdated(campaign: Campaign) -> None:
    """Has every stored report counted anew, seen lately or not: none keeps what was erased."""
    now = timezone.now()
    stored = Insight.objects.filter(campaign=campaign)
    for insight_id in stored.values_list("pk", flat=True):
        transaction.on_commit(partial(announce, insight_id))
    stored.update(wanted_at=now)


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
        stamp = stamp_of(insight.campaign)
        report = counted(insight.campaign, Selection.from_key(insight.selection))
        insight.report = report.model_dump(mode="json")
        insight.stamp, insight.made_at = stamp, timezone.now()
        insight.save(update_fields=["report", "stamp", "made_at"])
        # what was wanted meanwhile waits for another counting: it may know of less
        Insight.objects.filter(pk=insight.pk, wanted_at=insight.wanted_at).update(wanted_at=None)


def counted(campaign: Campaign, selection: Selection) -> Report:
    """The report of a selection, counted now from the rows.

    Seven queries, and for each wider selection one.
    """
    persons = people(campaign, selection)
    everybody = campaign.participations.count()
    more = (
        campaign.participations.filter(wider.condition()).count() - len(persons)
        for wider in selection.wider()
    )
    left_out = min((number for number in more if number), default=0)
    result = list(facts(campaign, selection))
    scores = scores_of({item.statement for item in result if item.statement})
    report = report_of(persons, result, scores=scores, everybody=everybody, left_out=left_out)
    names = {group.value: str(group.label) for group in ActivityGroup}
    names |= {activity.element_id: activity.name for activity in catalogue.activities()}
    for line in (*report.groups, *report.activities):  # the facts know ids only
        line.name = names.get(line.key, line.key)
    return report


def stamp_of(campaign: Campaign) -> str:
    """Says whether anything that is counted has changed since: equal stamps, equal sums."""
    people = campaign.participations.aggregate(
        n=Count("pk"), sent=Count("submitted_at"), gone=Count("erased_at"),
        began=Count("started_at"), at=Max("response__updated_at"),
        binned=Count("response__session__deleted_at"),
    )  # fmt: skip
    tasks = WorkTask.objects.filter(response__campaign=campaign).aggregate(
        n=Count("pk"), at=Max("updated_at")
    )
    matches = TaskMatch.objects.filter(task__response__campaign=campaign).aggregate(
        at=Max("updated_at")
    )
    values = [*people.values(), *tasks.values(), *matches.values()]
    return " ".join("" if value is None else str(value).replace(" ", "T") for value in values)


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


CHUNK: Final = 5_000


def people(campaign: Campaign, selection: Selection) -> list[Person]:
    """Everybody who agreed to take part and is selected: two queries.

    Where the campaign has a list of job titles, the chosen one stands for the occupation.
    """
    chosen = campaign.participations.filter(selection.condition())
    talks = _talks(chosen)
    matches = []
    for row in chosen.order_by().values(
        "response", "response__occupation_code", "response__occupation_title", "started_at",
        "submitted_at", "erased_at", "turn_count", "task_count", "talk_minutes",
        "response__job_title",
    ).iterator(CHUNK):  # fmt: skip
        turns, minutes = talks.get(row["response"], (0, None))
        is_gone = row["erased_at"] is not None
        title = row["response__job_title"] if campaign.job_titles else ""
        matches.append(
            Person(
                response=row["response"],
                occupation=row["response__occupation_code"] or title or "",
                occupation_title=row["response__occupation_title"] or title or "",
                started=row["started_at"] is not None,
                sent=row["submitted_at"] is not None,
                turns=row["turn_count"] if is_gone else turns,
                minutes=row["talk_minutes"] if is_gone else minutes,
                tasks=row["task_count"] if is_gone else 0,
            )
        )
    return matches


def _talks(chosen: QuerySet[Participation]) -> dict[uuid.UUID, tuple[int, float]]:
    """Messages of the person, and the minutes between the first and the last, by conversation."""
    messages = Message.objects.filter(
        session__survey_response__participation__in=chosen,
        role=Message.Role.PERSON,
        superseded_at=None,
    ).order_by()
    rows = messages.values_list("session").annotate(
        Count("pk"), Min("created_at"), Max("created_at")
    )  # fmt: skip
    return {
        session: (number, (last - first).total_seconds() / 60)
        for session, number, first, last in rows.iterator(CHUNK)
    }


def facts(campaign: Campaign, selection: Selection) -> Iterator[Fact]:
    """The tasks that are still listed, in no order: one query, read bit by bit."""
    chosen = campaign.participations.filter(selection.condition(), erased_at=None)
    listed = WorkTask.objects.filter(
        response__participation__in=chosen, response__session__deleted_at=None, deleted_at=None
    ).order_by().values_list(
        "response", "group", "activity_ids", "time_share", "ai_level", "match__status",
        "match__onet_task_id", "match__text", "match__occupation_title",
    )  # fmt: skip
    for row in listed.iterator(CHUNK):
        response, group, activities, time, ai, status, statement, text, title = row
        matched = status == TaskMatch.Status.MATCHED
        yield Fact(
            response=response,
            group=group,
            activities=tuple(activities or ()),
            time=None if time is None else float(time),
            ai=ai,
            statement=statement if matched else "",
            text=text if matched else "",
            occupation=title if matched else "",
        )
