"""Works through lookups that wait by the thousand, in some of a worker's threads only.

The rows are the queue. While more wait than the sweep tells of one by one, it asks for hands every
few seconds; each worker gives a fixed part of its threads and no more, so that whoever waits for a
list now finds a free one. A worker that is killed leaves leases that fall silent, and the next
takes them up.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.db import connection

from futura.llm.client import Llm
from tasks.coding import matching
from tasks.coding.heartbeat import SILENT_FOR

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
        response_ids = _next(without=in_vain, newest=rounds % 2 == 0)
        if not response_ids:
            break
        new = matching.match_responses(*response_ids)
        if not new:  # another has them, or they change all the time
            in_vain += response_ids
        written += new
        rounds += 1
    return written


def _next(*, without: list[uuid.UUID], newest: bool) -> list[uuid.UUID]:
    """Lists with matches that wait and nobody has; those that come first wait longest, or least.

    Several hands look at once: each takes others of the first few, as chance has it.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            _NEXT.format(direction="DESC" if newest else "ASC"),
            {
                "silent": SILENT_FOR.total_seconds(),
                "without": without,
                "seen": SEEN,
                "lists": LISTS,
            },
        )
        return [response_id for (response_id,) in cursor.fetchall()]


_NEXT: Final = """
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
