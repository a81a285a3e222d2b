"""The second coding: what is up for it, how far both coders agree, and what they disagree on."""

from __future__ import annotations

import uuid
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.core.paginator import Page, Paginator
from django.db import transaction
from django.db.models import Count, F, Q, QuerySet
from django.utils.translation import gettext as _

from futura.errors import BadInput, Conflict
from futura.roles import Somebody
from futura.rows import only
from tasks.campaigns.models import Campaign
from tasks.commands.matches import NONE_OF_THESE
from tasks.models import TaskMatch
from tasks.review import MatchCandidate, candidates_of
from tasks.staff.models import SecondCoding


@dataclass(frozen=True)
class Agreement:
    """Of `number` pairs: the share that agree, the share chance would give, and kappa.

    Shares are from 0 to 1; kappa is 1 for full agreement, 0 for what chance gives, and None where
    it says nothing: without a pair, or when both used one and the same code throughout.
    """

    number: int
    agreeing: int
    observed: float
    expected: float
    kappa: float | None


def agreement_of(counts: Mapping[tuple[str, str], int]) -> Agreement:
    """From how often each pair of codes occurs (J. Cohen, 1960, Educ. Psychol. Meas. 20, 37-46)."""
    number = sum(counts.values())
    if not number:
        return Agreement(0, 0, 0.0, 0.0, None)
    first: Counter[str] = Counter()
    second: Counter[str] = Counter()
    for (entry, other), times in counts.items():
        first[entry] += times
        second[other] += times
    agreeing = sum(times for (entry, other), times in counts.items() if entry == other)
    by_chance = sum(times * second[code] for code, times in first.items())
    observed, expected = agreeing / number, by_chance / number**2
    has_two_codes = by_chance < number**2
    kappa = (observed - expected) / (1 - expected) if has_two_codes else None
    return Agreement(number, agreeing, observed, expected, kappa)


PAGE_SIZE: Final = 50


def open_for(user: Somebody, *, campaign_id: uuid.UUID | None = None) -> QuerySet[TaskMatch]:
    """Matches that this person may code as the second: reviewed by somebody else, not coded yet.

    Ids are random, so their order is: whoever stops early has coded a random sample.
    """
    coded = (TaskMatch.Status.MATCHED, TaskMatch.Status.NONE)
    matches = TaskMatch.objects.filter(
        Q(task__response__campaign=None) | Q(task__response__campaign__has_second_review=True),
        deleted_at=None,
        task__deleted_at=None,
        status__in=coded,
        second_coding=None,
        task__response__session__deleted_at=None,
        task__response__session__review__reviewed_at__isnull=False,
    ).exclude(candidates=[])
    if campaign_id is not None:
        matches = matches.filter(task__response__campaign=campaign_id)
    return matches.exclude(task__response__session__review__reviewed_by=user.pk).order_by("pk")


def last_of(user: Somebody) -> SecondCoding | None:
    """What this person coded last: a slip of the key can be mended until the next one."""
    return SecondCoding.objects.select_related("match").filter(second_user=user.pk).first()


def due(user: Somebody, task_id: uuid.UUID) -> TaskMatch:
    """The match of a task that this person may code now, or coded last.

    Raises NotFound, in the bin too, and Conflict for a task that is not due.
    """
    matches = TaskMatch.objects.select_related("task__response__session__review", "task__message")
    readable = matches.filter(deleted_at=None, task__response__session__deleted_at=None)
    match = only(readable.filter(task=task_id))
    last = last_of(user)
    is_last = last is not None and last.match_id == match.pk
    if not is_last and not open_for(user).filter(pk=match.pk).exists():
        raise Conflict(_("This task is not due for second coding."))
    return match


def blind(match: TaskMatch) -> list[MatchCandidate]:
    """The candidates in an order that tells nothing of what was chosen."""
    return candidates_of(sorted(match.candidates, key=lambda row: str(row["text"]).casefold()))


def code(*, user: Somebody, task_id: uuid.UUID, candidate: object) -> SecondCoding:
    """Keeps what the second coder chose beside what stands. Raises BadInput, Conflict, NotFound."""
    with transaction.atomic():
        only(TaskMatch.objects.select_for_update().filter(task=task_id))
        match = due(user, task_id)
        existing = {str(candidate["task_id"]) for candidate in match.candidates}
        if candidate != NONE_OF_THESE and candidate not in existing:
            raise BadInput(_("Select one of the statements in the list."), field="candidate")
        values = {
            "first_code": match.onet_task_id if match.status == TaskMatch.Status.MATCHED else "",
            "first_user_id": match.task.response.session.review.reviewed_by_id,
            "second_code": "" if candidate == NONE_OF_THESE else str(candidate),
            "second_user_id": user.pk,
        }
        return SecondCoding.objects.update_or_create(values, match=match)[0]


@dataclass(frozen=True)
class Line:
    """The agreement of one campaign (none: talks without one), or of all."""

    campaign_id: uuid.UUID | None
    title: str
    agreement: Agreement


def lines() -> tuple[Line, list[Line]]:
    """The agreement over everything and by campaign: one query."""
    campaign = "match__task__response__campaign"
    grouped = (
        SecondCoding.objects.order_by()
        .values_list(campaign, f"{campaign}__title", "first_code", "second_code")
        .annotate(times=Count("pk"))
    )
    by_campaign: dict[tuple[uuid.UUID | None, str], Counter[tuple[str, str]]] = defaultdict(Counter)
    for campaign_id, title, first, second, times in grouped:
        by_campaign[campaign_id, title or _("No campaign")][first, second] = times
    listed = [Line(*key, agreement_of(counts)) for key, counts in by_campaign.items()]
    total = sum(by_campaign.values(), Counter[tuple[str, str]]())
    return Line(None, _("All"), agreement_of(total)), sorted(listed, key=lambda line: line.title)


def agreement_in(campaign: Campaign) -> Agreement:
    """The agreement of one campaign: one query."""
    own = SecondCoding.objects.filter(match__task__response__campaign=campaign)
    pairs = own.order_by().values_list("first_code", "second_code").annotate(times=Count("pk"))
    return agreement_of({(first, again): times for first, again, times in pairs})


@dataclass(frozen=True)
class Disagreement:
    """Two codings of one task with both choices in words; the first stands."""

    coding: SecondCoding
    first: str
    second: str


def disagreements(
    *, campaign_id: uuid.UUID | None = None, page: str = ""
) -> tuple[Page[SecondCoding], list[Disagreement]]:
    """A page, newest first, of those about tasks that are listed, in conversations that staff may
    read: two queries.
    """
    codings = SecondCoding.objects.filter(
        match__deleted_at=None,
        match__task__deleted_at=None,
        match__task__response__session__deleted_at=None,
    ).exclude(first_code=F("second_code"))
    if campaign_id is not None:
        codings = codings.filter(match__task__response__campaign=campaign_id)
    rows = codings.select_related("match__task__response", "first_user", "second_user")
    displayed = Paginator(rows.order_by("-created_at", "pk"), PAGE_SIZE).get_page(page)
    return displayed, [
        Disagreement(row, _text(row.match, row.first_code), _text(row.match, row.second_code))
        for row in displayed
    ]


def _text(match: TaskMatch, chosen: str) -> str:
    if not chosen:
        return _("No good match")
    texts = {str(candidate["task_id"]): str(candidate["text"]) for candidate in match.candidates}
    return texts.get(chosen) or (match.text if chosen == match.onet_task_id else chosen)
