"""Tells workers that something waits. The rows are the queue; a lost message costs seconds."""

from __future__ import annotations

import logging
import uuid
from typing import Final

from redis.exceptions import RedisError

from chat.events.log import redis
from chat.models import Run
from futura.celery import send_job
from futura.statements import NOW, update

log = logging.getLogger(__name__)

PERFORM: Final = "chat.perform_run"
STOP_CHANNEL: Final = "chat:stop"


def worker_for(run_id: uuid.UUID, *, is_new: bool = False) -> None:
    """Asks a worker to look at a run; when the broker is away, the sweep does it later.

    The sweep counts a new run as announced when it was made, so that nobody has to write it down.
    """
    if send_job(PERFORM, str(run_id), queue="turns") and not is_new:
        update(Run, {"pk": run_id}, enqueued_at=NOW)


def stop(run_id: uuid.UUID) -> None:
    """Tells the worker of a run to stop at once; its heartbeat finds out anyway."""
    try:
        redis().publish(STOP_CHANNEL, str(run_id))
    except RedisError as error:
        log.warning("stop of run %s not announced: %s", run_id, error)
