"""Keeps the index of a portfolio as the portfolio is: notes changes and builds it again.

The ledger tells of every committed batch (`changed` in operables.py); the row of IndexState is the
queue, a lost announcement is swept, and a worker holds a lease while it builds.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from chat.operations.models import Operation
from chat.operations.registry import operable
from futura.durable import ANNOUNCED_FOR, LeaseLost, Work
from onet.embeddings import LEXICAL
from projects.portfolio.index import building
from projects.portfolio.intake.failures import Code
from projects.portfolio.models import IndexBuild, IndexState, Portfolio

# one that failed waits for its time, and so does one whose worker died
BUILD: Final = Work(
    "portfolio.refresh_index",
    IndexState,
    waits=Q(wanted_at__isnull=False) & (Q(retry_at=None) | Q(retry_at__lte=Now())),
    announced="announced_at",
)


def changed(operations: Sequence[Operation]) -> None:
    """After the commit of a batch: the operations on rows of one kind (`Operable.changed`)."""
    entity = operations[0].entity
    ids = {operation.entity_id for operation in operations}
    if entity != "portfolio":
        rows: Any = operable(entity).model._default_manager.filter(pk__in=ids)
        ids = set(rows.values_list("portfolio_id", flat=True))
    for portfolio_id in ids:
        note(portfolio_id)


def note(portfolio_id: uuid.UUID) -> None:
    """A build is wanted; announced once, however many changes come while it waits."""
    if not Portfolio.objects.filter(pk=portfolio_id).exists():
        return
    now = timezone.now()
    IndexState.objects.get_or_create(portfolio_id=portfolio_id)
    state = IndexState.objects.filter(pk=portfolio_id)
    waits = Q(wanted_at__isnull=False, announced_at__gte=now - ANNOUNCED_FOR)
    if state.exclude(waits).update(wanted_at=now, retry_at=None, announced_at=now):
        BUILD.announce(portfolio_id)
    else:
        state.update(wanted_at=now, retry_at=None)


def sweep() -> int:
    """Announces again what waits and nobody builds; how many."""
    now = timezone.now()
    IndexState.objects.filter(wanted_at=None, retry_at__lte=now).update(wanted_at=now)
    _want_vectors(now)
    return BUILD.sweep()


def _want_vectors(now: datetime) -> None:
    """Asks for another build of what was built in words alone before there was a model.

    One that failed for want of vectors has its code and is tried again by itself.
    """
    if building.space_of() != LEXICAL:
        IndexState.objects.filter(
            wanted_at=None,
            retry_at=None,
            lease=None,
            code="",
            portfolio__deleted_at=None,
            portfolio__builds__is_active=True,
            portfolio__builds__space=LEXICAL,
        ).update(wanted_at=now)


def refresh(portfolio_id: uuid.UUID) -> bool:
    """Builds what is wanted; False when nothing is, or somebody else is at it."""
    return BUILD.perform(
        portfolio_id, _refresh, failures=F("failures") + 1, tried_at=timezone.now()
    )


def _refresh(held: QuerySet[IndexState]) -> None:
    state = held.first()
    if state is None:
        raise LeaseLost
    # a worker that dies here is not followed by another at once, again and again
    held.update(retry_at=timezone.now() + _pause(state.failures))
    outcome: dict[str, Any] = {"code": "", "error": "", "retry_at": None, "failures": 0}
    if error := _build(state, held):
        retry_at = timezone.now() + _pause(state.failures + 3)
        code = Code.EMBED_UNAVAILABLE.value
        outcome = {"code": code, "error": error, "retry_at": retry_at}
    done = held.filter(wanted_at=state.wanted_at).update(wanted_at=None, lease=None, **outcome)
    if not done and held.update(lease=None):  # what changed meanwhile is the next build
        BUILD.announce(state.portfolio_id)


def _pause(failures: int) -> timedelta:
    return min(timedelta(seconds=15 * 2 ** min(failures, 10)), timedelta(hours=1))


def _build(state: IndexState, held: QuerySet[IndexState]) -> str:
    """Stores a build where something changed; the reason when vectors are wanting."""
    portfolio = Portfolio.objects.filter(pk=state.pk, deleted_at=None).first()
    if portfolio is None:
        IndexBuild.objects.filter(portfolio_id=state.pk).delete()
        return ""
    docs = building.current_documents(portfolio)
    space = building.space_of(state.space)
    before = IndexBuild.objects.filter(portfolio=portfolio, is_active=True).first()
    current = before.space if before and building.is_same(before, docs) else ""
    if current == space:
        return ""
    vectors, error = building.vectors_for(docs, space, before)
    if current != vectors.space:
        with transaction.atomic():
            if held.select_for_update().exists():  # else another worker has it by now
                building.store(portfolio, docs, vectors)
    return error
