"""Writes what staff make of a conversation: taken, given, flagged, tagged, noted, reviewed."""

from __future__ import annotations

import uuid
from typing import Any, Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.models import Message, Session
from chat.staff import queues
from chat.staff.audit import REASON_CHARS, Staff, reviewers_of
from chat.staff.models import Review, ReviewNote
from futura.errors import BadInput, Conflict, NotFound
from futura.limits import required_text
from futura.parameters import whole
from futura.rows import only

NOTE_CHARS: Final = 2_000
TAG_CHARS: Final = 40
TAGS_MAX: Final = 20


def review_of(session: Session) -> Review:
    """The row of a conversation, counted now when nobody had. Raises NotFound."""
    own = Review.objects.filter(pk=session.pk)
    review = own.first()
    if review is not None:
        return review
    queues.count([session.pk], now=timezone.now())
    return only(own)


def _held(session: Session) -> Review:
    review_of(session)
    return only(Review.objects.select_for_update().filter(pk=session.pk))


@transaction.atomic
def take(*, user: Staff, session: Session) -> Review:
    """Makes it one's own work. Raises Conflict when somebody else has it."""
    review = _held(session)
    if review.assignee_id not in {None, user.pk}:
        raise Conflict(_("Someone else has already taken this conversation."))
    return _assign(review, user.pk)


@transaction.atomic
def give(*, session: Session, to: object, seen: str | None = None) -> Review:
    """Makes it the work of another who may review (an account's id).

    `seen` is whose it was on the page. Raises BadInput, Conflict.
    """
    other: User | None = reviewers_of(session).filter(pk=whole(to) or 0).first()
    if other is None:
        raise BadInput(_("Choose a reviewer."), field="to")
    return _assign(_held(session), other.pk, seen)


@transaction.atomic
def release(*, session: Session, seen: str | None = None) -> Review:
    """Makes it nobody's work. `seen` is whose it was on the page. Raises Conflict."""
    return _assign(_held(session), None, seen)


def _assign(review: Review, user_id: int | None, seen: str | None = None) -> Review:
    if review.assignee_id == user_id:
        return review
    if seen is not None and seen != str(review.assignee_id or ""):
        if review.assignee is None:
            raise Conflict(_("Someone else has unassigned this conversation."))
        who = review.assignee.get_full_name() or review.assignee.get_username()
        raise Conflict(_("Someone else has assigned this conversation to %(who)s.") % {"who": who})
    return _put(review, assignee_id=user_id, assigned_at=timezone.now() if user_id else None)


def _put(review: Review, **values: Any) -> Review:
    for name, value in values.items():
        setattr(review, name, value)
    review.save(update_fields=list(values))
    return review


@transaction.atomic
def flag(*, user: Staff, session: Session, reason: object = "", seen: str | None = None) -> Review:
    """Asks others to look at it; a reason helps them. Again with a reason changes the reason.

    `seen` is the reason that stood on the page. Raises BadInput, Conflict.
    """
    given = required_text(reason, limit=REASON_CHARS, field="reason") if reason else ""
    review = _held(session)
    if given and seen is not None and review.flag_reason not in {seen, given}:
        text = _("Someone else has flagged this conversation: “%(reason)s”")
        raise Conflict(text % {"reason": review.flag_reason})
    if review.flagged_at is None:
        _put(review, flagged_at=timezone.now(), flagged_by_id=user.pk)
    return _put(review, flag_reason=given or review.flag_reason)


@transaction.atomic
def unflag(*, session: Session) -> Review:
    return _put(_held(session), flagged_at=None, flagged_by=None, flag_reason="")


@transaction.atomic
def mark_reviewed(*, user: Staff, session: Session) -> Review:
    """It was looked at and is done with. Who did so first stays."""
    review = _held(session)
    if review.reviewed_at is not None:
        return review
    return _put(review, reviewed_at=timezone.now(), reviewed_by_id=user.pk)


@transaction.atomic
def reopen(*, session: Session) -> Review:
    return _put(_held(session), reviewed_at=None, reviewed_by=None)


@transaction.atomic
def set_tags(*, session: Session, tags: object, seen: str | None = None) -> Review:
    """Replaces the tags: words with commas between them, without doubles. Raises BadInput.

    With `seen`, the tags that stood on the page, what others added or removed meanwhile stays so.
    """
    if not isinstance(tags, str):
        raise BadInput(_("Separate tags with commas."), field="tags")
    requested, review = _tags_in(tags), _held(session)
    if seen is not None:
        before = _tags_in(seen)
        stored = [tag for tag in review.tags if tag in requested or tag not in before]
        requested = [*stored, *(tag for tag in requested if tag not in {*stored, *before})]
    if len(requested) > TAGS_MAX or any(len(item) > TAG_CHARS for item in requested):
        text = _("At most %(most)d tags of at most %(chars)d characters each.")
        raise BadInput(text % {"most": TAGS_MAX, "chars": TAG_CHARS}, field="tags")
    return _put(review, tags=requested)


def _tags_in(text: str) -> list[str]:
    names = [" ".join(item.split()) for item in text.replace("\x00", "").split(",")]
    return list(dict.fromkeys(item for item in names if item))


@transaction.atomic
def add_note(*, user: Staff, session: Session, text: object, seq: object = "") -> ReviewNote:
    """Writes something down, about one message where its number is given. Raises BadInput."""
    note = required_text(text, limit=NOTE_CHARS, field="note")
    review_of(session)
    return ReviewNote.objects.create(
        session=session, author_id=user.pk, text=note, message=_message(session, seq)
    )


def _message(session: Session, seq: object) -> Message | None:
    at = whole(seq)
    return None if at is None else Message.objects.filter(session=session, seq=at).first()


@transaction.atomic
def remove_note(*, user: Staff, session: Session, note_id: uuid.UUID) -> None:
    """Takes one's own note away. Raises NotFound for another's."""
    own = ReviewNote.objects.filter(pk=note_id, session=session, author_id=user.pk)
    if not own.delete()[0]:
        raise NotFound
