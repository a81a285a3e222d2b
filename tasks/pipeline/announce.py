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
MATCH: Final = "tasks.match_task"


def response(response_id: uuid.UUID) -> None:
    """Asks a worker to run the pipeline of a response."""
    _send(PROCESS, response_id)


def match(task_id: uuid.UUID) -> None:
    """Asks a worker to look a task up in the catalogue."""
    _send(MATCH, task_id)


def _send(name: str, row_id: uuid.UUID) -> None:
    try:
        app.send_task(name, args=[str(row_id)], queue="jobs", retry=False)
    except (OperationalError, RedisError, OSError) as error:
        log.warning("%s %s not announced: %s", name, row_id, error)
