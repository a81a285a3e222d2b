"""What people say about an answer: good or not, why, and that they think otherwise now."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from chat import rates
from chat.actions.writing import announce, refuse_closed
from chat.events.kinds import Reference
from chat.identity import Identity
from chat.models import Feedback, Message, Session
from chat.presenters import presenter_for
from chat.queries import message_for
from futura import limits
from futura.errors import BadInput, Conflict, TooLong

COMMENT_CHARS: Final = 1_000


def rate_message(
    *,
    identity: Identity,
    message_id: uuid.UUID,
    rating: str,
    reasons: Sequence[str] = (),
    comment: str = "",
) -> Feedback:
    """Keeps what a person thinks of an answer; said again, it replaces what they said before.

    `reasons` are codes of the session kind's presenter. Raises NotFound, BadInput, TooLong,
    TooMany, and Conflict for what is no finished answer or was replaced meanwhile.
    """
    message = message_for(identity, message_id)
    if rating not in Feedback.Rating.values:
        raise BadInput(_("Rate the reply as good or not good."), field="rating")
    kept = _reasons(message, reasons)
    said = _comment(comment)
    rates.check(limits.SEND, identity)
    with transaction.atomic():
        session = _session_of(message)
        feedback, _is_new = Feedback.objects.update_or_create(
            message=message,
            participant_id=session.participant_id,
            defaults={"rating": rating, "reasons": kept, "comment": said},
        )
        announce(session.pk, Reference("message", str(message.pk)))
    return feedback


def withdraw_rating(*, identity: Identity, message_id: uuid.UUID) -> None:
    """Forgets what a person said about an answer; nothing happens when they said nothing.

    Raises NotFound, TooMany, Conflict.
    """
    message = message_for(identity, message_id)
    rates.check(limits.SEND, identity)
    with transaction.atomic():
        session = _session_of(message)
        Feedback.objects.filter(message=message, participant=session.participant_id).delete()
        announce(session.pk, Reference("message", str(message.pk)))


def _session_of(message: Message) -> Session:
    """The session, locked. Raises Conflict when this is not an answer that can be rated."""
    session = Session.objects.select_for_update().get(pk=message.session_id)
    refuse_closed(session)
    message.refresh_from_db()
    if message.superseded_at is not None:
        raise Conflict(_("This reply has been replaced."))
    is_open = message.status in (Message.Status.STREAMING, Message.Status.QUEUED)
    if message.role != Message.Role.ASSISTANT or is_open:
        raise Conflict(_("Only a complete reply can be rated."))
    return session


def _reasons(message: Message, codes: Sequence[str]) -> list[str]:
    known = presenter_for(message.session.kind).reasons
    if not set(codes) <= set(known):
        raise BadInput(_("This reason is not on the list."), field="reasons")
    return [code for code in known if code in codes]


def _comment(text: str) -> str:
    cleaned = limits.storable(text).strip()
    if len(cleaned) > COMMENT_CHARS:
        raise TooLong(limit=COMMENT_CHARS, length=len(cleaned), field="comment")
    return cleaned
