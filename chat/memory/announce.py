"""Asks a worker for a summary; the sweep repeats what got lost."""

from __future__ import annotations

import logging
import uuid
from functools import partial
from typing import Final, Literal

from django.db import transaction
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from futura.celery import app

log = logging.getLogger(__name__)

SUMMARISE: Final = "chat.summarise"
Reason = Literal["over_budget", "inactive", "ended", "request"]


def summary(session_id: uuid.UUID, reason: Reason) -> bool:
    """Queues a summary; False when the broker is away."""
    try:
        app.send_task(SUMMARISE, args=[str(session_id), reason], queue="jobs", retry=False)
    except (OperationalError, RedisError, OSError) as error:
        log.warning("summary of session %s not announced: %s", session_id, error)
        return False
    return True


def on_commit(session_id: uuid.UUID, reason: Reason) -> None:
    """Queues a summary when the transaction has been committed."""
    transaction.on_commit(partial(summary, session_id, reason), robust=True)
