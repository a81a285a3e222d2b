"""Conversations with the concierge: the running one, and what is written in one."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from chat import actions as chat_actions, rates
from chat.actions.sessions import announce, events_of, refuse_closed
from chat.hot import locked_to_send
from chat.identity import Identity
from chat.models import OPEN, Message, Participant, Run, Session
from chat.pasted import Ranges
from chat.queries import session_for
from futura import limits
from futura.errors import NotFound
from futura.text import quoted, shortened
from projects.concierge.state import KIND, ConciergeState


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


TITLE_CHARS = 60
NAMED = 8


def begin(
    *,
    participant: Participant,
    text: str = "",
    client_id: uuid.UUID | None = None,
    pasted: Ranges = (),
) -> Session:
    """A new conversation: it begins with what is said, or with a greeting.

    Who begins by saying something is not greeted on top of it. `pasted` are stretches that are not
    the person's own words. Raises BadInput, TooLong.
    """
    return chat_actions.start_session(
        participant=participant,
        kind=KIND,
        state=ConciergeState(greeted_on=timezone.localdate() if text else None),
        title=shortened(text, TITLE_CHARS),
        first_text=text or None,
        first_client_id=client_id,
        first_pasted=pasted,
    )


def say(
    *,
    identity: Identity,
    session: Session | None,
    text: str = "",
    client_id: uuid.UUID | None = None,
    pasted: Ranges = (),
) -> Run:
    """Says something in a conversation; without one it begins with that, or with a greeting.

    Raises NotFound, BadInput, TooLong, TooMany, Conflict.
    """
    if session is not None:
        return chat_actions.send_message(
            identity=identity, session=session, text=text, client_id=client_id, pasted=pasted
        )
    with transaction.atomic():  # what is refused leaves no participant behind
        begun = begin(
            participant=identity.participant(), text=text, client_id=client_id, pasted=pasted
        )
        rates.check(limits.START, identity)
    return Run.objects.filter(session=begun).earliest("created_at")


def tick(*, identity: Identity, session: Session, key: str, picked: Sequence[str]) -> Run:
    """Sends which rows of the list that stands open are meant, by id; other ids are left out.

    Raises NotFound for strangers, TooMany, Conflict.
    """
    pending = ConciergeState.model_validate(session.state).memory.pending
    rows = pending.options if pending is not None and pending.key == key else []
    ticked = [row for row in rows if str(row.id) in set(picked)]
    names = ", ".join(quoted(item.label) for item in ticked[:NAMED])
    text = _("Only these: %(names)s") % {"names": names} if ticked else _("None of these.")
    if len(ticked) > NAMED:
        text += " " + _("and %(n)d more") % {"n": len(ticked) - NAMED}
    part = {"type": "ticked", "key": key, "ids": [str(item.id) for item in ticked], "quiet": True}
    return chat_actions.send_message(identity=identity, session=session, text=text, parts=[part])


def greet(*, identity: Identity, session: Session, again: bool = False) -> Run | None:
    """Has the concierge greet in a conversation, once a day of the person, or `again`.

    None when today's greeting is there. Raises NotFound for strangers, TooMany, Conflict.
    """
    if not identity.owns(session.participant_id):
        raise NotFound
    with transaction.atomic():
        locked = locked_to_send(session.pk)
        if locked is None:
            raise NotFound
        under_way = open_greeting(locked)
        if under_way is not None or (not again and is_greeted(locked)):
            return under_way
        rates.check(limits.SEND, identity)
        refuse_closed(locked)
        rates.refuse_too_many_runs(locked)
        run = Run.objects.create(session=locked)
        announce(locked.pk, *events_of(None, run), run=run)
    return run
