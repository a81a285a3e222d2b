"""What staff read of the ledger: batches across people, one batch, whose they are."""

from __future__ import annotations

import uuid
from contextlib import suppress

from django.db.models import Q, QuerySet

from chat.models import Participant
from chat.operations.models import OperationBatch
from chat.operations.queries import SHOWN_ON_PAGE, Filter, Page, page_of
from chat.staff.audit import Staff, admit, is_private, reviewable
from futura.errors import NotFound


def batches_page(
    batches: QuerySet[OperationBatch], narrowed: Filter, *, with_private: bool, after: str = ""
) -> Page:
    """A page of some batches, newest first: of surveys, or of private things as well."""
    if not with_private:
        batches = batches.filter(reviewable("session__kind"))
    return page_of(batches, narrowed, after=after, at_most=SHOWN_ON_PAGE)


def people_called(words: str) -> QuerySet[Participant, uuid.UUID]:
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
