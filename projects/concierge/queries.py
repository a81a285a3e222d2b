"""Reads of conversations with the concierge: the running one, and the door from an id to one."""

from __future__ import annotations

import datetime as dt
import uuid

from django.utils import timezone

from chat.identity import Identity
from chat.models import OPEN, Message, Run, Session
from chat.queries import session_for
from futura.errors import NotFound
from projects.concierge.state import KIND


def current_session(identity: Identity) -> Session | None:
    """The person's running conversation: the newest that is neither put away nor thrown out."""
    own = Session.objects.filter(
        participant_id__in=identity.participant_ids, kind=KIND, archived_at=None, deleted_at=None
    )
    return own.order_by("-created_at").first() if identity.participant_ids else None


def concierge_session_for(identity: Identity, session_id: uuid.UUID) -> Session:
    """The caller's own conversation with the concierge. NotFound for others and other kinds."""
    session = session_for(identity, session_id)
    if session.kind != KIND:
        raise NotFound
    return session


def is_untouched(session: Session) -> bool:
    """Whether its person has said nothing in it yet. One query."""
    return not Message.objects.filter(session=session, role=Message.Role.PERSON).exists()


def is_greeted(session: Session, today: dt.date | None = None) -> bool:
    """Whether today's greeting is there, or on its way. One query at most."""
    day = (today or timezone.localdate()).isoformat()
    return session.state.get("greeted_on") == day or open_greeting(session) is not None


def open_greeting(session: Session) -> Run | None:
    return Run.objects.filter(session=session, message=None, status__in=OPEN).first()
