"""The second coding: what is up for it, how far both coders agree, and what they disagree on."""

from __future__ import annotations

import uuid
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.commands.run import run
from futura.errors import BadInput, Conflict
from futura.roles import Somebody
from futura.rows import only
from tasks.commands.matches import NONE_OF_THESE, ChooseMatch
from tasks.models import TaskMatch, WorkTask
from tasks.review import MatchCandidate, candidates_of
from tasks.staff.commands import ReviewScope
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


LISTED: Final = 50


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


@dataclass(frozen=True)
class Blind:
    """A task as the second coder sees it: without its match.

    The candidates stand in an order that tells nothing of what was chosen.
    """

    task: WorkTask
    candidates: Sequence[MatchCandidate]
    hindrance: str


def blind(user: Somebody, task_id: uuid.UUID) -> Blind:
    """A task to code, or why it cannot be coded now. Raises NotFound, in the bin too."""
    matches = TaskMatch.objects.select_related("task__response__session", "task__message")
    readable = matches.filter(deleted_at=None, task__response__session__deleted_at=None)
    match = only(readable.filter(task=task_id))
    is_open = open_for(user).filter(pk=match.pk).exists()
    hindrance = "" if is_open else _why_not(user, match)
    listed = sorted(match.candidates, key=lambda row: str(row["text"]).casefold())
    return Blind(match.task, candidates_of(listed) if is_open else [], hindrance)


def _why_not(user: Somebody, match: TaskMatch) -> str:
    if hasattr(match, "second_coding"):
        return _("This task already has a second coding.")
    review = getattr(match.task.response.session, "review", None)
    if review is None or review.reviewed_at is None:
        return _("This task list is not reviewed yet; second coding comes after the review.")
    if review.reviewed_by_id == user.pk:
        return _("You reviewed this task list yourself; someone else has to do the second coding.")
    return _("This task is not due for second coding.")


def code(*, user: Somebody, task_id: uuid.UUID, candidate: object) -> SecondCoding:
    """Keeps what the second coder chose beside what stands. Raises BadInput, Conflict, NotFound."""
    with transaction.atomic():
        match = open_for(user).filter(task=task_id).select_for_update(of=("self",)).first()
        if match is None:
            refused = blind(user, task_id)
            raise Conflict(refused.hindrance)
        existing = {str(candidate["task_id"]) for candidate in match.candidates}
        if candidate != NONE_OF_THESE and candidate not in existing:
            raise BadInput(_("Select one of the statements in the list."), field="candidate")
        try:
            return SecondCoding.objects.create(
                match=match,
                first_code=code_of(match),
                first_user_id=match.task.response.session.review.reviewed_by_id,
                second_code="" if candidate == NONE_OF_THESE else str(candidate),
                second_user_id=user.pk,
            )
        except IntegrityError as error:
            raise Conflict(_("This task already has a second coding.")) from error


def code_of(match: TaskMatch) -> str:
    """What a match says as a code: the statement's id, empty for no good match."""
    return match.onet_task_id if match.status == TaskMatch.Status.MATCHED else ""


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


@dataclass(frozen=True)
class Dispute:
    """A disagreement with both choices in words."""

    coding: SecondCoding
    first: str
    second: str


_UNDONE: Final = Q(settled=SecondCoding.Settled.SECOND) & ~Q(match__onet_task_id=F("second_code"))
"""Settled for the second, and that correction undone: to be settled again."""


def _disagreements() -> QuerySet[SecondCoding]:
    """Those about tasks that are listed, in conversations that staff may read."""
    listed = SecondCoding.objects.filter(
        match__deleted_at=None,
        match__task__deleted_at=None,
        match__task__response__session__deleted_at=None,
    )
    return listed.exclude(first_code=F("second_code"))


def disputes(*, campaign_id: uuid.UUID | None = None) -> list[Dispute]:
    """What is to be settled, oldest first: one query."""
    codings = _disagreements().filter(Q(settled="") | _UNDONE)
    if campaign_id is not None:
        codings = codings.filter(match__task__response__campaign=campaign_id)
    rows = codings.select_related("match__task__response", "first_user", "second_user")
    return [
        Dispute(row, _text(row.match, row.first_code), _text(row.match, row.second_code))
        for row in rows.order_by("created_at")[:LISTED]
    ]


def _text(match: TaskMatch, chosen: str) -> str:
    if not chosen:
        return _("No good match")
    texts = {str(candidate["task_id"]): str(candidate["text"]) for candidate in match.candidates}
    return texts.get(chosen) or (match.text if chosen == match.onet_task_id else chosen)


def settle(*, user: Somebody, task_id: uuid.UUID, take: object) -> SecondCoding:
    """Ends a disagreement: the first stands, or the second is taken, through the ledger.

    Raises BadInput, Conflict when it was settled already, NotFound.
    """
    if take not in SecondCoding.Settled.values:
        raise BadInput(_("Select which of the two to keep."), field="take")
    with transaction.atomic():
        rows = _disagreements().select_related("match__task__response__session")
        coding = only(rows.select_for_update(of=("self",)).filter(match__task=task_id))
        if coding.settled and not rows.filter(_UNDONE, pk=coding.pk).exists():
            raise Conflict(_("This disagreement is already resolved."))
        match = coding.match
        if take == SecondCoding.Settled.SECOND and code_of(match) != coding.second_code:
            session = match.task.response.session
            reason = _("A second reviewer selected this without seeing the first selection.")
            command = ChooseMatch(
                survey=session.pk,
                task=match.task_id,
                candidate=coding.second_code or NONE_OF_THESE,
                reason=reason,
            )
            run(command, ReviewScope(session, user, reason))
        coding.settled, coding.settled_by_id = str(take), user.pk
        coding.settled_at = timezone.now()
        coding.save(update_fields=["settled", "settled_by", "settled_at"])
    return coding
