"""What people do to a whole conversation: start it, keep a draft in it, claim it."""

from __future__ import annotations

import uuid
from typing import Final

from django.db import transaction
from django.utils import timezone
from pydantic import BaseModel

from chat.actions.writing import add_message, announce, news_of
from chat.identity import Identity, attach_to_user
from chat.models import Participant, Run, Session
from chat.presenters import presenter_for
from futura import limits
from futura.errors import NotFound, SignInNeeded

DRAFT_CHARS: Final = 60_000  # a draft may be too long to send; it must not be lost for that


def start_session(
    *,
    participant: Participant,
    kind: str,
    state: BaseModel,
    title: str = "",
    first_text: str | None = None,
    first_client_id: uuid.UUID | None = None,
) -> Session:
    """A new session with its first run queued: the opening, or the answer to `first_text`."""
    text = None
    if first_text is not None:
        limit = presenter_for(kind).message_chars
        text = limits.required_text(first_text, limit=limit, field="text")
    with transaction.atomic():
        session = Session.objects.create(
            participant=participant,
            kind=kind,
            title=title[:200],
            state=state.model_dump(mode="json", by_alias=True),
        )
        message = None
        if text is not None:
            message = add_message(session, text, first_client_id, (), waits=False)
        run = Run.objects.create(session=session, message=message)
        announce(session.pk, *news_of(message, run), run=run)
    return session


def save_draft(*, identity: Identity, session: Session, text: str) -> None:
    """Keeps text that was typed and not sent, silently cut at a generous length."""
    if not identity.owns(session.participant_id):
        raise NotFound
    kept = text.replace("\x00", "")[:DRAFT_CHARS]
    Session.objects.filter(pk=session.pk).update(draft=kept)


def claim(*, identity: Identity) -> bool:
    """Moves what this browser made into the signed-in account; its cookie is worthless after.

    False when there was nothing to claim. Raises SignInNeeded.
    """
    if identity.user_id is None:
        raise SignInNeeded
    if identity.cookie_participant_id is None:
        return False
    claimed = attach_to_user(
        participant_id=identity.cookie_participant_id,
        user_id=identity.user_id,
        now=timezone.now(),
    )
    identity.forget_cookie()
    return claimed
