"""What people do to a conversation: start, send, stop, retry, keep a draft, claim."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from django.db import transaction
from django.utils import timezone
from pydantic import BaseModel

from chat import events, wake
from chat.events.kinds import Event, Reference
from chat.identity import Identity, attach_to_user
from chat.models import OPEN, RETRYABLE, Message, Participant, Run, Session
from chat.presenters import presenter_for
from chat.queries import next_seq, run_for
from chat.rates import check_person
from futura import limits
from futura.errors import Conflict, NotFound, SignInNeeded, TooMany

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
            message = _add_message(session, text, first_client_id, (), waits=False)
        run = Run.objects.create(session=session, message=message)
        _announce(session.pk, *_news(message, run), run=run)
    return session


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
    person = str(session.participant_id)
    check_person("send", person, identity.address, limit=limits.MESSAGES_PER_MINUTE)
    with transaction.atomic():
        locked = Session.objects.select_for_update().get(pk=session.pk)
        known = _sent_before(locked, client_id)  # a resend may have waited for the lock
        if known is not None:
            return known
        _refuse_closed(locked)
        waits = _refuse_too_many_runs(locked)
        message = _add_message(locked, cleaned, client_id, parts, waits=waits)
        run = Run.objects.create(session=locked, message=message)
        locked.draft = ""
        locked.save(update_fields=["draft", "updated_at"])
        _announce(locked.pk, *_news(message, run), run=run)
    return run


def _sent_before(session: Session, client_id: uuid.UUID | None) -> Run | None:
    if client_id is None:
        return None
    runs = Run.objects.filter(session=session, message__client_id=client_id)
    return runs.order_by("created_at").last()


def _refuse_closed(session: Session) -> None:
    """Raises Conflict when the feature says that this conversation does not go on."""
    refusal = presenter_for(session.kind).refusal(session)
    if refusal:
        raise Conflict(refusal)


def _refuse_too_many_runs(session: Session) -> bool:
    """Whether this session is at work. Raises TooMany when the person has enough waiting."""
    open_runs = Run.objects.filter(session__participant=session.participant_id, status__in=OPEN)
    if open_runs.count() >= limits.RUNS_PER_PERSON:
        raise TooMany(
            "Several messages are waiting for an answer already. Send this one a little later.",
            retry_after_s=10,
        )
    return open_runs.filter(session=session).exists()


def _add_message(
    session: Session,
    text: str,
    client_id: uuid.UUID | None,
    parts: Sequence[Mapping[str, Any]],
    *,
    waits: bool,
) -> Message:
    status = Message.Status.QUEUED if waits else Message.Status.COMPLETE
    return Message.objects.create(
        session=session,
        seq=next_seq(session.pk),
        role=Message.Role.PERSON,
        text=text,
        parts=[dict(part) for part in parts],
        status=status,
        client_id=client_id,
    )


def _news(message: Message | None, run: Run) -> list[Event]:
    news: list[Event] = [Reference("message", str(message.pk))] if message else []
    return [*news, Reference("run", str(run.pk))]


def _announce(session_id: uuid.UUID, *news: Event, run: Run | None = None) -> None:
    """On commit: wakes a worker for the run, then tells the log."""
    if run is not None:
        transaction.on_commit(partial(wake.worker_for, run.pk))
    transaction.on_commit(partial(events.append, session_id, *news))


def stop_run(*, identity: Identity, run_id: uuid.UUID) -> Run:
    """Stops a run, now or before it began; the same for one that is over. Raises NotFound."""
    run = run_for(identity, run_id)
    with transaction.atomic():
        Session.objects.select_for_update().get(pk=run.session_id)
        now = timezone.now()
        mine = Run.objects.filter(pk=run.pk)
        queued = mine.filter(status=Run.Status.QUEUED)
        if queued.update(status=Run.Status.STOPPED, stop_requested_at=now, finished_at=now):
            Message.objects.filter(runs=run).update(status=Message.Status.STOPPED)
            _announce(run.session_id, *_news(run.message, run))
        else:
            mine.filter(status=Run.Status.RUNNING, stop_requested_at__isnull=True).update(
                stop_requested_at=now
            )
            transaction.on_commit(partial(wake.stop, run.pk))
    run.refresh_from_db()
    return run


def retry_run(*, identity: Identity, run_id: uuid.UUID) -> Run:
    """A new run for the same message, from the state before it; the old answer is set aside.

    Only the last run of a session that did not complete. Raises NotFound, Conflict, TooMany.
    A second press returns the run the first one made.
    """
    old = run_for(identity, run_id)
    person = str(old.session.participant_id)
    check_person("send", person, identity.address, limit=limits.MESSAGES_PER_MINUTE)
    with transaction.atomic():
        session = Session.objects.select_for_update().get(pk=old.session_id)
        again = Run.objects.filter(retry_of=old).first()
        if again is not None:
            return again
        old = Run.objects.select_related("message", "reply").get(pk=old.pk)
        _refuse_closed(session)
        _refuse_retry(old)
        if old.started_at is not None:
            session.state = old.state_before
            session.status = Session.Status.ACTIVE
        session.save(update_fields=["state", "status", "updated_at"])
        _set_aside(old)
        run = Run.objects.create(session=session, message=old.message, retry_of=old)
        news = _news(old.message, run)
        if old.reply_id:
            news.insert(0, Reference("message", str(old.reply_id)))
        _announce(session.pk, *news, run=run)
    return run


def _refuse_retry(old: Run) -> None:
    if old.status not in RETRYABLE:
        raise Conflict("This answer is complete, or still on its way.")
    later = Run.objects.filter(session=old.session_id, created_at__gt=old.created_at)
    if later.exists():
        raise Conflict("The conversation has gone on since. Send the message again instead.")


def _set_aside(old: Run) -> None:
    if old.reply_id:
        Message.objects.filter(pk=old.reply_id).update(superseded_at=timezone.now())
    if old.message_id:
        Message.objects.filter(pk=old.message_id).update(status=Message.Status.COMPLETE)


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
