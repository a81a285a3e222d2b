"""What every action on a conversation shares: adding a message, telling readers and workers."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from django.db import transaction

from chat import events, wake
from chat.events.kinds import Event, Reference
from chat.memory.tokens import count_message
from chat.models import Message, Run, Session
from chat.presenters import presenter_for
from chat.queries import NEXT_SEQ
from futura.errors import Conflict, NotFound
from futura.statements import insert


def refuse_closed(session: Session) -> None:
    """Raises Conflict when the feature says that this conversation does not go on.

    NotFound when it was put into the bin meanwhile.
    """
    if session.deleted_at is not None:
        raise NotFound
    refusal = presenter_for(session.kind).refusal(session)
    if refusal:
        raise Conflict(refusal)


def add_message(
    session: Session,
    text: str,
    client_id: uuid.UUID | None,
    parts: Sequence[Mapping[str, Any]],
    *,
    waits: bool,
) -> Message:
    """A person's message at the end of a session whose row is locked, or new.

    Parts that come with it are marked as `sent`, unlike those that guides add to it later.
    """
    status = Message.Status.QUEUED if waits else Message.Status.COMPLETE
    marked = [{**part, "sent": True} for part in parts]
    message = Message(
        session=session,
        role=Message.Role.PERSON,
        text=text,
        parts=marked,
        token_count=count_message(text, marked),
        status=status,
        client_id=client_id,
    )
    return insert(message, seq=NEXT_SEQ)


def news_of(message: Message | None, run: Run) -> list[Event]:
    """The events that tell readers of a message and its run."""
    news: list[Event] = [Reference("message", str(message.pk))] if message else []
    return [*news, Reference("run", str(run.pk))]


def announce(session_id: uuid.UUID, *news: Event, run: Run | None = None) -> None:
    """On commit: wakes a worker for the run, then tells the log."""
    if run is not None:
        transaction.on_commit(partial(wake.worker_for, run.pk, is_new=True))
    transaction.on_commit(partial(events.append, session_id, *news))
