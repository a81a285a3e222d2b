"""The queue of the coding: workers are told what waits, the sweep finds what nobody is making.

The rows are the queue; a call that is lost is swept. While more matches wait than the sweep tells
of one by one, it asks for hands every few seconds: each worker gives a fixed part of its threads
and no more, so that whoever waits for a list now finds a free one. A worker that is killed leaves
leases that fall silent, and the next takes them up.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from django.db import connection, transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from futura import locks
from futura.celery import send_job
from futura.llm.client import Llm
from tasks.coding import matching
from tasks.coding.heartbeat import SILENT_FOR
from tasks.coding.run import RUNNING
from tasks.models import Lookup, SurveyResponse, TaskMatch

PROCESS: Final = "tasks.process_response"
MATCH: Final = "tasks.match_response"
BACKLOG: Final = "tasks.match_backlog"
HANDS: Final = 8  # asked for at a time; who has none to give says no at once
EACH: Final = 8  # tasks that are worth a worker of their own
MOST: Final = 4  # workers on one list
_is_left: ContextVar[bool] = ContextVar("matches are left to the sweep", default=False)


@contextmanager
def left_to_the_sweep() -> Iterator[None]:
    """For whoever writes lists by the thousand: nobody is told of what waits in them.

    Otherwise whoever waits for one list now would wait behind a queue of all these.
    """
    before = _is_left.set(True)
    try:
        yield
    finally:
        _is_left.reset(before)


def announce_response(response_id: uuid.UUID) -> None:
    send_job(PROCESS, str(response_id))


def announce_matches(response_id: uuid.UUID, count: int = 1) -> None:
    """Asks workers to look up what waits in a response: as many as so many tasks are worth."""
    if _is_left.get():
        return
    for _worker in range(min(MOST, -(-count // EACH))):
        send_job(MATCH, str(response_id))


# What nobody is making ---------------------------------------------------------------------------
WAITING_FOR: Final = timedelta(seconds=10)
BATCH: Final = 200
Waiting: TypeAlias = tuple[uuid.UUID, uuid.UUID, uuid.UUID | None]  # match, response, lease


def sweep() -> int:
    """Announces again what waits without a living worker; how many.

    When more matches wait than `BATCH`, workers are asked for threads to work them off instead of
    being told of each list: the queue holds a few short words, whatever waits.
    """
    now = timezone.now()
    with transaction.atomic():
        if not locks.claim("sweep of the coding"):
            return 0
        abandoned = Q(lease=None, updated_at__lt=now - WAITING_FOR) | Q(
            lease__isnull=False, heartbeat_at__lt=Now() - SILENT_FOR
        )
        responses = list(
            SurveyResponse.objects.filter(abandoned, step__in=RUNNING).values_list("pk", flat=True)[
                :BATCH
            ]
        )
        # touched, so that the next sweeps leave a busy worker some time
        SurveyResponse.objects.filter(pk__in=responses, lease=None).update(updated_at=now)
        waiting = _waiting_matches(now)
        is_backlog = len(waiting) > BATCH
        lists = {} if is_backlog else _told(waiting, now)
    for response_id in responses:
        announce_response(response_id)
    for response_id, count in lists.items():
        announce_matches(response_id, count)
    if is_backlog:
        for _hand in range(HANDS):  # nobody minds when these words grow old
            send_job(BACKLOG, expires_s=WAITING_FOR.total_seconds())
    return len(responses) + len(waiting)


def _waiting_matches(now: datetime) -> list[Waiting]:
    """Matches that wait without a worker, oldest first: at most one more than `BATCH`."""
    abandoned = (
        Q(lookup=None, updated_at__lt=now - WAITING_FOR)
        | Q(lookup__lease=None, lookup__seen_at__lt=now - WAITING_FOR)
        | Q(lookup__lease__isnull=False, lookup__seen_at__lt=Now() - SILENT_FOR)
    )
    return list(
        TaskMatch.objects.filter(abandoned, status=TaskMatch.Status.PENDING, deleted_at=None)
        .order_by("created_at")
        .values_list("pk", "task__response_id", "lookup__lease")[: BATCH + 1]
    )


def _told(waiting: Sequence[Waiting], now: datetime) -> dict[uuid.UUID, int]:
    """How many of them each response has; they are noted as told of."""
    lookups = [
        Lookup(match_id=pk, seen_at=now) for pk, _response, lease in waiting if lease is None
    ]
    Lookup.objects.bulk_create(
        lookups, update_conflicts=True, unique_fields=["match"], update_fields=["seen_at"]
    )
    return Counter(response_id for _pk, response_id, _lease in waiting)


# What waits by the thousand -----------------------------------------------------------------------
HANDS_BY_MODEL: Final = 4  # of a worker's eight threads: they wait for the model
HANDS_BY_RULES: Final = 2  # they need the processor, and so do pages
LONGEST_S: Final = 300.0
SEEN: Final = 1_000  # matches looked at to find lists to go on with
LISTS: Final = 24  # worked on together: some hundred tasks in one pass

_ending = threading.Event()
_lock = threading.Lock()
_busy = 0


def stop() -> None:
    """The worker is about to end: what is being looked up is finished, nothing new begun."""
    _ending.set()


def work_off(*, longest_s: float = LONGEST_S) -> int:
    """Looks up what waits, list by list, the newest and the oldest in turns; how many results.

    Returns at once when this worker gives enough threads already.
    """
    with _hand() as is_free:
        return _work_off(time.monotonic() + longest_s) if is_free else 0


@contextmanager
def _hand() -> Iterator[bool]:
    """One of the threads that a worker gives; False when all of them are at it."""
    global _busy
    most = HANDS_BY_MODEL if Llm().is_configured else HANDS_BY_RULES
    with _lock:
        is_free = _busy < most
        _busy += is_free
    try:
        yield is_free
    finally:
        with _lock:
            _busy -= is_free


def _work_off(until: float) -> int:
    written, rounds = 0, 0
    in_vain: list[uuid.UUID] = []
    while not _ending.is_set() and time.monotonic() < until:
        response_ids = _next_lists(without=in_vain, newest=rounds % 2 == 0)
        if not response_ids:
            break
        new = matching.match_responses(*response_ids)
        if not new:  # another has them, or they change all the time
            in_vain += response_ids
        written += new
        rounds += 1
    return written


def _next_lists(*, without: list[uuid.UUID], newest: bool) -> list[uuid.UUID]:
    """Lists with matches that wait and nobody has; those that come first wait longest, or least.

    Several hands look at once: each takes others of the first few, as chance has it.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            _NEXT_LISTS.format(direction="DESC" if newest else "ASC"),
            {
                "silent": SILENT_FOR.total_seconds(),
                "without": without,
                "seen": SEEN,
                "lists": LISTS,
            },
        )
        return [response_id for (response_id,) in cursor.fetchall()]


_NEXT_LISTS: Final = """
SELECT response_id FROM (
    SELECT task.response_id
    FROM tasks_taskmatch AS match
    JOIN tasks_worktask AS task ON task.id = match.task_id
    LEFT JOIN tasks_lookup AS had ON had.match_id = match.id
    WHERE match.status = 'pending' AND match.deleted_at IS NULL
        AND (had.lease IS NULL OR had.seen_at < statement_timestamp() - %(silent)s * interval '1 s')
        AND NOT task.response_id = ANY(%(without)s::uuid[])
    ORDER BY match.created_at {direction}
    LIMIT %(seen)s
) AS first
GROUP BY response_id ORDER BY random() LIMIT %(lists)s
"""
