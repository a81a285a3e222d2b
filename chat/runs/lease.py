"""The right to work on a run: taken by one conditional update, needed by every later write."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from chat import events, wake
from chat.events.kinds import Reference
from chat.models import OPEN, Message, Run, Session
from chat.queries import next_seq


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


def claim(run_id: uuid.UUID) -> Claim | None:
    """Takes a queued run and opens its reply.

    None when it is not queued any more, or not this session's turn: a second delivery of the
    same job is harmless.
    """
    lease = uuid.uuid4()
    waiting = Run.objects.filter(pk=run_id, status=Run.Status.QUEUED)
    run = waiting.select_related("message").first()
    if run is None:
        return None
    begin = events.tail(run.session_id)  # all the text of the reply comes after this
    with transaction.atomic():
        session = Session.objects.select_for_update().get(pk=run.session_id)
        if not _take(run_id, lease, session):
            return None
        message = _take_up(run.message)
        reply = Message.objects.create(
            session=session,
            seq=next_seq(session.pk),
            role=Message.Role.ASSISTANT,
            status=Message.Status.STREAMING,
        )
        Run.objects.filter(pk=run_id).update(reply=reply, log_cursor=str(begin or ""))
        references = [Reference("message", str(message.pk))] if message else []
        transaction.on_commit(
            partial(events.append, session.pk, *references, Reference("run", str(run_id)))
        )
    return Claim(run_id, lease, session, message, reply)


def _take(run_id: uuid.UUID, lease: uuid.UUID, session: Session) -> bool:
    before = Q(status=Run.Status.RUNNING) | Q(
        status=Run.Status.QUEUED, created_at__lt=OuterRef("created_at")
    )
    in_front = Run.objects.filter(before, session=OuterRef("session"), status__in=OPEN)
    now = timezone.now()
    mine = Run.objects.filter(~Exists(in_front), pk=run_id, status=Run.Status.QUEUED)
    taken = mine.update(
        status=Run.Status.RUNNING,
        lease=lease,
        attempt=F("attempt") + 1,
        started_at=now,
        heartbeat_at=now,
        state_before=session.state,
    )
    return bool(taken)


def _take_up(message: Message | None) -> Message | None:
    """A message that waited takes its place after everything said meanwhile."""
    if message is not None and message.status == Message.Status.QUEUED:
        message.status = Message.Status.COMPLETE
        message.seq = next_seq(message.session_id)
        message.save(update_fields=["status", "seq"])
    return message


@contextmanager
def held(run_id: uuid.UUID, lease: uuid.UUID, **changes: Any) -> Iterator[None]:
    """A transaction that holds only under the lease; writes `changes` to the run.

    Raises LeaseLost, and then nothing inside is written. Gives the connection back.
    """
    try:
        with transaction.atomic():
            renew(run_id, lease, **changes)
            yield
    finally:
        release()


def renew(run_id: uuid.UUID, lease: uuid.UUID, **changes: Any) -> None:
    """Writes `changes` and a heartbeat to the run. Raises LeaseLost."""
    mine = Run.objects.filter(pk=run_id, lease=lease, status=Run.Status.RUNNING)
    if not mine.update(heartbeat_at=timezone.now(), **changes):
        raise LeaseLost


def release() -> None:
    """Gives this thread's connection back to the pool, so that waiting does not hold it."""
    if not connection.in_atomic_block:
        connection.close()


def next_in_line(session_id: uuid.UUID) -> uuid.UUID | None:
    """The oldest queued run of a session."""
    waiting = Run.objects.filter(session_id=session_id, status=Run.Status.QUEUED)
    return waiting.order_by("created_at").values_list("pk", flat=True).first()


def wake_next(session_id: uuid.UUID) -> None:
    """On commit of a finished run: the next one may go."""
    following = next_in_line(session_id)
    if following is not None:
        wake.worker_for(following)
