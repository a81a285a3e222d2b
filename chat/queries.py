"""Reads of the engine, and the only doors from an id to a session or run."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, TypeVar

from django.db.models import Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import JSONObject
from django.utils.translation import gettext_lazy as _

from chat import hot
from chat.events.kinds import Cursor
from chat.events.log import tail
from chat.identity import Identity
from chat.models import OPEN, RETRYABLE, Feedback, Message, Run, Session
from futura.errors import NotFound
from futura.rows import only

WINDOW: Final = 50  # messages on a page
IN_BIN_FOR: Final = timedelta(days=30)

RowT = TypeVar("RowT", Run, Message)


class InBin(NotFound):
    """The caller's own conversation, deleted and not yet gone; its page offers it back."""

    default_message = _("This conversation is in the bin. You can restore it there.")

    def __init__(self, session_id: uuid.UUID) -> None:
        super().__init__()
        self.binned_id = session_id


def session_for(
    identity: Identity, session_id: uuid.UUID, *, even_deleted: bool = False
) -> Session:
    """The caller's session; NotFound for strangers and unknown ids alike.

    One that lies in the bin raises InBin, a NotFound, unless it is asked for.
    """
    people = identity.participant_ids
    session = hot.owned_session(session_id, people) if people else None
    if session is None:
        raise NotFound
    if session.deleted_at is not None and not even_deleted:
        raise InBin(session.pk)
    return session


def run_for(identity: Identity, run_id: uuid.UUID) -> Run:
    """A run of one of the caller's sessions; NotFound for strangers and unknown ids alike."""
    return _owned(Run.objects.all(), identity, run_id)


def message_for(identity: Identity, message_id: uuid.UUID) -> Message:
    """A message of one of the caller's sessions; NotFound for strangers and unknown ids alike."""
    return _owned(Message.objects.all(), identity, message_id)


def _owned(rows: QuerySet[RowT], identity: Identity, key: uuid.UUID) -> RowT:
    of_session = {
        "session__participant_id__in": identity.participant_ids,
        "session__deleted_at__isnull": True,
    }
    return only(rows.select_related("session").filter(pk=key, **of_session))


@dataclass(frozen=True)
class MessageWithRun:
    """A message with the run that explains its state."""

    message: Message
    run: Run | None = None
    can_retry: bool = False

    @property
    def can_continue(self) -> bool:
        """An answer that broke off after its first words, with nothing said since."""
        is_answer = self.message.role == Message.Role.ASSISTANT and bool(self.message.text)
        return self.can_retry and is_answer and self.run is not None and self.run.can_continue

    @property
    def rated(self) -> Mapping[str, Any]:
        """What its owner thinks of it: `rating`, `reasons`, `comment`; empty for no word."""
        return getattr(self.message, "rated", None) or {}


@dataclass(frozen=True)
class Place:
    """Which part of a conversation is wanted: its end, unless one of these says otherwise.

    `before` and `after` are the seq of a message that is on the page already, `at` the id of one
    to show with what stands around it.
    """

    before: int | None = None
    after: int | None = None
    at: uuid.UUID | None = None


END: Final = Place()


@dataclass(frozen=True)
class Conversation:
    """What a page needs of a session; `cursor` is where following its log must begin."""

    session: Session
    messages: Sequence[MessageWithRun]
    waiting: Sequence[MessageWithRun]
    active: Run | None
    cursor: str
    has_earlier: bool
    has_later: bool = False


def conversation(session: Session, *, limit: int = WINDOW, place: Place = END) -> Conversation:
    """A stretch of a session and how its runs stand: two queries for its end, one look at Redis.

    The log's end is read first, so that nothing falls between the page and its events.
    """
    end = tail(session.pk)
    messages, has_earlier, has_later = _stretch(session.pk, place, limit)
    ids = [message.pk for message in messages]
    _session, runs = hot.standing(session.pk, messages=ids)
    displayed = [with_run(message, runs) for message in messages]
    active = first_open(runs)
    saved = Cursor.parse(active.log_cursor) if active else None
    return Conversation(
        session=session,
        messages=[item for item in displayed if not _waits(item)],
        waiting=[item for item in displayed if _waits(item)],
        active=active,
        cursor=str(end.or_earlier(saved)) if end else "",
        has_earlier=has_earlier,
        has_later=has_later,
    )


def _stretch(session_id: uuid.UUID, place: Place, limit: int) -> tuple[list[Message], bool, bool]:
    """The messages of a place, and whether there are earlier and later ones."""
    messages = _with_ratings(_current(session_id))
    if place.before is not None:
        earlier, more = _last(messages.filter(seq__lt=place.before), limit)
        return earlier, more, messages.filter(seq__gte=place.before).exists()
    if place.after is not None:
        later, more = _first(messages.filter(seq__gt=place.after), limit)
        return later, messages.filter(seq__lte=place.after).exists(), more
    requested = (
        messages.filter(pk=place.at).values_list("seq", flat=True).first() if place.at else None
    )
    if requested is None:
        return *_last(messages, limit), False
    earlier, has_earlier = _last(messages.filter(seq__lte=requested), limit // 2)
    later, has_later = _first(messages.filter(seq__gt=requested), limit - limit // 2)
    return [*earlier, *later], has_earlier, has_later


def _last(messages: QuerySet[Message], limit: int) -> tuple[list[Message], bool]:
    rows = list(messages.order_by("-seq")[: limit + 1])
    return rows[:limit][::-1], len(rows) > limit


def _first(messages: QuerySet[Message], limit: int) -> tuple[list[Message], bool]:
    rows = list(messages.order_by("seq")[: limit + 1])
    return rows[:limit], len(rows) > limit


def active_run(session_id: uuid.UUID) -> Run | None:
    """The running run of a session, else the next queued one."""
    runs = Run.objects.filter(session_id=session_id, status__in=OPEN).order_by("created_at")
    return first_open(list(runs))


def first_open(runs: Sequence[Run]) -> Run | None:
    """The running one of these, else the first that waits."""
    waiting = [run for run in runs if run.is_open]
    running = [run for run in waiting if run.status == Run.Status.RUNNING]
    return next(iter(running or waiting), None)


def next_seq(session_id: uuid.UUID) -> int:
    """The next place in a session; needs its row locked, or new."""
    last = Message.objects.filter(session_id=session_id).aggregate(last=Max("seq"))["last"]
    return int(last or 0) + 1


def _current(session_id: uuid.UUID) -> QuerySet[Message]:
    return Message.objects.filter(session_id=session_id, superseded_at__isnull=True)


def _with_ratings(messages: QuerySet[Message]) -> QuerySet[Message]:
    own = Feedback.objects.filter(
        message=OuterRef("pk"), participant=OuterRef("session__participant")
    )
    values = own.values(opinion=JSONObject(rating="rating", reasons="reasons", comment="comment"))
    return messages.annotate(rated=Subquery(values[:1]))


def with_run(message: Message, runs: Sequence[Run]) -> MessageWithRun:
    """A message with its run among those that stand around it, oldest first."""
    last = runs[-1] if runs else None
    of_reply = next((run for run in runs if run.reply_id == message.pk), None)
    if of_reply is None and message.role == Message.Role.PERSON:
        own = [run for run in runs if run.message_id == message.pk]
        # with a reply, the reply says how it went
        of_reply = own[-1] if own and own[-1].reply_id is None else None
    can_retry = of_reply is not None and of_reply is last and of_reply.status in RETRYABLE
    return MessageWithRun(message, of_reply, can_retry)


def _waits(item: MessageWithRun) -> bool:
    return item.message.status == Message.Status.QUEUED
