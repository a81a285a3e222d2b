"""Reads of campaigns: the doors to one, a person's way through it, and what staff see of all."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from django.core.paginator import Page, Paginator
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from chat.identity import Identity
from chat.models import Message
from futura.parameters import whole
from futura.percent import whole_percent
from futura.rows import only
from tasks.campaigns.models import Campaign, ExtraAnswer, ExtraQuestion, Participation
from tasks.models import TaskMatch

PAGE_SIZE: Final = 100
ARRIVALS: Final = 50


@dataclass(frozen=True)
class Progress:
    """How far the people of a campaign are; each number counts those before it in the row.

    `agreed` gave their consent, `talking` began to talk, `sent` sent their list, `finished` saw
    the last page; `erased` of them were deleted since.
    """

    agreed: int = 0
    talking: int = 0
    sent: int = 0
    finished: int = 0
    erased: int = 0

    @property
    def completion(self) -> Fraction | None:
        """How many of those who agreed sent their list, 0 to 1; None while there is nobody."""
        return Fraction(self.sent, self.agreed) if self.agreed else None

    @property
    def width(self) -> int:
        return whole_percent(self.completion or 0)


@dataclass(frozen=True)
class Lookups:
    """How many tasks of a campaign are listed, and for how many no match was looked up so far."""

    total: int
    pending: int
    failed: int

    @property
    def done(self) -> int:
        return self.total - self.pending - self.failed

    @property
    def percent(self) -> int:
        """Of the tasks; it is 100 only when nothing waits."""
        return whole_percent(Fraction(self.total - self.pending, self.total))


PROGRESS: Final = {
    "agreed": Count("participations"),
    "talking": Count("participations__started_at"),
    "sent": Count("participations__submitted_at"),
    "finished": Count("participations__finished_at"),
    "erased": Count("participations__erased_at"),
}


def campaigns_page(page: int = 1) -> tuple[Page[Campaign], list[dict[str, object]]]:
    """One page of all campaigns, newest first, and its rows: three queries, whatever they hold."""
    listed = Campaign.objects.order_by("-created_at", "pk")
    displayed = Paginator(listed, PAGE_SIZE).get_page(page)
    campaigns = list(displayed.object_list)
    progress = progress_of([campaign.pk for campaign in campaigns])
    return displayed, [
        {"campaign": campaign, "progress": progress[campaign.pk]} for campaign in campaigns
    ]


def progress_of(campaign_ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, Progress]:
    """How far each is: one query over their participations."""
    counted = Campaign.objects.filter(pk__in=campaign_ids).annotate(**PROGRESS)
    values = {row.pop("pk"): Progress(**row) for row in counted.order_by().values("pk", *PROGRESS)}
    return {pk: values.get(pk, Progress()) for pk in campaign_ids}


def campaign_for_staff(campaign_id: uuid.UUID) -> Campaign:
    """Any campaign; the view has checked that somebody asks who may. Raises NotFound."""
    return only(Campaign.objects.filter(pk=campaign_id))


def campaign_at(slug: str) -> Campaign:
    """The campaign behind an address that people got; drafts are not there. Raises NotFound."""
    return only(Campaign.objects.filter(slug=slug).exclude(status=Campaign.Status.DRAFT))


def questions_of(campaign: Campaign, place: str = "") -> list[ExtraQuestion]:
    requested = campaign.questions.filter(removed_at=None).order_by("-place", "position", "pk")
    return list(requested.filter(place=place) if place else requested)


def participation_in(campaign: Campaign, identity: Identity) -> Participation | None:
    """This caller's way through a campaign, if they began one that is still there."""
    claimed = campaign.participations.filter(
        participant_id__in=identity.participant_ids, erased_at=None
    )
    return claimed.select_related("response__session", "campaign").order_by("created_at").first()


def participation_called(campaign: Campaign, pseudonym: str) -> Participation | None:
    """The one of this pseudonym, with or without its P, unless it was erased."""
    number = whole(pseudonym.strip().upper().removeprefix("P-")) or 0  # the first is number 1
    return campaign.participations.filter(number=number, erased_at=None).first()


def answers_in_words(participation: Participation) -> list[ExtraAnswer]:
    details = participation.extra_answers.select_related("question")
    return list(details.order_by("-question__place", "question__position"))


def arrivals(campaign: Campaign, *, limit: int = ARRIVALS) -> list[Participation]:
    """Who came last, newest first, with response, turns said and tasks listed: two queries."""
    own = Count(
        "response__session__messages",
        filter=Q(response__session__messages__role=Message.Role.PERSON),
        distinct=True,
    )
    listed = Count("response__tasks", filter=Q(response__tasks__deleted_at=None), distinct=True)
    newest = list(
        campaign.participations.order_by("-created_at").values_list("pk", flat=True)[:limit]
    )
    rows = Participation.objects.filter(pk__in=newest).annotate(turns=own, tasks=listed)
    rows = rows.select_related("response__session", "invitation")
    return list(rows.order_by("-created_at", "-number"))


def lookups_of(campaign: Campaign) -> Lookups | None:
    """How far the lookups are; None where all are done. One query then, else two."""
    listed = TaskMatch.objects.filter(
        task__response__campaign=campaign, deleted_at=None, task__deleted_at=None
    )
    status = TaskMatch.Status
    waiting = listed.filter(status__in=(status.PENDING, status.FAILED)).order_by()
    counts = dict(waiting.values_list("status").annotate(Count("pk")))
    if not counts:
        return None
    return Lookups(listed.count(), counts.get(status.PENDING, 0), counts.get(status.FAILED, 0))


def unfinished(campaign: Campaign) -> int:
    """How many talk, or check their list, and have not sent it."""
    begun = campaign.participations.filter(erased_at=None, started_at__isnull=False)
    return begun.filter(submitted_at=None).count()


def due_for_deletion() -> QuerySet[Campaign]:
    """Campaigns that keep what is told for a set time only, and have something left."""
    left = Participation.objects.filter(campaign=OuterRef("pk"), erased_at=None)
    return Campaign.objects.filter(Exists(left), retention_days__isnull=False).exclude(
        status=Campaign.Status.DRAFT
    )
