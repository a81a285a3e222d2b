"""Reads of portfolios for their owner: the last changes, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Q, QuerySet

from chat.operations import words
from chat.operations.models import Operation, OperationBatch
from projects.portfolio.models import EntryImage, Portfolio
from projects.portfolio.operables import OPERABLES

SHOWN: Final = 4
HISTORY: Final = 60
_OF_PORTFOLIO: Final = [
    one for one in OPERABLES if one.name not in {"portfolio", "portfolio_image"}
]


@dataclass(frozen=True)
class Line:
    """One operation in words."""

    says: str
    title: str


@dataclass(frozen=True)
class Gesture:
    """One batch as far as it touches a portfolio."""

    batch: OperationBatch
    lines: Sequence[Line]
    hidden: int
    kind: str
    icon: str
    can_undo: bool
    who: str


def history_of(portfolio: Portfolio, limit: int = HISTORY) -> list[Gesture]:
    """The last batches that touched a portfolio or anything in it, newest first."""
    touching = _touching(portfolio)
    latest = (
        OperationBatch.objects.filter(pk__in=touching.values("batch_id"))
        .exclude(status=OperationBatch.Status.REVIEW)
        .select_related("user")
        .order_by("-created_at")[:limit]
    )
    operations: dict[object, list[Operation]] = {batch.pk: [] for batch in latest}
    told = touching.filter(batch_id__in=list(operations)).select_related("payload", "batch")
    for one in told.order_by("sequence"):
        operations[one.batch_id].append(one)
    first = [one for some in operations.values() for one in some[:SHOWN]]
    names = words.Names.of(first)
    return [_gesture(batch, operations[batch.pk], names) for batch in latest]


def _gesture(batch: OperationBatch, some: Sequence[Operation], names: words.Names) -> Gesture:
    types = {one.type for one in some}
    kind = types.pop() if len(types) == 1 else Operation.Type.UPDATE
    stands = any(one.status == Operation.Status.COMPLETED for one in some)
    return Gesture(
        batch=batch,
        lines=[Line(words.headline(one), names.title(one)) for one in some[:SHOWN]],
        hidden=max(0, len(some) - SHOWN),
        kind=kind,
        icon=words.ICONS.get(kind, "pencil") if stands else "undo",
        can_undo=stands,
        who=words.who(batch),
    )


def _touching(portfolio: Portfolio) -> QuerySet[Operation]:
    own = Q(entity="portfolio", entity_id=portfolio.pk)
    for one in _OF_PORTFOLIO:
        model: Any = one.model
        rows = model._default_manager.filter(portfolio=portfolio)
        own |= Q(entity=one.name, entity_id__in=rows.values("pk"))
    images = EntryImage.objects.filter(entry__portfolio=portfolio)
    own |= Q(entity="portfolio_image", entity_id__in=images.values("pk"))
    return Operation.objects.filter(own, executed_at__isnull=False)
