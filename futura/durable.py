"""Durable work: rows that wait for a worker, who takes one under a lease and shows signs of life.

The rows are the queue, and a message only wakes a worker: the clock sends a lost one again. Who
holds a lease writes only to rows that still have it, so that a worker that stalled and wakes up
writes nothing. Runs of a conversation have their own hot path (`chat.runs`).
"""

from __future__ import annotations

import logging
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any, Final, Generic, TypeVar

from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.models import Model, Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from futura import locks
from futura.celery import send_job

log = logging.getLogger(__name__)

BEAT_S: Final = 5.0
SILENT_FOR: Final = timedelta(seconds=25)
"""Work that has shown no life for so long, by the database's clock, may be taken by another."""
ANNOUNCED_FOR: Final = timedelta(seconds=10)
"""A busy worker is not told of the same row all the time."""
BATCH: Final = 200

RowT = TypeVar("RowT", bound=Model)


class LeaseLost(Exception):
    """Another worker has the row, or it waits anew: nothing more may be written."""


@dataclass(frozen=True)
class Work(Generic[RowT]):
    """One kind of work on rows with the columns `lease` and `heartbeat_at`.

    `waits` are the rows on which something is to be done, whoever does it; `announced` names the
    column that says when a worker was last told of one.
    """

    job: str
    model: type[RowT]
    waits: Q
    announced: str

    @property
    def _rows(self) -> QuerySet[RowT]:
        return self.model._default_manager.filter(self.waits)

    def announce(self, pk: uuid.UUID) -> None:
        """Tells a worker once the transaction is committed."""
        transaction.on_commit(partial(send_job, self.job, str(pk)))

    def perform(
        self, pk: uuid.UUID, work: Callable[[QuerySet[RowT]], None], **changes: Any
    ) -> bool:
        """Has `work` done on the row that its lease picks out, which gets these values with it.

        False when nothing waits there, another has it, or `work` raised LeaseLost.
        """
        lease = uuid.uuid4()
        free = Q(lease=None) | Q(heartbeat_at__lt=Now() - SILENT_FOR)
        if not self._rows.filter(free, pk=pk).update(lease=lease, heartbeat_at=Now(), **changes):
            return False
        held = self.model._default_manager.filter(pk=pk, lease=lease)
        try:
            with beating(held):
                work(held)
        except LeaseLost:
            log.info("%s %s went to another worker", self.job, pk)
            return False
        return True

    def sweep(self) -> int:
        """Announces again what waits without a living worker; how many."""
        now = timezone.now()
        untold = Q(**{self.announced: None}) | Q(**{f"{self.announced}__lt": now - ANNOUNCED_FOR})
        silent = Q(lease__isnull=False, heartbeat_at__lt=Now() - SILENT_FOR)
        with transaction.atomic():
            if not locks.claim(f"sweep of {self.job}"):
                return 0
            keys = list(
                self._rows.filter(Q(lease=None) & untold | silent).values_list("pk", flat=True)[
                    :BATCH
                ]
            )
            swept = self.model._default_manager.filter(pk__in=keys, lease=None)
            swept.update(**{self.announced: now})
        for pk in keys:
            send_job(self.job, str(pk))
        return len(keys)


@contextmanager
def beating(rows: QuerySet[Any], column: str = "heartbeat_at") -> Iterator[None]:
    """While inside, a thread renews that column of these rows, which their lease picks out."""
    over = threading.Event()
    thread = threading.Thread(target=_beat, args=(rows, column, over), name="heart", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _beat(rows: QuerySet[Any], column: str, over: threading.Event) -> None:
    while not over.wait(BEAT_S):
        try:
            rows.update(**{column: Now()})
        except (DatabaseError, InterfaceError) as error:
            log.warning("heartbeat not written: %s", error)
        finally:
            connection.close()
