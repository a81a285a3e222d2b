"""Reads of the ledger, and the only doors from an id to a batch or an operation."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Final

from django.db.models import (
    BooleanField,
    Count,
    Exists,
    ExpressionWrapper,
    F,
    OuterRef,
    Q,
    QuerySet,
    Window,
)
from django.db.models.functions import RowNumber
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from chat.identity import Identity
from chat.models import Session
from chat.operations.models import Operation, OperationBatch
from chat.operations.registry import all_operables, operable
from futura.parameters import place_in, place_of
from futura.rows import only

ON_PAGE: Final = 50  # batches on a page at most
SHOWN_ON_PAGE: Final = 50  # operations on a page of the panel, but for the last batch
IN_BATCH: Final = 6  # operations of one batch that the panel shows; its own page has all
IN_FULL: Final = 100  # operations on the page of one batch
ALL: Final = Q()  # operations, not narrowed

CAUSES: Final = ("session", "message", "user")

Status, State = Operation.Status, OperationBatch.Status


def batch_for(identity: Identity, batch_id: uuid.UUID) -> OperationBatch:
    """A batch of changes of the caller's things; NotFound for strangers and unknown ids alike."""
    owned = OperationBatch.objects.filter(owner_id__in=identity.participant_ids)
    return only(owned.select_related(*CAUSES).filter(pk=batch_id))


def operation_for(identity: Identity, operation_id: uuid.UUID, *, batch_id: uuid.UUID) -> Operation:
    """An operation of that batch on the caller's things; NotFound for strangers."""
    owned = Operation.objects.filter(batch=batch_id, batch__owner_id__in=identity.participant_ids)
    return only(full(owned).filter(pk=operation_id))


def full(operations: QuerySet[Operation]) -> QuerySet[Operation]:
    return operations.select_related(
        "payload", "batch__session", "batch__message", "batch__user", "undoes__batch"
    )


@dataclass(frozen=True)
class Gesture:
    """A batch with some of its operations; `count` is how many there are that fit the filter,
    `standing` and `waiting` how many of those are done or to be reviewed.
    """

    batch: OperationBatch
    operations: Sequence[Operation]
    count: int = 0
    standing: int = 0
    waiting: int = 0

    @property
    def hidden(self) -> int:
        return self.count - len(self.operations)


@dataclass(frozen=True)
class Page:
    """Batches, newest first; `next_key` is where the next page begins, empty at the end."""

    gestures: Sequence[Gesture]
    next_key: str = ""


def panel_of(session_id: uuid.UUID, narrowed: Q = ALL, *, after: str = "") -> Page:
    """The changes of one conversation: two queries, however many there are.

    Undoing shows on what it undid; its own batches are left out.
    """
    batches = OperationBatch.objects.filter(session=session_id, undoes__isnull=True)
    return page_of(batches, narrowed, after=after, at_most=SHOWN_ON_PAGE)


def history_of(owner_ids: Sequence[uuid.UUID], narrowed: Q, *, after: str = "") -> Page:
    """Everything that happened to rows of these owners."""
    batches = OperationBatch.objects.filter(owner_id__in=owner_ids)
    return page_of(batches, narrowed, after=after)


def within(place: str, key: uuid.UUID) -> Q:
    """Operations on a row and on the rows that name it as their own, deleted ones too."""
    model, of_row = operable(place).model, Q(entity=place, entity_id=key)
    for name, entity_type in all_operables().items():
        for field in entity_type.parents:
            if entity_type.model._meta.get_field(field).related_model is model:
                rows = entity_type.model._default_manager.filter(**{field: key})
                of_row |= Q(entity=name, entity_id__in=rows.values("pk"))
    return of_row


def touching(own: Q, *, after: str = "", limit: int = ON_PAGE) -> Page:
    """What was done, if only with one of these operations; without what still waits."""
    executed = Q(executed_at__isnull=False)
    touched = Operation.objects.filter(own, executed)
    batches = OperationBatch.objects.filter(pk__in=touched.values("batch_id"))
    return page_of(batches, executed, after=after, limit=limit)


def page_of(
    batches: QuerySet[OperationBatch],
    narrowed: Q = ALL,
    *,
    after: str = "",
    limit: int = ON_PAGE,
    at_most: int = ON_PAGE * IN_BATCH,
) -> Page:
    """A page of some batches with the first operations of each that fit the filter.

    The page ends with the batch that makes it `at_most` operations.
    """
    if narrowed:
        fitting = Operation.objects.filter(narrowed, batch=OuterRef("pk"))
        batches = batches.filter(Exists(fitting))
    key = place_in(after)
    if key is not None:
        at, pk = key
        batches = batches.filter(Q(created_at__lt=at) | Q(created_at=at, pk__lt=pk))
    result = list(batches.select_related(*CAUSES).order_by("-created_at", "-pk")[: limit + 1])
    gestures = gestures_of(result[:limit], narrowed)
    sums = accumulate(len(gesture.operations) for gesture in gestures)
    displayed = gestures[: 1 + sum(1 for item in sums if item < at_most)]
    last = displayed[-1].batch if len(result) > len(displayed) else None
    return Page(displayed, place_of(last.created_at, last.pk) if last else "")


def gestures_of(
    batches: Sequence[OperationBatch], narrowed: Q = ALL, *, each: int = IN_BATCH
) -> list[Gesture]:
    """These batches with the first operations of each, and those that wait: one query."""
    by_id = {batch.pk: batch for batch in batches}

    def counted(**conditions: Any) -> Window:
        return Window(
            Count("pk", filter=Q(**conditions) if conditions else None), partition_by=F("batch_id")
        )

    is_pending = ExpressionWrapper(Q(status=Status.PENDING), BooleanField())
    first = [is_pending.desc(), F("sequence").asc()]  # what waits is displayed before all else
    placed = Window(RowNumber(), partition_by=F("batch_id"), order_by=first)
    operations = (
        Operation.objects.filter(narrowed, batch__in=by_id)
        .select_related("payload")
        .annotate(
            place=placed,
            of_all=counted(),
            of_done=counted(status=Status.COMPLETED),
            of_pending=counted(status=Status.PENDING),
        )
        .filter(place__lte=each)
        .order_by("batch_id", "sequence")
    )
    by_batch: dict[uuid.UUID, list[Operation]] = {}
    for operation in operations:
        operation.batch = by_id[operation.batch_id]
        by_batch.setdefault(operation.batch_id, []).append(operation)
    return [_gesture(batch, by_batch.get(batch.pk, [])) for batch in batches]


def _gesture(batch: OperationBatch, operations: Sequence[Operation]) -> Gesture:
    if not operations:
        return Gesture(batch, operations)
    counts: Any = operations[0]
    waiting = counts.of_pending if batch.status == State.REVIEW else 0
    return Gesture(batch, operations, counts.of_all, counts.of_done, waiting)


def operations_of(batch: OperationBatch, *, after: int = 0) -> list[Operation]:
    """The operations of one batch in order, from a sequence number on; one more than a page."""
    remaining = batch.operations.filter(sequence__gt=after).order_by("sequence")
    return list(full(remaining)[: IN_FULL + 1])


def standing(batch: OperationBatch, *, is_whole_turn: bool = False) -> list[Operation]:
    """What is done of a batch, or of all that the answer did which it belongs to."""
    within = Q(batch=batch)
    if is_whole_turn and batch.run_id:
        within = Q(batch__run=batch.run_id, batch__owner_id=batch.owner_id, batch__undoes=None)
    return list(Operation.objects.filter(within, status=Status.COMPLETED))


def pending(batch: OperationBatch) -> list[Operation]:
    waiting = batch.operations.filter(status=Status.PENDING).order_by("sequence")
    return list(full(waiting))


def waiting_count(session_id: uuid.UUID) -> int:
    return Operation.objects.filter(
        batch__session=session_id, batch__status=State.REVIEW, status=Status.PENDING
    ).count()


def held_by(owner_ids: Sequence[uuid.UUID]) -> list[tuple[str, int]]:
    """Conversations and operable rows of these participants, without kinds that have none."""
    talks = Session.objects.filter(participant__in=owner_ids, deleted_at=None).count()
    values = [(str(_("Conversations")), talks)]
    for entity_type in all_operables().values():
        rows = entity_type.model._default_manager.filter(
            owner__in=owner_ids, deleted_at__isnull=True
        )
        values.append((str(capfirst(entity_type.model._meta.verbose_name_plural)), rows.count()))
    return [(name, count) for name, count in values if count]


def changed_since(entity: str, row_id: uuid.UUID, version: int) -> dict[str, Any]:
    """Fields that changed after a version of a row, each with the value it had then.

    A value that was erased is None.
    """
    later = (
        Operation.objects.filter(entity=entity, entity_id=row_id, result_version__gt=version)
        .select_related("payload")
        .order_by("result_version")
    )
    was: dict[str, Any] = {}
    for item in later:
        for name in item.changed_fields:
            was.setdefault(name, (item.payload.before or {}).get(name))
    return was
