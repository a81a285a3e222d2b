"""What staff read of the ledger: batches across people with filters, one batch, counts."""

from __future__ import annotations

import uuid
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, timedelta

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from chat.models import Participant
from chat.operations.models import Operation, OperationBatch
from chat.operations.queries import SHOWN_ON_PAGE, Filter, Page, page_of
from chat.staff.days import between
from chat.staff.reach import Staff, admit, is_private, reviewable
from futura.errors import NotFound


@dataclass(frozen=True)
class StaffFilter:
    """What the list is narrowed to; empty values narrow nothing."""

    person: str = ""
    actor: str = ""
    operations: Filter = field(default_factory=Filter)
    since: date | None = None
    until: date | None = None


@dataclass(frozen=True)
class Counts:
    """Operations of the last thirty days."""

    done: int
    undone: int
    failed: int
    waiting: int

    @property
    def undo_percent(self) -> float | None:
        """Undone of all that was done; None without any."""
        all_done = self.done + self.undone
        return 100 * self.undone / all_done if all_done else None


def batches_page(narrowed: StaffFilter, *, with_private: bool, after: str = "") -> Page:
    """A page of everybody's batches, newest first: of surveys, or of private things as well."""
    found = _filtered(narrowed)
    if not with_private:
        found = found.filter(reviewable("session__kind"))
    return page_of(found, narrowed.operations, after=after, at_most=SHOWN_ON_PAGE)


def _filtered(narrowed: StaffFilter) -> QuerySet[OperationBatch]:
    batches = OperationBatch.objects.all()
    if narrowed.person:
        batches = batches.filter(owner_id__in=_people(narrowed.person))
    if narrowed.actor:
        batches = batches.filter(actor=narrowed.actor)
    return batches.filter(between("created_at", narrowed.since, narrowed.until))


def _people(words: str) -> QuerySet[Participant, uuid.UUID]:
    """By account name or mail, or by the id of a participant."""
    found = Q(user__email__icontains=words) | Q(user__username__icontains=words)
    with suppress(ValueError):
        found |= Q(pk=uuid.UUID(words))
    return Participant.objects.filter(found).values_list("pk", flat=True)


def batch_for_staff(batch_id: uuid.UUID, reader: Staff) -> OperationBatch:
    """Any batch, whoever owns it, where `reader` may read what it came of.

    Raises NotFound; RightNeeded and ReasonNeeded for one of a private conversation, or of none.
    """
    batches = OperationBatch.objects.select_related("session", "message", "user", "undoes")
    batch = batches.filter(pk=batch_id).first()
    if batch is None:
        raise NotFound
    admit(reader, None if is_private(batch.session) else batch.session)
    return batch


def people_of(owner_ids: set[uuid.UUID]) -> dict[uuid.UUID, str]:
    """Whose things those are, in a query; the erased are told by their id."""
    known = Participant.objects.select_related("user").filter(pk__in=owner_ids)
    names = {one.pk: str(one) for one in known}
    return {key: names.get(key, f"gone {str(key)[:8]}") for key in owner_ids}


def counts(*, with_private: bool) -> Counts:
    """Four figures over what the list shows, in one query."""
    state = Operation.Status
    since = timezone.now() - timedelta(days=30)
    waits = OperationBatch.objects.filter(pk=OuterRef("batch"), status="review")
    recent = Operation.objects.filter(created_at__gte=since, undoes__isnull=True)
    if not with_private:
        recent = recent.filter(reviewable("batch__session__kind"))
    told = recent.aggregate(
        done=Count("pk", filter=Q(status=state.COMPLETED)),
        undone=Count("pk", filter=Q(status=state.ROLLED_BACK)),
        failed=Count("pk", filter=Q(status=state.FAILED)),
        waiting=Count("pk", filter=Q(status=state.PENDING) & Q(Exists(waits))),
    )
    return Counts(**told)
