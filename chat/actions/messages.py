"""Sending a message: once per client id, within the rates, queued behind what is at work."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from chat import rates
from chat.actions.writing import add_message, announce, news_of, refuse_closed
from chat.identity import Identity
from chat.models import Run, Session
from chat.presenters import presenter_for
from futura import limits
from futura.errors import NotFound


def send_message(
    *,
    identity: Identity,
    session: Session,
    text: str,
    client_id: uuid.UUID | None = None,
    parts: Sequence[Mapping[str, Any]] = (),
) -> Run:
    """Stores a message and queues its run, in one transaction; the same client id only once.

    A message sent while an answer is being made waits visibly and is taken up in order.
    Raises NotFound for strangers, BadInput/TooLong for the text, TooMany over the rates,
    Conflict when the conversation is closed for good.
    """
    if not identity.owns(session.participant_id):
        raise NotFound
    cleaned = limits.required_text(
        text, limit=presenter_for(session.kind).message_chars, field="text"
    )
    known = _sent_before(session, client_id)
    if known is not None:
        return known
    rates.check(limits.SEND, identity)
    with transaction.atomic():
        locked = Session.objects.select_for_update().get(pk=session.pk)
        known = _sent_before(locked, client_id)  # a resend may have waited for the lock
        if known is not None:
            return known
        refuse_closed(locked)
        waits = rates.refuse_too_many_runs(locked)
        message = add_message(locked, cleaned, client_id, parts, waits=waits)
        run = Run.objects.create(session=locked, message=message)
        locked.draft = ""
        locked.save(update_fields=["draft", "updated_at"])
        announce(locked.pk, *news_of(message, run), run=run)
    return run


def _sent_before(session: Session, client_id: uuid.UUID | None) -> Run | None:
    if client_id is None:
        return None
    runs = Run.objects.filter(session=session, message__client_id=client_id)
    return runs.order_by("created_at").last()
