"""Writes what staff make of a conversation: taken, given, flagged, tagged, noted, reviewed."""

from __future__ import annotations

import uuid
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.models import Message, Session
from chat.staff import cards
from chat.staff.models import Review, ReviewNote
from chat.staff.reach import Staff, reviewers_of
from futura.errors import BadInput, Conflict, NotFound
from futura.limits import required_text

NOTE_CHARS: Final = 2_000
REASON_CHARS: Final = 500
TAG_CHARS: Final = 40
TAGS_MAX: Final = 20


def review_of(session: Session) -> Review:
    """The row of a conversation, counted now when nobody had. Raises NotFound."""
    found = Review.objects.filter(pk=session.pk).first()
    if found is None:
        cards.count([session.pk], now=timezone.now())
        found = Review.objects.filter(pk=session.pk).first()
    if found is None:
        raise NotFound
    return found


def _held(session: Session) -> Review:
    """The row, held until the transaction ends."""
    review_of(session)
    return Review.objects.select_for_update().get(pk=session.pk)


@transaction.atomic
def take(*, user: Staff, session: Session) -> Review:
    """Makes it one's own work. Raises Conflict when somebody else has it."""
    review = _held(session)
    if review.assignee_id not in {None, user.pk}:
        raise Conflict(_("Somebody else has taken this one meanwhile."))
    return _assign(review, user.pk)


@transaction.atomic
def give(*, session: Session, to: object) -> Review:
    """Makes it the work of another who may review (an account's id). Raises BadInput."""
    text = str(to or "")
    key = int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0
    other: User | None = reviewers_of(session).filter(pk=key).first()
    if other is None:
        raise BadInput(_("Choose somebody who may review."), field="to")
    return _assign(_held(session), other.pk)


@transaction.atomic
def release(*, session: Session) -> Review:
    """Makes it nobody's work."""
    return _assign(_held(session), None)


def _assign(review: Review, user_id: int | None) -> Review:
    if review.assignee_id != user_id:
        review.assignee_id = user_id
        review.assigned_at = timezone.now() if user_id else None
        review.save(update_fields=["assignee", "assigned_at"])
    return review


@transaction.atomic
def flag(*, user: Staff, session: Session, reason: object = "") -> Review:
    """Asks others to look at it; a reason helps them. Again with a reason changes the reason."""
    words = required_text(reason, limit=REASON_CHARS, field="reason") if reason else ""
    review = _held(session)
    if review.flagged_at is None:
        review.flagged_at, review.flagged_by_id = timezone.now(), user.pk
    review.flag_reason = words or review.flag_reason
    review.save(update_fields=["flagged_at", "flagged_by", "flag_reason"])
    return review


@transaction.atomic
def unflag(*, session: Session) -> Review:
    """Takes the flag off."""
    review = _held(session)
    review.flagged_at, review.flagged_by, review.flag_reason = None, None, ""
    review.save(update_fields=["flagged_at", "flagged_by", "flag_reason"])
    return review


@transaction.atomic
def mark_reviewed(*, user: Staff, session: Session) -> Review:
    """It was looked at and is done with. Who did so first stays."""
    review = _held(session)
    if review.reviewed_at is None:
        review.reviewed_at, review.reviewed_by_id = timezone.now(), user.pk
        review.save(update_fields=["reviewed_at", "reviewed_by"])
    return review


@transaction.atomic
def reopen(*, session: Session) -> Review:
    """It is to be looked at again."""
    review = _held(session)
    review.reviewed_at, review.reviewed_by = None, None
    review.save(update_fields=["reviewed_at", "reviewed_by"])
    return review


@transaction.atomic
def set_tags(*, session: Session, tags: object) -> Review:
    """Replaces the tags: words with commas between them, without doubles. Raises BadInput."""
    if not isinstance(tags, str):
        raise BadInput(_("Write tags with commas between them."), field="tags")
    given = [" ".join(one.split()) for one in tags.replace("\x00", "").split(",")]
    wanted = list(dict.fromkeys(one for one in given if one))
    if len(wanted) > TAGS_MAX or any(len(one) > TAG_CHARS for one in wanted):
        told = _("At most %(most)d tags of at most %(chars)d characters each.")
        raise BadInput(told % {"most": TAGS_MAX, "chars": TAG_CHARS}, field="tags")
    review = _held(session)
    review.tags = wanted
    review.save(update_fields=["tags"])
    return review


@transaction.atomic
def add_note(*, user: Staff, session: Session, text: object, seq: object = "") -> ReviewNote:
    """Writes something down, about one message where its number is given. Raises BadInput."""
    words = required_text(text, limit=NOTE_CHARS, field="note")
    review_of(session)
    return ReviewNote.objects.create(
        session=session, author_id=user.pk, text=words, message=_message(session, seq)
    )


def _message(session: Session, seq: object) -> Message | None:
    text = str(seq or "")
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        return None
    return Message.objects.filter(session=session, seq=int(text)).first()


@transaction.atomic
def remove_note(*, user: Staff, session: Session, note_id: uuid.UUID) -> None:
    """Takes one's own note away. Raises NotFound for another's."""
    own = ReviewNote.objects.filter(pk=note_id, session=session, author_id=user.pk)
    if not own.delete()[0]:
        raise NotFound
