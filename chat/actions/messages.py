"""A person's messages: sending, rewording, removing, editing them; rating an answer."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from chat import hot, rates
from chat.actions import turn_reset
from chat.actions.sessions import (
    add_message,
    announce,
    events_of,
    new_message,
    refuse_closed,
    save_draft,
)
from chat.events.kinds import QUEUED, Event, Reference
from chat.identity import Identity
from chat.models import Feedback, Message, Run, Session
from chat.pasted import Ranges, parts_for, reworded
from chat.presenters import presenter_for
from chat.queries import message_for
from futura import limits
from futura.errors import BadInput, Conflict, FuturaError, NotFound, TooLong
from futura.rows import only


class IdTaken(Conflict):
    """Another text came under the same client id before; this one is not stored."""

    code = "id_taken"

    def __init__(self) -> None:
        super().__init__(
            _(
                "Not sent: another message already used this ID. "
                "Your text is still here; send it again."
            ),
            field="client_id",
        )


def send_message(
    *,
    identity: Identity,
    session: Session,
    text: str,
    client_id: uuid.UUID | None = None,
    parts: Sequence[Mapping[str, Any]] = (),
    pasted: Ranges = (),
) -> Run:
    """Stores a message and queues its run, in one transaction; the same client id only once.

    `pasted` are the stretches of `text` that are not the person's own words.
    The same text under a known client id gives the run there is, another text is refused.

    A message sent while an answer is being made waits visibly and is taken up in order.
    Raises NotFound for strangers, BadInput/TooLong for the text, TooMany over the rates,
    Conflict when the conversation is closed for good, IdTaken for another text under a known id.
    """
    if not identity.owns(session.participant_id):
        raise NotFound
    cleaned = _text_for(session, text)
    try:
        presenter_for(session.kind).admit(identity, session=session)
        return _sent(session, cleaned, client_id, [*parts, *parts_for(text, cleaned, pasted)])
    except FuturaError:  # nothing of this refuses one that was sent before
        existing = _sent_before(session, client_id, cleaned)
        if existing is None:
            raise
        return existing


@transaction.atomic
def _sent(
    session: Session, text: str, client_id: uuid.UUID | None, parts: list[Mapping[str, Any]]
) -> Run:
    """The run of a message that is stored here. Raises Conflict when its client id is known."""
    locked = hot.locked_to_send(session.pk)
    if locked is None:
        raise NotFound
    refuse_closed(locked)
    waits = rates.refuse_too_many_runs(locked)
    message = new_message(locked, text, client_id, parts, waits=waits)
    run = Run(session=locked, message=message)
    if not hot.send(message, run):
        raise Conflict
    queued = Reference("run", str(run.pk), QUEUED)
    announce(locked.pk, Reference("message", str(message.pk)), queued, run=run)
    return run


def edit_queued(
    *, identity: Identity, message_id: uuid.UUID, text: str, pasted: Ranges = ()
) -> Run:
    """Rewords a message that no worker has taken up yet; its place in the queue stays.

    What is still there of pasted stretches stays marked, beside those that came with it now.
    Raises NotFound, BadInput/TooLong for the text, TooMany, and Conflict when it was taken up or
    taken back before.
    """
    message = message_for(identity, message_id)
    cleaned = _text_for(message.session, text)
    rates.check(limits.SEND, identity)
    with transaction.atomic():
        only(Session.objects.select_for_update().filter(pk=message.session_id))
        run = _waiting_run(message)
        message.refresh_from_db()
        parts = [*reworded(message.parts, message.text, cleaned), *parts_for(text, cleaned, pasted)]
        Message.objects.filter(pk=message.pk).update(text=cleaned, parts=parts, token_count=0)
        announce(message.session_id, *events_of(message, run))
    return run


def remove_queued(*, identity: Identity, message_id: uuid.UUID) -> Message:
    """Takes a waiting message back: its words are forgotten, its run is never done.

    The same for one that was taken back. Raises NotFound, TooMany, and Conflict when it was taken
    up before.
    """
    message = message_for(identity, message_id)
    rates.check(limits.SEND, identity)
    with transaction.atomic():
        only(Session.objects.select_for_update().filter(pk=message.session_id))
        message.refresh_from_db()
        if _was_removed(message):
            return message
        run = _waiting_run(message)
        now = timezone.now()
        Run.objects.filter(pk=run.pk).update(
            status=Run.Status.STOPPED, stop_requested_at=now, finished_at=now
        )
        message.text, message.parts, message.token_count = "", [], 0
        message.status, message.superseded_at = Message.Status.STOPPED, now
        message.save()
        announce(message.session_id, *events_of(message, run))
    return message


def edit_last(*, identity: Identity, message_id: uuid.UUID, text: str, pasted: Ranges = ()) -> Run:
    """Rewords the last thing the person said and has it answered anew.

    The old wording and its answers are set aside, readable for staff, and the state goes back to
    what stood before. Raises NotFound, BadInput/TooLong, TooMany, and Conflict while an answer is
    being made or when anything was said since. Sent again with the same words it gives the run of
    the first time.
    """
    old = message_for(identity, message_id)
    cleaned = _text_for(old.session, text)
    presenter_for(old.session.kind).admit(identity, session=old.session)
    with transaction.atomic():
        session = hot.locked_to_send(old.session_id)
        if session is None:
            raise NotFound
        old.refresh_from_db()
        existing = Run.objects.filter(message__replaces=old, message__text=cleaned).first()
        if existing is not None:
            return existing
        before = old.runs.order_by("created_at").last()
        if old.role != Message.Role.PERSON or before is None:
            raise Conflict(_("You can edit only your own messages."))
        refuse_closed(session)
        before.message = old
        turn_reset.refuse_unless_last(session, before)
        turn_reset.refuse_fixed(session, old)
        rates.refuse_too_many_runs(session)
        run, changes = _replace(session, before, old, cleaned, parts_for(text, cleaned, pasted))
        announce(session.pk, *changes, *events_of(run.message, run), run=run)
    return run


def keep_refused(*, identity: Identity, session: Session, text: str) -> None:
    """Keeps a wording that could not be taken: in the composer, below what stands there."""
    standing = session.draft.strip()
    if text.strip() and text.strip() not in standing:
        both = f"{standing}\n\n{text}" if standing else text
        marks = session.draft_pasted if standing else ()
        save_draft(identity=identity, session=session, text=both, pasted=marks)


def _replace(
    session: Session, before: Run, old: Message, text: str, pasted: Sequence[Mapping[str, Any]]
) -> tuple[Run, list[Event]]:
    """The new wording with its run, in the place of the old one and all its answers."""
    sent = reworded([part for part in old.parts if part.get("sent")], old.text, text)
    sent += [dict(part) for part in pasted]
    branch_parts = old.parts
    changes = turn_reset.rewind(session, before)
    # the branch stays as it was read, with what was added
    Message.objects.filter(pk=old.pk).update(parts=branch_parts)
    branch = turn_reset.answers_to(before) | Message.objects.filter(pk=old.pk)
    changes += turn_reset.set_aside(branch)
    message = add_message(session, text, None, sent)
    message.replaces = old
    message.save(update_fields=["replaces"])
    run = Run.objects.create(
        session=session, message=message, retry_of=before, cause=Run.Cause.EDIT
    )
    return run, changes


def _text_for(session: Session, text: object) -> str:
    return limits.required_text(text, limit=presenter_for(session.kind).message_chars, field="text")


def _waiting_run(message: Message) -> Run:
    """The queued run of a message, under the session's lock. Raises Conflict when there is none."""
    run = message.runs.filter(status=Run.Status.QUEUED).first()
    if run is None or _was_removed(message):
        raise Conflict(
            _("Futura is already replying to this message, so it can no longer be edited here.")
        )
    return run


def _was_removed(message: Message) -> bool:
    return message.superseded_at is not None and not message.text


def refuse_other_text(message: Message | None, text: str) -> None:
    """Raises IdTaken when a message that is known by its id says something else than `text`.

    One that was taken back has no text any more: a late resend of it stays harmless.
    """
    if message is not None and message.text != text and not _was_removed(message):
        raise IdTaken


def _sent_before(session: Session, client_id: uuid.UUID | None, text: str) -> Run | None:
    if client_id is None:
        return None
    runs = Run.objects.filter(session=session, message__client_id=client_id)
    run = runs.select_related("message").order_by("created_at").last()
    if run is not None:
        refuse_other_text(run.message, text)
    return run


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
    stored = _reasons(message, reasons)
    cleaned_comment = _comment(comment)
    rates.check(limits.SEND, identity)
    with transaction.atomic():
        session = _session_of(message)
        feedback, _is_new = Feedback.objects.update_or_create(
            message=message,
            participant_id=session.participant_id,
            defaults={"rating": rating, "reasons": stored, "comment": cleaned_comment},
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
    session = only(Session.objects.select_for_update().filter(pk=message.session_id))
    refuse_closed(session)
    message.refresh_from_db()
    if message.superseded_at is not None:
        raise Conflict(_("This reply has been replaced."))
    is_open = message.status in (Message.Status.STREAMING, Message.Status.QUEUED)
    if message.role != Message.Role.ASSISTANT or is_open:
        raise Conflict(_("Only a complete reply can be rated."))
    return session


def _reasons(message: Message, codes: Sequence[str]) -> list[str]:
    existing = presenter_for(message.session.kind).reasons
    if not set(codes) <= set(existing):
        raise BadInput(_("This reason is not on the list."), field="reasons")
    return [code for code in existing if code in codes]


def _comment(text: str) -> str:
    cleaned = limits.storable(text).strip()
    if len(cleaned) > COMMENT_CHARS:
        raise TooLong(limit=COMMENT_CHARS, length=len(cleaned), field="comment")
    return cleaned
