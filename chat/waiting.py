"""Waiting for a run to be over, on the log: neither a thread nor a connection is held."""

from __future__ import annotations

import asyncio
import time
import uuid
from typing import Final

from channels.db import database_sync_to_async

from chat.events.follow import Batch, follow
from chat.events.kinds import Reference
from chat.models import Run
from futura.errors import Unavailable

LOOK_S: Final = 5.0  # how often the row itself is looked at, should an event be missing


class NoAnswer(Unavailable):
    """A run is over without an answer; programs are told the conversation that has the message."""

    def __init__(self, run: Run) -> None:
        super().__init__(run.error_text)
        self.details = {"sessionId": str(run.session_id)}


def _run(run_id: uuid.UUID) -> Run:
    return Run.objects.select_related("session", "message", "reply").get(pk=run_id)


async def wait_for_run(run_id: uuid.UUID, timeout_s: float) -> Run:
    """The run as soon as it is over, or as it stands when the time is up. Run.DoesNotExist."""
    look = database_sync_to_async(_run, thread_sensitive=False)
    run: Run = await look(run_id)
    until = time.monotonic() + timeout_s
    async with follow(run.session_id) as place:
        await place.seek_end()
        run = await look(run_id)
        while run.is_open and (left_s := until - time.monotonic()) > 0:
            batch = await place.batch(min(LOOK_S, left_s))
            if batch.is_lost:
                await asyncio.sleep(min(0.5, left_s))
                await place.seek_end()
            elif batch.entries and not _is_about(batch, run_id):
                continue
            run = await look(run_id)
    return run


def _is_about(batch: Batch, run_id: uuid.UUID) -> bool:
    events = (entry.event for entry in batch.entries)
    return any(isinstance(event, Reference) and event.id == str(run_id) for event in events)
