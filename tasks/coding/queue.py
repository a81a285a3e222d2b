"""The queue of the matches: workers are told of lists, and asked for hands when more waits.

The rows are the queue. What nobody was told of in time is worked off by hands that the sweep asks
for: each worker gives a fixed part of its threads and no more, so that whoever waits for a list
now finds a free one. A worker that is killed leaves leases that fall silent; the next takes them.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from django.db import connection
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from futura.celery import send_job
from futura.durable import ANNOUNCED_FOR, SILENT_FOR
from futura.llm.client import Llm
from tasks.coding import matching, statements
from tasks.coding.run import PIPELINE
from tasks.models import TaskMatch

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


def announce_matches(response_id: uuid.UUID, count: int = 1) -> None:
    """Asks workers to look up what waits in a response: as many as so many tasks are worth."""
    if _is_left.get():
        return
    for _worker in range(min(MOST, -(-count // EACH))):
        send_job(MATCH, str(response_id))


def sweep() -> int:
    """Has taken up again what waits without a living worker; how many lists and matches."""
    return PIPELINE.sweep() + _sweep_matches()


def _sweep_matches() -> int:
    """Asks for as many hands as what waits is worth; the queue holds a few short words at most."""
    waiting = TaskMatch.objects.filter(
        Q(lookup=None, updated_at__lt=timezone.now() - ANNOUNCED_FOR)
        | Q(lookup__seen_at__lt=Now() - SILENT_FOR),
        status=TaskMatch.Status.PENDING,
        deleted_at=None,
    )
    count = len(waiting.values_list("pk")[: HANDS * EACH])
    for _hand in range(-(-count // EACH)):  # nobody minds when these words grow old
        send_job(BACKLOG, expires_s=ANNOUNCED_FOR.total_seconds())
    return count


def look_up(*response_ids: uuid.UUID) -> int:
    """Looks up what waits in some lists, and has translated what they show; how many results."""
    written = matching.match_responses(*response_ids)
    for response_id in response_ids:
        statements.translate_statements(response_id)
    return written


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
        new = look_up(*response_ids)
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
