"""What staff read: the list of sessions with its filters, and one session with its trace."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from itertools import groupby
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _, ngettext

from chat.models import Feedback, Message, Run, Session
from chat.presenters import Notes, marked, presenter_for
from chat.staff import queues
from chat.staff.audit import Staff, admit
from chat.staff.models import Review, ReviewNote
from chat.staff.panels import by_kind, source_of
from chat.staff.queues import LONG_TURNS
from chat.staff.trace import (
    Change,
    Difference,
    after_each,
    changes_of,
    differences,
    steps_of,
    word_for,
)
from futura.llm.models import ModelCall
from futura.rows import only

CHANGES_SHOWN = 6
BRIEF = 24


@dataclass(frozen=True)
class Row:
    """One conversation in a list: what came of it, why it wants a look, what staff call it."""

    review: Review
    why: Sequence[str]
    name: str
    is_current: bool = False

    @property
    def session(self) -> Session:
        return self.review.session

    @property
    def kind(self) -> str:
        return str(presenter_for(self.review.kind).name)

    @property
    def note(self) -> str:
        source = source_of(self.review.kind)
        return source.counted(self.review.results) if source else ""


class Turn:
    """One message of the transcript with the run that made it and the calls of that run.

    `state` is what the guide knew from then on.
    """

    def __init__(
        self,
        message: Message,
        run: Run | None,
        calls: Sequence[ModelCall],
        state: Mapping[str, Any],
        notes: Sequence[ReviewNote],
        noted: Notes,
    ) -> None:
        self.message, self.run, self.calls, self.notes = message, run, calls, notes
        self.state = state
        self.steps = steps_of(run) if run else ()
        tools = (part.get("tool", "") for part in message.parts if part.get("type") == "turn")
        self.tool = word_for(next(tools, ""))
        is_person = message.role == Message.Role.PERSON
        self.html = marked(message, noted.marks) if is_person else ""
        self.feedback: Feedback | None = next(iter(message.feedback.all()), None)
        words = presenter_for(message.session.kind).reasons
        codes = self.feedback.reasons if self.feedback else ()
        self.reasons = [str(words.get(code, code)) for code in codes]
        self.differences = differences(run.state_before, state) if run else []
        self.changes = _short(self.differences)


@dataclass(frozen=True)
class Branch:
    """A wording with its answers, or an answer alone: set aside by one gesture."""

    turns: Sequence[Turn]
    replaced_at: datetime


@dataclass(frozen=True)
class Reading:
    """A conversation as it is; or as it stood at message `at` of `length`, counted from 1.

    `before` and `next` are then the messages around.
    """

    session: Session
    state: Mapping[str, Any]
    turns: Sequence[Turn]
    replaced: Sequence[Branch]
    traced: Sequence[Turn]
    open_runs: Sequence[Run]
    cost_usd: Decimal | None
    has_unpriced_calls: bool
    other_calls: Sequence[ModelCall] = field(default=())
    notes: Sequence[ReviewNote] = field(default=())
    changes: Sequence[Change] = field(default=())
    at: int = 0
    length: int = 0
    before: Turn | None = None
    next: Turn | None = None


def rows_of(reviews: Sequence[Review], *, current: uuid.UUID | None = None) -> list[Row]:
    """Reviews as lists show them: one call per kind."""
    names: dict[uuid.UUID, str] = {}
    for kind, ids in by_kind([review.session for review in reviews]).items():
        if source := source_of(kind):
            names |= source.names(ids)
    return [
        Row(
            review=review,
            why=_why(review),
            name=names.get(review.pk) or str(review.session.participant),
            is_current=review.pk == current,
        )
        for review in reviews
    ]


def session_for_staff(session_id: uuid.UUID, user: Staff) -> Session:
    """A survey, or a private session whose reader has said why. The view asked for `review`.

    Raises NotFound, RightNeeded, ReasonNeeded.
    """
    session = existing_session(session_id)
    admit(user, session)
    return session


def existing_session(session_id: uuid.UUID) -> Session:
    """Any session that is not in the bin; nothing of it is to be shown yet. Raises NotFound."""
    sessions = Session.objects.filter(pk=session_id, deleted_at__isnull=True)
    return only(sessions.select_related("participant__user"))


def reading(session: Session) -> Reading:
    """The transcript with runs, stages, model calls and notes, in eight queries at any length.

    `turns` are the branch that stands, `replaced` the others, `traced` all of them in order.
    """
    messages = list(session.messages.order_by("seq").prefetch_related("feedback"))
    runs = list(session.runs.order_by("created_at"))
    calls_by_run: dict[uuid.UUID | None, list[ModelCall]] = defaultdict(list)
    calls = list(ModelCall.objects.filter(session_id=session.pk).order_by("created_at"))
    for call in calls:
        calls_by_run[call.run_id].append(call)
    run_of_reply = {run.reply_id: run for run in runs if run.reply_id}
    states = after_each(runs, session.state)
    notes_on: dict[uuid.UUID | None, list[ReviewNote]] = defaultdict(list)
    for note in session.review_notes.select_related("author"):
        notes_on[note.message_id].append(note)
    noted = presenter_for(session.kind).notes(messages, session=session)
    traced = []
    state = runs[0].state_before if runs else session.state
    for message in messages:
        run = run_of_reply.get(message.pk)
        calls_of = calls_by_run[run.pk] if run else ()
        state = states[run.pk] if run else state
        marks = noted.get(message.pk, Notes()).to_read()
        traced.append(Turn(message, run, calls_of, state, notes_on[message.pk], marks))
    turns = [turn for turn in traced if turn.message.superseded_at is None]
    prices = [call.cost_usd for call in calls if call.cost_usd is not None]
    known_runs = {run.pk for run in runs}
    return Reading(
        session=session,
        state=session.state,
        turns=turns,
        replaced=_branches(traced),
        traced=traced,
        open_runs=[run for run in runs if run.reply_id is None],
        cost_usd=sum(prices, Decimal(0)) if prices else None,
        has_unpriced_calls=len(prices) < len(calls),
        other_calls=[call for call in calls if call.run_id not in known_runs],
        notes=[note for some in notes_on.values() for note in some],
    )


def replay(session: Session, *, at: int) -> Reading:
    """The reading as it stood at its message `at`, or at the nearest one: eleven queries.

    `traced` is that turn alone, `changes` what was changed from it to the next message.
    """
    whole = reading(session)
    length = len(whole.traced)
    if not length:
        return whole
    at = max(1, min(at, length))
    past, following = whole.traced[:at], whole.traced[at] if at < length else None
    turn = past[-1]
    by_runs = {each.run.pk for each in whole.traced if each.run}

    def stood(earlier: Turn) -> bool:
        gone = earlier.message.superseded_at
        return gone is None or (following is not None and gone > turn.message.created_at)

    def was_made_here(change: Change) -> bool:
        """By this answer; else, as by hand, between this message and the next."""
        if change.batch.run_id in by_runs:
            return turn.run is not None and turn.run.pk == change.batch.run_id
        is_later = following is not None and following.message.created_at <= change.at
        return not is_later and (at == 1 or turn.message.created_at <= change.at)

    return replace(
        whole,
        state=turn.state,
        turns=[earlier for earlier in past if stood(earlier)],
        traced=[turn],
        open_runs=[] if following else whole.open_runs,
        other_calls=(),
        changes=[change for change in changes_of(session) if was_made_here(change)],
        at=at,
        length=length,
        before=past[-2] if at > 1 else None,
        next=following,
    )


def _branches(turns: Sequence[Turn]) -> list[Branch]:
    gone = sorted((turn for turn in turns if turn.message.superseded_at), key=_set_aside_at)
    together = [(at, list(some)) for at, some in groupby(gone, key=_set_aside_at)]
    return [Branch(some, at) for at, some in reversed(together)]


def _set_aside_at(turn: Turn) -> datetime:
    """The same for all that went together."""
    return turn.message.superseded_at or turn.message.created_at


def _why(review: Review) -> list[str]:
    """Why a conversation wants a look: doubts, failures, length; empty where nothing is special."""
    reasons = []
    source = source_of(review.kind)
    if review.doubts and source is not None:
        reasons.append(source.doubted(review.doubts))
    if review.has_failed:
        reasons.append(_("a reply failed"))
    if review.turns >= LONG_TURNS:
        long = ngettext(
            "long conversation, %(n)d turn", "long conversation, %(n)d turns", review.turns
        )
        reasons.append(long % {"n": review.turns})
    if review.flag_reason:
        reasons.append(review.flag_reason)
    return reasons


def _short(changes: Sequence[Difference]) -> list[Difference]:
    brief = [
        change
        for change in changes
        if change.after and len(change.before) + len(change.after) <= BRIEF
    ]
    return sorted(brief, key=lambda change: change.path == "")[:CHANGES_SHOWN]


@dataclass(frozen=True)
class Place:
    """One conversation among those around it in a queue; `before` and `next` lead on."""

    rows: Sequence[Row]
    before: Review | None
    next: Review | None


def place_of(review: Review, reviews: QuerySet[Review]) -> Place:
    """Where a conversation stands in its queue, with some before and after it."""
    newer, older = queues.around(review, reviews)
    rows = rows_of([*reversed(newer), review, *older], current=review.pk)
    return Place(rows, newer[0] if newer else None, older[0] if older else None)


def next_in(review: Review, reviews: QuerySet[Review]) -> Review | None:
    """What comes after one in its queue; at the end what came before, so that none is left."""
    newer, older = queues.around(review, reviews, limit=1)
    return next(iter([*older, *newer]), None)
