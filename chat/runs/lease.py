"""The right to work on a run: taken by one conditional update, needed by every later write."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import Q
from redis.exceptions import RedisError

from chat import events
from chat.events.kinds import Reference
from chat.events.log import redis
from chat.models import Message, Run, Session
from chat.queries import NEXT_SEQ, locked_session, next_seq
from futura.celery import send_job
from futura.statements import NOW, SOON, Prepared, insert, rows, update

log = logging.getLogger(__name__)

PERFORM: Final = "chat.perform_run"
STOP_CHANNEL: Final = "chat:stop"


def wake_worker(run_id: uuid.UUID, *, is_new: bool = False) -> None:
    """Asks a worker to look at a run; when the broker is away, the sweep does it later.

    The sweep counts a new run as announced when it was made, so that nobody has to write it down.
    """
    if send_job(PERFORM, str(run_id), queue="turns") and not is_new:
        update(Run, {"pk": run_id}, enqueued_at=NOW)


def tell_worker_to_stop(run_id: uuid.UUID) -> None:
    """Tells the worker of a run to stop at once; its heartbeat finds out anyway."""
    try:
        redis().publish(STOP_CHANNEL, str(run_id))
    except RedisError as error:
        log.warning("stop of run %s not announced: %s", run_id, error)


_OURS: Final = Prepared(
    lambda pk, lease: Run.objects.only("session_id").filter(
        Q(status=Run.Status.QUEUED) | Q(status=Run.Status.RUNNING, lease=lease), pk=pk
    )
)
_TAKEN: Final = Prepared(lambda pk, lease: Run.objects.filter(pk=pk, lease=lease))
_NEXT: Final = Prepared(
    lambda session: (
        Run.objects.only("pk")
        .filter(session=session, status=Run.Status.QUEUED)
        .order_by("created_at")[:1]
    )
)
_MESSAGE: Final = Prepared(lambda pk: Message.objects.filter(pk=pk))


# The first in line of a session that is not at work, with a reply to be made in this transaction
# where it has none to go on with. Needs the session's row locked. A claim that a crash of the
# database forgets leaves the run in the queue, for whoever comes next.
_TAKE: Final = f"""
    UPDATE chat_run SET
        status = 'running', lease = %(lease)s, attempt = attempt + 1,
        reply_id = coalesce(reply_id, %(reply)s), log_cursor = %(cursor)s,
        started_at = statement_timestamp(), heartbeat_at = statement_timestamp(),
        state_before = (SELECT state FROM chat_session WHERE id = chat_run.session_id)
    WHERE id = %(run)s AND status = 'queued' AND NOT EXISTS (
        SELECT FROM chat_run other WHERE other.session_id = chat_run.session_id AND (
            other.status = 'running'
            OR other.status = 'queued' AND other.created_at < chat_run.created_at))
    RETURNING {SOON}
"""  # noqa: S608 - a constant


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
    stages_done: Sequence[Mapping[str, Any]] = ()


def claim(run_id: uuid.UUID, lease: uuid.UUID) -> Claim | None:
    """Takes a queued run under a new lease and opens its reply.

    None when it is not queued any more, or not this session's turn: a second delivery of the
    same job is harmless. Asked again with the lease that has it already, it gives the same claim.
    """
    our = _OURS.first(pk=run_id, lease=lease)
    if our is None:
        return None
    session_id = our.session_id
    begin = events.tail(session_id)  # all the text of the reply comes after this
    fresh = uuid.uuid4()
    with transaction.atomic():
        session = locked_session(session_id)
        if session is None:
            return None
        given = {"run": run_id, "lease": lease, "reply": fresh, "cursor": str(begin or "")}
        rows(_TAKE, given)
        run = _TAKEN.first(pk=run_id, lease=lease)
        if run is None or run.status != Run.Status.RUNNING:
            return None
        if run.message_id is not None:
            run.message = _MESSAGE.first(pk=run.message_id)
        # a message that waited comes to its place now; another stands where it is shown
        news = [Reference("run", str(run_id))]
        if run.message is not None and run.message.status == Message.Status.QUEUED:
            news.insert(0, Reference("message", str(run.message.pk)))
            _take_up(run.message)
        is_new = run.reply_id == fresh
        stages_done = () if is_new else _inherited(run)
        reply = _begun(run) if is_new else _taken_over(run)
        transaction.on_commit(partial(events.append, session.pk, *news))
    return Claim(run_id, lease, session, run.message, reply, stages_done)


def _inherited(run: Run) -> Sequence[Mapping[str, Any]]:
    """What a run that goes on with a reply takes over: the stages done; the state before them."""
    if run.cause != Run.Cause.CONTINUE or run.reply is None or run.retry_of is None:
        return ()
    Run.objects.filter(pk=run.pk).update(state_before=run.retry_of.state_before)
    stages: Sequence[Mapping[str, Any]] = run.retry_of.trace
    return stages


def _take_up(message: Message) -> None:
    """A message that waited takes its place after everything said meanwhile."""
    message.status = Message.Status.COMPLETE
    message.seq = next_seq(message.session_id)
    message.save(update_fields=["status", "seq"])


def _begun(run: Run) -> Message:
    reply = Message(
        id=run.reply_id,
        session_id=run.session_id,
        role=Message.Role.ASSISTANT,
        status=Message.Status.STREAMING,
    )
    return insert(reply, seq=NEXT_SEQ)


def _taken_over(run: Run) -> Message:
    reply = run.reply
    if reply is None:
        raise LeaseLost
    reply.status = Message.Status.STREAMING
    reply.save(update_fields=["status"])
    return reply


@contextmanager
def held(
    run_id: uuid.UUID,
    lease: uuid.UUID,
    *,
    locking: uuid.UUID | None = None,
    **changes: Any,
) -> Iterator[Session | None]:
    """A transaction that holds only under the lease; writes `changes` to the run.

    Gives the session `locking`, locked, when asked to. Raises LeaseLost, and then nothing inside
    is written.
    """
    with transaction.atomic():
        session = None
        if locking is not None:
            session = locked_session(locking)
        renew(run_id, lease, **changes)
        yield session


def renew(run_id: uuid.UUID, lease: uuid.UUID, *, soon: bool = False, **changes: Any) -> None:
    """Writes `changes` and a heartbeat to the run, `soon` when that is enough. Raises LeaseLost."""
    claimed = {"pk": run_id, "lease": lease, "status": Run.Status.RUNNING}
    if not update(Run, claimed, soon=soon, **{"heartbeat_at": NOW, **changes}):
        raise LeaseLost


def release() -> None:
    """Gives this thread's connection back to the pool, so that waiting does not hold it."""
    if not connection.in_atomic_block:
        connection.close()


def next_in_line(session_id: uuid.UUID) -> uuid.UUID | None:
    following = _NEXT.first(session=session_id)
    return following.pk if following else None


def wake_next(session_id: uuid.UUID) -> None:
    """On commit of a finished run: the next one may go."""
    following = next_in_line(session_id)
    if following is not None:
        wake_worker(following)
