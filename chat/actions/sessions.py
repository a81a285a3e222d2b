"""What people do to a whole conversation: start, name, put away, throw out and claim it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Final

from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone
from pydantic import BaseModel

from chat import events
from chat.events.kinds import Event, Reference
from chat.events.log import forget
from chat.identity import Identity, attach_to_user
from chat.memory.tokens import count_message
from chat.models import OPEN, Message, Participant, Run, Session
from chat.pasted import Ranges, parts_for
from chat.presenters import presenter_for
from chat.queries import IN_BIN_FOR, next_seq, session_for
from chat.runs import lease
from futura import limits
from futura.characters import closed
from futura.errors import Conflict, NotFound, SignInNeeded
from futura.rows import only


def refuse_closed(session: Session) -> None:
    """Raises Conflict when the feature says that this conversation does not go on.

    NotFound when it was put into the bin meanwhile.
    """
    if session.deleted_at is not None:
        raise NotFound
    refusal = presenter_for(session.kind).refusal(session)
    if refusal:
        raise Conflict(refusal)


def new_message(
    session: Session,
    text: str,
    client_id: uuid.UUID | None,
    parts: Sequence[Mapping[str, Any]],
    *,
    waits: bool,
) -> Message:
    """A person's message, not stored yet.

    Parts that come with it are marked as `sent`, unlike those that guides add to it later.
    """
    marked = [{**part, "sent": True} for part in parts]
    return Message(
        session=session,
        role=Message.Role.PERSON,
        text=text,
        parts=marked,
        token_count=count_message(text, marked),
        status=Message.Status.QUEUED if waits else Message.Status.COMPLETE,
        client_id=client_id,
    )


def add_message(
    session: Session,
    text: str,
    client_id: uuid.UUID | None,
    parts: Sequence[Mapping[str, Any]],
) -> Message:
    """A person's message at the end of a session whose row is locked, or new."""
    message = new_message(session, text, client_id, parts, waits=False)
    message.seq = next_seq(session.pk)
    message.save(force_insert=True)
    return message


def events_of(message: Message | None, run: Run) -> list[Event]:
    changes: list[Event] = [Reference("message", str(message.pk))] if message else []
    return [*changes, Reference("run", str(run.pk))]


def announce(session_id: uuid.UUID, *changes: Event, run: Run | None = None) -> None:
    """On commit: tells the log, then wakes a worker for the run, which tells of itself later."""

    def tell() -> None:
        cursor = events.append(session_id, *changes)
        if run is not None:
            lease.wake_worker(run.pk, is_new=True, after=str(cursor or ""))

    transaction.on_commit(tell)


DRAFT_CHARS: Final = 60_000  # a draft may be too long to send; it must not be lost for that
TITLE_CHARS: Final = 200
PURGED_AT_ONCE: Final = 500


def start_session(
    *,
    participant: Participant,
    kind: str,
    state: BaseModel,
    title: str = "",
    first_text: str | None = None,
    first_client_id: uuid.UUID | None = None,
    first_pasted: Ranges = (),
) -> Session:
    """A new session with its first run queued: the opening, or the answer to `first_text`.

    `first_pasted` are the stretches of that text that are not the person's own words.
    """
    text = None
    if first_text is not None:
        limit = presenter_for(kind).message_chars
        text = limits.required_text(first_text, limit=limit, field="text")
    with transaction.atomic():
        session = Session.objects.create(
            participant=participant,
            kind=kind,
            title=closed(title)[:TITLE_CHARS],
            state=state.model_dump(mode="json", by_alias=True),
        )
        message = None
        if text is not None:
            parts = parts_for(first_text or "", text, first_pasted)
            message = add_message(session, text, first_client_id, parts)
        run = Run.objects.create(session=session, message=message)
        announce(session.pk, *events_of(message, run), run=run)
    return session


def save_draft(*, identity: Identity, session: Session, text: str, pasted: Ranges = ()) -> None:
    """Keeps text that was typed and not sent, silently cut at a generous length, and which
    stretches of it were pasted.
    """
    if not identity.owns(session.participant_id):
        raise NotFound
    label = text.replace("\x00", "")[:DRAFT_CHARS]
    marks = [[start, end] for start, end in pasted]
    Session.objects.filter(pk=session.pk).update(draft=label, draft_pasted=marks)


def rename_session(*, identity: Identity, session_id: uuid.UUID, title: object) -> Session:
    """Gives a conversation another title, in one line. Raises NotFound, BadInput, TooLong."""
    session = session_for(identity, session_id)
    session.title = limits.required_line(title, limit=TITLE_CHARS, field="title")
    # not `save`: looking after the list is nothing new in the talk
    Session.objects.filter(pk=session.pk).update(title=session.title)
    return session


def archive_session(*, identity: Identity, session_id: uuid.UUID) -> Session:
    """Puts a conversation away; it goes on where it is. Twice changes nothing."""
    return _set_archived(identity, session_id, timezone.now())


def unarchive_session(*, identity: Identity, session_id: uuid.UUID) -> Session:
    """Brings a conversation back among the active ones. Twice changes nothing."""
    return _set_archived(identity, session_id, None)


def _set_archived(identity: Identity, session_id: uuid.UUID, at: datetime | None) -> Session:
    session = session_for(identity, session_id)
    if (session.archived_at is None) != (at is None):
        session.archived_at = at
        Session.objects.filter(pk=session.pk).update(archived_at=at)
    return session


def delete_session(*, identity: Identity, session_id: uuid.UUID) -> Session:
    """Puts a conversation into the bin and stops what works in it; gone after `IN_BIN_FOR`.

    Twice changes nothing. Raises NotFound.
    """
    session = session_for(identity, session_id, even_deleted=True)
    with transaction.atomic():
        locked = only(Session.objects.select_for_update().filter(pk=session.pk))
        if locked.deleted_at is None:
            locked.deleted_at = timezone.now()
            Session.objects.filter(pk=locked.pk).update(deleted_at=locked.deleted_at)
            runs = Run.objects.filter(session=locked, status__in=OPEN).select_related("message")
            stopped = [event for run in runs for event in stop(run)]
            announce(locked.pk, *stopped, Reference("ended", str(locked.pk)))
    return locked


def stop(run: Run) -> list[Event]:
    """Ends a run that waits, and asks one that works to end; needs its session's row locked.

    Returns what readers have to be told now: nothing of one that works.
    """
    now, same = timezone.now(), Run.objects.filter(pk=run.pk)
    stopped = {"status": Run.Status.STOPPED, "stop_requested_at": now, "finished_at": now}
    if same.filter(status=Run.Status.QUEUED).update(**stopped):
        # the reply it was to go on with, else the message it was for
        unheard = Q(answered_by=run) if run.reply_id else Q(runs=run)
        Message.objects.filter(unheard).update(status=Message.Status.STOPPED)
        return events_of(run.message, run)
    working = same.filter(status=Run.Status.RUNNING, stop_requested_at__isnull=True)
    working.update(stop_requested_at=now)
    transaction.on_commit(partial(lease.tell_worker_to_stop, run.pk))
    return []


def restore_session(*, identity: Identity, session_id: uuid.UUID) -> Session:
    """Takes a conversation out of the bin, to where it was before. Twice changes nothing."""
    session = session_for(identity, session_id, even_deleted=True)
    if session.deleted_at is not None:
        session.deleted_at = None
        Session.objects.filter(pk=session.pk).update(deleted_at=None)
    return session


def erase_session(*, identity: Identity, session_id: uuid.UUID) -> None:
    """Deletes a conversation and all that hangs on it, for good and at once. Raises NotFound."""
    erase(session_for(identity, session_id, even_deleted=True))


def erase(*sessions: Session) -> None:
    """Deletes conversations for good, with what their features have of them and their logs."""
    ids = [session.pk for session in sessions]
    with transaction.atomic():
        running = Run.objects.filter(session__in=ids, status=Run.Status.RUNNING)
        for run_id in running.values_list("pk", flat=True):
            # its worker will have nothing to write to; this spares it the wait
            transaction.on_commit(partial(lease.tell_worker_to_stop, run_id))
        for session in sessions:
            presenter_for(session.kind).erase(session)
            transaction.on_commit(partial(forget, session.pk))
        Session.objects.filter(pk__in=ids).delete()


def purge_sessions(*, now: datetime | None = None) -> int:
    """Deletes for good what has lain in the bin long enough, one by one; how many."""
    before = (now or timezone.now()) - IN_BIN_FOR
    due = Session.objects.filter(deleted_at__lt=before).order_by("deleted_at")
    purged = 0
    for session_id in list(due.values_list("pk", flat=True)[:PURGED_AT_ONCE]):
        with transaction.atomic():  # one that was put back meanwhile stays
            still = Session.objects.select_for_update(skip_locked=True)
            session = still.filter(pk=session_id, deleted_at__lt=before).first()
            if session is not None:
                erase(session)
                purged += 1
    return purged


def mark_seen(*, identity: Identity, session: Session, seq: int) -> None:
    """Remembers that its owner had this message on a page; an older one changes nothing."""
    if not identity.owns(session.participant_id):
        raise NotFound
    if seq <= session.seen_seq:
        return
    last = Message.objects.filter(session=session).aggregate(last=Max("seq"))["last"] or 0
    seen = min(seq, last)
    Session.objects.filter(pk=session.pk, seen_seq__lt=seen).update(seen_seq=seen)


def claim(*, identity: Identity) -> bool:
    """Moves what this browser made into the signed-in account; its cookie is worthless after.

    False when there was nothing to claim. Raises SignInNeeded.
    """
    if identity.user_id is None:
        raise SignInNeeded
    if identity.cookie_participant_id is None:
        return False
    claimed = attach_to_user(
        participant_id=identity.cookie_participant_id, user_id=identity.user_id
    )
    identity.forget_cookie()
    return claimed
