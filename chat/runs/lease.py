"""The right to work on a run: taken by one conditional update, needed by every later write."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final

from django.db import connection, transaction
from django.db.models.functions import Now
from redis.exceptions import RedisError

from chat import events, hot
from chat.events.kinds import Reference
from chat.events.log import redis
from chat.models import Message, Run, Session
from chat.zones import Place, place_in
from futura.celery import wake

log = logging.getLogger(__name__)

PERFORM: Final = "chat.perform_run"
STOP_CHANNEL: Final = "chat:stop"


def wake_worker(run_id: uuid.UUID, *, is_new: bool = False, after: str = "") -> None:
    """Asks a worker to look at a run; when the broker is away, the sweep does it later.

    The sweep counts a new run as announced when it was made, so that nobody has to write it down.
    `after` is a place in the log before all that the run will say, where one is known.
    """
    if wake(PERFORM, str(run_id), after) and not is_new:
        Run.objects.filter(pk=run_id).update(enqueued_at=Now())


def tell_worker_to_stop(run_id: uuid.UUID) -> None:
    """Tells the worker of a run to stop at once; its heartbeat finds out anyway."""
    try:
        redis().publish(STOP_CHANNEL, str(run_id))
    except RedisError as error:
        log.warning("stop of run %s not announced: %s", run_id, error)


class LeaseLost(Exception):
    """The run was taken away (reaped, or its session deleted): nothing more may be written."""


@dataclass(frozen=True)
class Claim:
    """A run that this worker may perform, with its session and messages as they stood."""

    run_id: uuid.UUID
    lease: uuid.UUID
    session: Session
    message: Message | None
    reply: Message
    place: Place


def claim(run_id: uuid.UUID, lease: uuid.UUID, after: str = "") -> Claim | None:
    """Takes a queued run under a new lease and opens its reply.

    None when it is not queued any more, or not this session's turn: a second delivery of the
    same job is harmless. Asked again with the lease that has it already, it gives the same claim.
    Nothing is told yet: the first thing that the run does tells that it began. `after` as in
    `wake_worker`; where it is empty, the log is asked for its end.
    """
    with transaction.atomic():
        locked = hot.session_of_run(run_id, lease)
        if locked is None:
            return None
        session, owner = locked
        begin = after or str(events.tail(session.pk) or "")  # all that the reply says comes later
        claimed = hot.claim(run_id, lease, begin)
        if claimed is None:
            return None
        run, message = claimed.run, claimed.message
        if claimed.has_waited and message is not None:  # it comes to its place now
            moved = Reference("message", str(message.pk))
            transaction.on_commit(partial(events.append, session.pk, moved))
        reply = claimed.reply or run.reply
        if reply is None:
            raise LeaseLost
    return Claim(run_id, lease, session, message, reply, place_in(*owner))


@contextmanager
def held(
    run_id: uuid.UUID, lease: uuid.UUID, *, locking: uuid.UUID | None = None
) -> Iterator[Session | None]:
    """A transaction that holds only under the lease, and is a sign of life.

    Gives the session `locking`, locked, when asked to. Raises LeaseLost, and then nothing inside
    is written.
    """
    with transaction.atomic():
        session = hot.locked_session(locking) if locking is not None else None
        if not hot.Holder(run_id, lease).renew():
            raise LeaseLost
        yield session


def release() -> None:
    """Gives this thread's connection back to the pool, so that waiting does not hold it."""
    if not connection.in_atomic_block:
        connection.close()


def wake_next(session_id: uuid.UUID) -> None:
    """On commit of a finished run: the next one may go."""
    waiting = Run.objects.filter(session_id=session_id, status=Run.Status.QUEUED)
    following = waiting.order_by("created_at").values_list("pk", flat=True).first()
    if following is not None:
        wake_worker(following)
