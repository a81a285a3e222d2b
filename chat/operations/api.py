"""JSON for programs: changes of a conversation or of one row; undo, approve, reject."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any, Literal, TypeVar

from django.db.models import Q
from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Field, Query, Router, Schema
from pydantic import field_validator

from chat.api import Camel, own
from chat.identity import identity_of
from chat.operations import labels, queries, review
from chat.operations.cascade import display_digests
from chat.operations.changes import Actor, Cause, Kind
from chat.operations.models import Operation, OperationBatch
from chat.operations.registry import all_operables
from chat.operations.serialization import sides_of
from chat.operations.undo import Choice, UndoPlan, rehearse, undo
from chat.queries import session_for
from futura.errors import BadInput, Conflict, NotAllowed
from futura.parameters import OneOf

OutT = TypeVar("OutT", bound=Schema)
Status = Literal["pending", "executing", "completed", "failed", "rolled_back", "rejected"]
Type = Literal["create", "update", "delete", "restore", "erase"]


class OperationOut(Camel):
    """One change of one row; `before` and `after` hold the fields it is about, null when erased.

    `digest` names what an approval approves; it changes when the change is reworded, and when a
    deletion would take along something else.
    """

    id: uuid.UUID
    batch_id: uuid.UUID
    sequence: int
    type: Type
    entity: str
    entity_id: uuid.UUID
    headline: str
    status: Status
    error: str
    changed_fields: list[str]
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    base_version: int | None
    result_version: int | None
    undoes_id: uuid.UUID | None
    amends_id: uuid.UUID | None
    digest: str
    created_at: datetime
    executed_at: datetime | None
    duration_ms: int | None


class BatchOut(Camel):
    """What was done in one go, and what caused it. `count` is how many operations there are."""

    id: uuid.UUID
    title: str
    actor: str
    reason: str
    status: str
    review_reasons: list[str]
    session_id: uuid.UUID | None
    message_id: uuid.UUID | None
    run_id: uuid.UUID | None
    undoes_id: uuid.UUID | None
    created_at: datetime
    operations: list[OperationOut]
    count: int


class BatchesOut(Camel):
    """Newest first; ask again with `after` = `nextKey` while it is not empty."""

    batches: list[BatchOut]
    next_key: str


class FieldOut(Camel):
    """What undoing does to one field; an empty `field` stands for the row itself."""

    operation_id: uuid.UUID
    entity: str
    entity_id: uuid.UUID
    field: str
    before: Any = None
    after: Any = None
    current: Any = None
    outcome: Literal["restore", "nothing", "conflict"]
    along: list[uuid.UUID]

    @field_validator("along", mode="before")
    @classmethod
    def _ids(cls, keys: Sequence[tuple[str, uuid.UUID]]) -> list[uuid.UUID]:
        return [key for _kind, key in keys]


class PlanOut(Camel):
    """What undoing would do now; `digest` binds an undo to it, `hindrance` says why it cannot."""

    fields: list[FieldOut]
    digest: str
    hindrance: str


class Choose(Camel):
    """What shall stand of a field that was changed since."""

    operation_id: uuid.UUID
    field: str = ""
    choice: Choice


class OfBatch(Camel):
    """Which operations of a batch; all that stand when left out."""

    operation_ids: list[uuid.UUID] = []


class Undo(OfBatch):
    """Fields in conflict are decided by `choices`; with `digest` the plan must be that one."""

    digest: str = ""
    choices: list[Choose] = []


class Approve(Camel):
    """Which changes, each with the `digest` that was looked at."""

    digests: dict[uuid.UUID, str] = Field(default_factory=dict)


class Reject(Camel):
    """Which changes; all that wait when left out."""

    operation_ids: list[uuid.UUID] | None = None


class OperationsQuery(Schema):
    """Narrowed to what; all of the caller's changes without any of it."""

    session: uuid.UUID | None = Field(None, description="A conversation's id.")
    entity: Annotated[str, OneOf(("", *sorted(all_operables())))] = Field(
        "", description="Kind of the row; `task` is a to-do."
    )
    entity_id: uuid.UUID | None = Field(None, alias="entityId", description="The row's id.")
    type: Type | None = Field(None, description="Only operations of this type.")
    status: Status | None = Field(None, description="Only operations in this state.")
    after: str = Field("", description="`nextKey` of the page before.")


router = Router(tags=["Changes"], by_alias=True)
_ONE = "/operations/{uuid:batch_id}"
_OWNED = own("batch_id", queries.batch_for)


@router.get(
    "/operations", response=BatchesOut, url_name="operations", summary="Changes, newest first"
)
def list_operations(request: HttpRequest, query: Query[OperationsQuery]) -> BatchesOut:
    """All changes, those of a conversation or of one row, 50 batches at a time. Instead of
    `ledger:undo` a token may have the scopes to read all areas.

    A batch lists its first operations only; `count` says how many there are, and the batch's own
    address has them all. What happened since the last time are the batches up to one that you
    know; what was approved meanwhile keeps its place.
    """
    identity = identity_of(request)
    filters = query.model_dump(include={"type", "status", "entity", "entity_id"})
    narrowed = Q(**{name: value for name, value in filters.items() if value})
    batches = OperationBatch.objects.filter(owner_id__in=identity.participant_ids)
    if query.session is not None:
        batches = batches.filter(session=session_for(identity, query.session))
    page = queries.page_of(batches, narrowed, after=query.after)
    digests = display_digests([each for gesture in page.gestures for each in gesture.operations])
    return BatchesOut(
        batches=[
            _batch_out(gesture.batch, gesture.operations, gesture.count, digests)
            for gesture in page.gestures
        ],
        next_key=page.next_key,
    )


@router.get(
    _ONE, auth=_OWNED, response=BatchOut, url_name="operation_batch", summary="Group of changes"
)
def get_batch(request: HttpRequest, batch_id: uuid.UUID) -> BatchOut:
    """With every operation in it."""
    return _full(_batch(request, batch_id))


@router.get(
    f"{_ONE}/undo",
    auth=_OWNED,
    response=PlanOut,
    url_name="operation_undo",
    summary="What undoing a batch would do",
)
def get_undo(request: HttpRequest, batch_id: uuid.UUID, of: Query[OfBatch]) -> UndoPlan:
    """Field by field, with conflicts and what would go along. Nothing is changed."""
    batch = _batch(request, batch_id)
    return rehearse(batch.owner_id, _standing(batch, of))


@router.post(
    f"{_ONE}/undo",
    auth=_OWNED,
    response=BatchOut,
    url_name="operation_undo",
    summary="Undo a batch of changes",
)
def post_undo(request: HttpRequest, batch_id: uuid.UUID, wish: Undo | None = None) -> BatchOut:
    """All that stands of it, or of the operations that are named, or nothing, in a batch of its
    own; undoing that one is redo.

    409 while a field in conflict is undecided: look at `GET …/undo`.
    """
    batch, wish = _batch(request, batch_id), wish or Undo()
    choices = {(choice.operation_id, choice.field): choice.choice for choice in wish.choices}
    created = undo(
        actor=_actor(request, batch),
        operations=_standing(batch, wish),
        choices=choices,
        digest=wish.digest,
        cause=_cause(request, batch),
    )
    return _full(created)


@router.post(
    f"{_ONE}/approve",
    auth=_OWNED,
    response=BatchOut,
    url_name="operation_approve",
    summary="Approve changes",
)
def post_approve(request: HttpRequest, batch_id: uuid.UUID, wish: Approve) -> BatchOut:
    """Does changes that wait, each bound to the digest of what was looked at.

    403 with an access token: programs propose, people approve.
    """
    batch = _batch(request, batch_id)
    if identity_of(request).token_name:
        raise NotAllowed(_("An access token cannot approve. Approve it on the page."))
    if not wish.digests:
        raise BadInput(_("Name what to approve."), field="digests")
    actor = _actor(request, batch)
    return _full(review.approve(actor=actor, batch_id=batch.pk, digests=wish.digests))


@router.post(
    f"{_ONE}/reject",
    auth=_OWNED,
    response=BatchOut,
    url_name="operation_reject",
    summary="Reject changes",
)
def post_reject(request: HttpRequest, batch_id: uuid.UUID, wish: Reject | None = None) -> BatchOut:
    """Lets changes that wait drop."""
    batch = _batch(request, batch_id)
    ids = wish.operation_ids if wish else None
    if ids is None:
        ids = [item.pk for item in queries.pending(batch)]
    if not ids:
        raise BadInput(_("Name what to reject."), field="operationIds")
    return _full(review.reject(actor=_actor(request, batch), batch_id=batch.pk, operation_ids=ids))


def _batch(request: HttpRequest, batch_id: uuid.UUID) -> OperationBatch:
    """The batch of the address, as `_OWNED` found it."""
    batch: OperationBatch = request.auth  # type: ignore[attr-defined] # set by the router
    assert batch.pk == batch_id  # noqa: S101 - both from the address
    return batch


def _standing(batch: OperationBatch, of: OfBatch) -> list[Operation]:
    """Raises Conflict where nothing stands, or not all that is named."""
    named = set(of.operation_ids)
    standing = [item for item in queries.standing(batch) if not named or item.pk in named]
    if not standing or len(standing) < len(named):
        raise Conflict(_("There is nothing left to undo."))
    return standing


def _actor(request: HttpRequest, batch: OperationBatch) -> Actor:
    return Actor(batch.owner_id, kind=Kind.PROGRAM, user_id=identity_of(request).user_id)


def _cause(request: HttpRequest, batch: OperationBatch) -> Cause:
    """The conversation, and the token that a program came with."""
    return replace(review.cause_of(batch), reason=identity_of(request).reason)


def _full(batch: OperationBatch) -> BatchOut:
    operations = list(queries.full(batch.operations.order_by("sequence")))
    return _batch_out(batch, operations, len(operations), display_digests(operations))


def _batch_out(
    batch: OperationBatch, operations: Sequence[Operation], count: int, digests: Mapping[Any, str]
) -> BatchOut:
    displayed = [_operation_out(operation, digests[operation.pk]) for operation in operations]
    return _named(BatchOut, batch, operations=displayed, count=count)


def _operation_out(operation: Operation, digest: str) -> OperationOut:
    is_erased = operation.payload.erased_at is not None
    before, after = (None, None) if is_erased else sides_of(operation)
    headline = labels.headline(operation)
    return _named(
        OperationOut, operation, headline=headline, before=before, after=after, digest=digest
    )


def _named(shape: type[OutT], row: Any, **more: Any) -> OutT:
    """A row's own values under the names of a shape, and what is worked out."""
    names = shape.model_fields.keys() - more.keys()
    return shape(**{name: getattr(row, name) for name in names}, **more)
