"""What people do to the memory of a conversation: have it brought up to date."""

from __future__ import annotations

from chat import rates
from chat.identity import Identity
from chat.memory import announce
from chat.models import Session
from futura import limits
from futura.errors import NotFound, Unavailable


def request_summary(*, identity: Identity, session: Session) -> None:
    """Queues a summary of all that was said; asked twice, the second finds nothing to do.

    Raises NotFound for strangers, TooMany over the rate, Unavailable while nothing can be queued.
    """
    if not identity.owns(session.participant_id):
        raise NotFound
    rates.check(limits.SUMMARISE, identity)
    if not announce.summary(session.pk, "request"):
        raise Unavailable
