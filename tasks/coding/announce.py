"""Tells workers that a response or a match waits; the rows are the queue, a lost call is swept."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from futura.celery import send_job

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


def response(response_id: uuid.UUID) -> None:
    """Asks a worker to run the pipeline of a response."""
    _send(PROCESS, response_id)


def matches(response_id: uuid.UUID, count: int = 1) -> None:
    """Asks workers to look up what waits in a response: as many as so many tasks are worth."""
    if _is_left.get():
        return
    for _worker in range(min(MOST, -(-count // EACH))):
        _send(MATCH, response_id)


def backlog(*, expires_s: float) -> None:
    """Asks workers for threads to look up thousands; nobody minds when the word grows old."""
    for _hand in range(HANDS):
        _send(BACKLOG, expires_s=expires_s)


def _send(name: str, row_id: uuid.UUID | None = None, *, expires_s: float | None = None) -> None:
    send_job(name, *([] if row_id is None else [str(row_id)]), expires_s=expires_s)
