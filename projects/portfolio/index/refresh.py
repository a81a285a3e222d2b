"""Notes that a portfolio changed since its index was built, and asks a worker to build it again.

The ledger tells it of every committed batch (`changed` in operables.py); the row is the queue, a
lost announcement is swept.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from chat.operations.models import Operation
from chat.operations.registry import operable
from futura.celery import app
from onet.embeddings.encoders import LEXICAL
from projects.portfolio.index import building
from projects.portfolio.models import IndexBuild, IndexState, Portfolio
from tasks.coding.heartbeat import SILENT_FOR

log = logging.getLogger(__name__)

REFRESH: Final = "portfolio.refresh_index"
ANNOUNCED_FOR: Final = timedelta(seconds=10)
BATCH: Final = 200
_LOCK: Final = 0x46757470  # any fixed number, one per periodic job


def wanted(portfolio_id: uuid.UUID) -> None:
    """After the commit: what the corpus shows has changed outside the ledger."""
    transaction.on_commit(partial(note, portfolio_id))


def changed(operations: Sequence[Operation]) -> None:
    """After the commit of a batch: the operations on rows of one kind (`Operable.changed`)."""
    entity = operations[0].entity
    ids = {one.entity_id for one in operations}
    if entity != "portfolio":
        rows: Any = operable(entity).model._default_manager.filter(pk__in=ids)
        ids = set(rows.values_list("portfolio_id", flat=True))
    for portfolio_id in ids:
        note(portfolio_id)


def note(portfolio_id: uuid.UUID) -> None:
    """A build is wanted; announced once, however many changes come while it waits."""
    now = timezone.now()
    with transaction.atomic():
        if not Portfolio.objects.filter(pk=portfolio_id).exists():
            return
        IndexState.objects.get_or_create(portfolio_id=portfolio_id)
        state = IndexState.objects.select_for_update().get(pk=portfolio_id)
        is_news = (
            state.wanted_at is None
            or state.announced_at is None
            or state.announced_at < now - ANNOUNCED_FOR
        )
        state.wanted_at, state.retry_at = now, None
        if is_news:
            state.announced_at = now
        state.save(update_fields=["wanted_at", "retry_at", "announced_at"])
    if is_news:
        transaction.on_commit(partial(announce, portfolio_id))


def announce(portfolio_id: uuid.UUID) -> None:
    """Asks a worker to build."""
    try:
        app.send_task(REFRESH, args=[str(portfolio_id)], queue="jobs", retry=False)
    except (OperationalError, RedisError, OSError) as error:
        log.warning("index of %s not announced: %s", portfolio_id, error)


def sweep() -> int:
    """Announces again what waits and nobody builds; how many."""
    now = timezone.now()
    with transaction.atomic():
        if not _alone():
            return 0
        _want_vectors(now)
        due = IndexState.objects.filter(
            Q(wanted_at__isnull=False) | Q(retry_at__isnull=False),
            Q(retry_at=None) | Q(retry_at__lte=now),
            Q(lease=None) | Q(heartbeat_at__lt=Now() - SILENT_FOR),
            Q(announced_at=None) | Q(announced_at__lt=now - ANNOUNCED_FOR),
        )
        ids = list(due.values_list("pk", flat=True)[:BATCH])
        IndexState.objects.filter(pk__in=ids).update(announced_at=now)
        IndexState.objects.filter(pk__in=ids, wanted_at=None).update(wanted_at=now)
    for portfolio_id in ids:
        announce(portfolio_id)
    return len(ids)


def _want_vectors(now: datetime) -> None:
    """Asks for another build of what was built in words alone before there was a model.

    One that failed for want of vectors has its code and is tried again by itself.
    """
    if building.default_space() != LEXICAL:
        IndexState.objects.filter(
            wanted_at=None,
            retry_at=None,
            lease=None,
            code="",
            portfolio__deleted_at=None,
            portfolio__builds__is_active=True,
            portfolio__builds__space=LEXICAL,
        ).update(wanted_at=now)


def _alone() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [_LOCK])
        row = cursor.fetchone()
    return bool(row and row[0])


@dataclass(frozen=True)
class Standing:
    """How the index stands: how old, in which space, whether a change waits, what went wrong."""

    built_at: datetime | None
    checked_at: datetime | None
    space: str
    documents: int
    is_waiting: bool
    code: str = ""
    error: str = ""

    @property
    def is_current(self) -> bool:
        """Visitors are told of the portfolio as it is."""
        return self.built_at is not None and not self.is_waiting


def state_of(portfolio: Portfolio) -> Standing:
    """The index of a portfolio, for its owner. Two queries, three where there is a build."""
    build = IndexBuild.objects.filter(portfolio=portfolio, is_active=True).first()
    state = IndexState.objects.filter(pk=portfolio.pk).first() or IndexState()
    built_at = build.created_at if build else None
    return Standing(
        built_at=built_at,
        checked_at=max(filter(None, (built_at, state.tried_at)), default=None),
        space=build.space if build else "",
        documents=build.documents.count() if build else 0,
        is_waiting=state.wanted_at is not None,
        code=state.code,
        error=state.error,
    )
