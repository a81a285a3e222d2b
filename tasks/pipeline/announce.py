"""Tells workers that a response or a match waits; the rows are the queue, a lost call is swept."""

from __future__ import annotations

import logging
import uuid
from typing import Final

from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from futura.celery import app

log = logging.getLogger(__name__)

PROCESS: Final = "tasks.process_response"
MATCH: Final = "tasks.match_response"
EACH: Final = 8  # tasks that are worth a worker of their own
MOST: Final = 4  # workers on one list


def response(response_id: uuid.UUID) -> None:
    """Asks a worker to run the pipeline of a response."""
    _send(PROCESS, response_id)


def matches(response_id: uuid.UUID, count: int = 1) -> None:
    """Asks workers to look up what waits in a response: as many as so many tasks are worth."""
    for _worker in range(min(MOST, -(-count // EACH))):
        _send(MATCH, response_id)


def _send(name: str, row_id: uuid.UUID) -> None:
    try:
        app.send_task(name, args=[str(row_id)], queue="jobs", retry=False)
    except (OperationalError, RedisError, OSError) as error:
        log.warning("%s %s not announced: %s", name, row_id, error)
