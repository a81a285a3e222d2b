"""What staff read: the list of sessions with its filters, and one session with its trace."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from chat.models import Feedback, Message, Run, Session
from chat.presenters import presenter_for
from chat.render import marked
from chat.staff.branches import Branch, branches_of
from chat.staff.panels import panels_for
from chat.staff.steps import Step, steps_of
from futura.errors import NotFound
from futura.llm.models import ModelCall

PAGE_SIZE = 50
PROBLEMS = (Run.Status.FAILED, Run.Status.INTERRUPTED)


@dataclass(frozen=True)
class Filters:
    """What the list is narrowed to; empty values narrow nothing."""

    words: str = ""
    kind: str = ""
    status: str = ""
    only_problems: bool = False
    only_basic: bool = False
    since: date | None = None
    until: date | None = None


@dataclass(frozen=True)
class Row:
    """One session in the list."""

    session: Session
    turns: int
    has_problem: bool
    notes: Sequence[str]


@dataclass(frozen=True)
class Turn:
    """One message of the transcript with the run that made it and the calls of that run."""

    message: Message
    run: Run | None
    calls: Sequence[ModelCall] = ()
    steps: Sequence[Step] = ()
    html: str = ""
    feedback: Feedback | None = None
    reasons: Sequence[str] = ()


@dataclass(frozen=True)
class Reading:
    """One session with everything staff see of it."""

    session: Session
    turns: Sequence[Turn]
    replaced: Sequence[Branch[Turn]]
    traced: Sequence[Turn]
    open_runs: Sequence[Run]
    cost_usd: Decimal | None
    has_unpriced_calls: bool
    model_turns: int
    minutes: int
    other_calls: Sequence[ModelCall] = field(default=())


def sessions_page(filters: Filters, *, page: int) -> tuple[Page[Session], list[Row]]:
    """One page of the list and its rows; a page out of range gives the nearest."""
    found = Paginator(_filtered(filters), PAGE_SIZE).get_page(page)
    sessions = list(found.object_list)
    notes = _notes(sessions)
    rows = [
        Row(
            session=session,
            turns=getattr(session, "turns", 0),
            has_problem=getattr(session, "has_problem", False),
            notes=notes.get(session.pk, ()),
        )
        for session in sessions
    ]
    return found, rows


def _filtered(filters: Filters) -> QuerySet[Session]:
    sessions = (
        Session.objects.filter(deleted_at__isnull=True)
        .select_related("participant__user")
        .annotate(
            turns=Count("messages", filter=Q(messages__role=Message.Role.PERSON)),
            has_problem=Exists(Run.objects.filter(session=OuterRef("pk"), status__in=PROBLEMS)),
        )
        .order_by("-created_at", "pk")
    )
    if filters.words:
        sessions = sessions.filter(_words(filters.words))
    if filters.kind:
        sessions = sessions.filter(kind=filters.kind)
    if filters.status:
        sessions = sessions.filter(status=filters.status)
    if filters.only_problems:
        sessions = sessions.filter(has_problem=True)
    if filters.only_basic:
        sessions = sessions.filter(
            Exists(Run.objects.filter(session=OuterRef("pk"), basic_mode=True))
        )
    if filters.since:
        sessions = sessions.filter(created_at__gte=_day_start(filters.since))
    if filters.until:
        sessions = sessions.filter(created_at__lte=_day_end(filters.until))
    return sessions


def _words(words: str) -> Q:
    """Title, account or the beginning of the id; what was said is not searched here."""
    found = Q(title__icontains=words) | Q(participant__user__email__icontains=words)
    with suppress(ValueError):
        found |= Q(pk=uuid.UUID(words))
    return found


def _day_start(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))


def _day_end(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.max))


def _notes(sessions: Sequence[Session]) -> Mapping[uuid.UUID, list[str]]:
    """The words that features add to the list, one call per kind and panel."""
    by_kind: dict[str, list[uuid.UUID]] = defaultdict(list)
    for session in sessions:
        by_kind[session.kind].append(session.pk)
    notes: dict[uuid.UUID, list[str]] = defaultdict(list)
    for kind, ids in by_kind.items():
        for panel in panels_for(kind):
            for session_id, note in panel.summaries(ids).items():
                notes[session_id].append(note)
    return notes


def kinds() -> list[str]:
    """The kinds of sessions there are, for the filter."""
    return list(Session.objects.order_by("kind").values_list("kind", flat=True).distinct())


def session_for_staff(session_id: uuid.UUID) -> Session:
    """Any session, whoever owns it; the view has checked that a staff member asks."""
    kept = Session.objects.filter(pk=session_id, deleted_at__isnull=True)
    session = kept.select_related("participant__user").first()
    if session is None:
        raise NotFound
    return session


def reading(session: Session) -> Reading:
    """The transcript with runs, stages and model calls, in five queries whatever its length.

    `turns` are the branch that stands, `replaced` the others, `traced` all of them in order.
    """
    messages = list(session.messages.order_by("seq").prefetch_related("feedback"))
    runs = list(session.runs.order_by("created_at"))
    calls_by_run: dict[uuid.UUID | None, list[ModelCall]] = defaultdict(list)
    calls = list(ModelCall.objects.filter(session_id=session.pk).order_by("created_at"))
    for call in calls:
        calls_by_run[call.run_id].append(call)
    run_of_reply = {run.reply_id: run for run in runs if run.reply_id}
    traced = [_turn(one, run_of_reply.get(one.pk), calls_by_run, session) for one in messages]
    turns = [turn for turn in traced if turn.message.superseded_at is None]
    prices = [call.cost_usd for call in calls if call.cost_usd is not None]
    known_runs = {run.pk for run in runs}
    return Reading(
        session=session,
        turns=turns,
        replaced=branches_of(traced, runs),
        traced=traced,
        open_runs=[run for run in runs if run.reply_id is None and not _went_on(run, runs)],
        cost_usd=sum(prices, Decimal(0)) if prices else None,
        has_unpriced_calls=len(prices) < len(calls),
        model_turns=sum(1 for run in runs if not run.basic_mode and calls_by_run.get(run.pk)),
        minutes=_minutes([turn.message for turn in turns]),
        other_calls=[call for call in calls if call.run_id not in known_runs],
    )


def _turn(
    message: Message,
    run: Run | None,
    calls_by_run: Mapping[uuid.UUID | None, Sequence[ModelCall]],
    session: Session,
) -> Turn:
    is_person = message.role == Message.Role.PERSON
    feedback = next(iter(message.feedback.all()), None)
    words = presenter_for(session.kind).reasons
    return Turn(
        message=message,
        run=run,
        calls=calls_by_run.get(run.pk, ()) if run else (),
        steps=steps_of(run) if run else (),
        html=marked(message, presenter_for(session.kind)) if is_person else "",
        feedback=feedback,
        reasons=[str(words.get(code, code)) for code in feedback.reasons] if feedback else (),
    )


def _went_on(run: Run, runs: Sequence[Run]) -> bool:
    """Whether another run goes on with this one's answer."""
    return any(one.retry_of_id == run.pk and one.cause == Run.Cause.CONTINUE for one in runs)


def _minutes(messages: Sequence[Message]) -> int:
    if len(messages) < 2:
        return 0
    return round((messages[-1].created_at - messages[0].created_at).total_seconds() / 60)


def neighbours(session: Session, *, limit: int = 12) -> list[dict[str, Any]]:
    """Sessions of the same kind around this one by time, newest first, for the side list."""
    same = Session.objects.filter(kind=session.kind)
    newer = same.filter(created_at__gt=session.created_at).order_by("created_at")[:limit]
    older = same.filter(created_at__lte=session.created_at).exclude(pk=session.pk)
    around = [*reversed(newer), session, *older.order_by("-created_at")[:limit]]
    notes = _notes(around)
    return [
        {"session": one, "is_current": one.pk == session.pk, "notes": notes.get(one.pk, ())}
        for one in around
    ]
