"""The specification's success metrics of the agent, by mode; a constant number of queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.db.models import (
    Avg,
    Case,
    Count,
    DurationField,
    ExpressionWrapper,
    F,
    Func,
    IntegerField,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Coalesce, TruncDate

from chat.models import Feedback, Message, Run, Session
from chat.operations.models import Operation
from futura.llm.staff.periods import Period
from projects.forecasting.models import Forecast
from projects.models import ProjectDraft
from projects.modes.state import AUDIT, CREATE, FORECAST, KINDS, UPDATE

BROKEN: Final = (Run.Status.FAILED, Run.Status.INTERRUPTED)
DONE: Final = (Operation.Status.COMPLETED, Operation.Status.ROLLED_BACK)
Row = Mapping[str, Any]


def _share(part: str, whole: str) -> property:
    """One figure by another; None where there is none of the other."""

    def share(of: Metrics) -> float | None:
        return getattr(of, part) / getattr(of, whole) if getattr(of, whole) else None

    return property(share)


@dataclass(frozen=True)
class Metrics:
    """One mode, or all together (`kind` empty). Shares are 0 to 1, None where nothing counts.

    `returning` are people with two conversations or more, `days` those on which there were any.

    `completed` are conversations that reached their end: a project made, a change done, an audit
    or a forecast told. Times are from the start of the conversation.
    """

    kind: str
    started: int = 0
    people: int = 0
    returning: int = 0
    completed: int = 0
    questions: int = 0
    messages: int = 0
    operations: int = 0
    undone: int = 0
    failed: int = 0
    tasks: int = 0
    projects: int = 0
    runs: int = 0
    broken: int = 0
    good: int = 0
    bad: int = 0
    days: int = 0
    dimensions: float | None = None
    to_completion: timedelta | None = None
    to_operation: timedelta | None = None
    lasted: timedelta | None = None

    @property
    def tried(self) -> int:
        """Operations that were done, or failed."""
        return self.operations + self.failed

    completion = _share("completed", "started")
    repeat = _share("returning", "people")
    undo = _share("undone", "operations")
    success = _share("operations", "tried")
    errors = _share("broken", "runs")
    questions_each = _share("questions", "started")
    messages_each = _share("messages", "started")
    a_day = _share("started", "days")


def metrics(period: Period) -> list[Metrics]:
    """Each mode's figures of the conversations begun in a period, then those of all: 12 queries."""
    begun = Q(kind__in=KINDS)
    if period.since:
        begun &= Q(created_at__gte=period.since)
    if period.until:
        begun &= Q(created_at__lt=period.until)
    sessions = Session.objects.filter(begun)
    matches: dict[str, dict[str, Any]] = {kind: {} for kind in (*KINDS, "")}
    for rows, of, figures in _counted(sessions):
        for key in (F(f"{of}kind"), Value("")):
            for row in rows.values(mode=key).order_by().annotate(**figures):
                matches[str(row.pop("mode"))] |= row
    for kind, people in _people(sessions).items():
        matches[kind] |= {"people": len(people), "returning": sum(n > 1 for n in people.values())}
    dimensions = _dimensions(sessions)
    matches[CREATE]["dimensions"] = matches[""]["dimensions"] = dimensions
    return [Metrics(kind, **values) for kind, values in matches.items()]


def _lengths() -> Row:
    """Mean times from the start of a conversation."""
    since: dict[str, Any] = {
        "to_completion": _completed_at(),
        "to_operation": _first_change(),
        "lasted": F("updated_at"),
    }
    return {
        name: Avg(ExpressionWrapper(at - F("created_at"), output_field=DurationField()))
        for name, at in since.items()
    }


def _counted(sessions: QuerySet[Session]) -> Iterator[tuple[QuerySet[Any], str, Row]]:
    """Rows, the way from one to its conversation, and what is counted of them."""
    questions = Cast(KeyTextTransform("questions_asked", "state"), IntegerField())
    timed = sessions.annotate(asked=questions, done_at=_completed_at(), first_at=_first_change())
    yield (
        timed,
        "",
        {
            "started": Count("pk"),
            "completed": Count("done_at"),
            "questions": Coalesce(Sum("asked"), 0),
            "days": Count(TruncDate("created_at"), distinct=True),
            **_lengths(),
        },
    )
    messages = Message.objects.filter(session__in=sessions, role="user", superseded_at=None)
    yield messages, "session__", {"messages": Count("pk")}
    done = Q(status__in=DONE, executed_at__isnull=False)
    created = Q(type=Operation.Type.CREATE, status__in=DONE)
    operations = Operation.objects.filter(batch__session__in=sessions, undoes=None)
    yield (
        operations,
        "batch__session__",
        {  # undoing itself is not counted as doing
            "operations": Count("pk", filter=done, distinct=True),
            "undone": Count("pk", filter=done & Q(undone_by__status__in=DONE), distinct=True),
            "failed": Count("pk", filter=Q(status=Operation.Status.FAILED), distinct=True),
            "tasks": Count("pk", filter=created & Q(entity="task"), distinct=True),
            "projects": Count("pk", filter=created & Q(entity="project"), distinct=True),
        },
    )
    runs = Run.objects.filter(session__in=sessions)
    broken = Count("pk", filter=Q(status__in=BROKEN))
    yield runs, "session__", {"runs": Count("pk"), "broken": broken}
    yield (
        Feedback.objects.filter(message__session__in=sessions),
        "message__session__",
        {
            "good": Count("pk", filter=Q(rating=Feedback.Rating.GOOD)),
            "bad": Count("pk", filter=Q(rating=Feedback.Rating.BAD)),
        },
    )


def _first_change() -> Subquery:
    """When the first operation of a conversation was done."""
    done = Operation.objects.filter(batch__session=OuterRef("pk"), executed_at__isnull=False)
    first = done.order_by().values("batch__session").annotate(at=Min("executed_at")).values("at")
    return Subquery(first)


def _completed_at() -> Case:
    """When a conversation reached what its mode is for."""
    drafts = ProjectDraft.objects.filter(session=OuterRef("pk"), completed_at__isnull=False)
    forecasts = Forecast.objects.filter(session=OuterRef("pk")).order_by("created_at")
    audits = Message.objects.filter(
        session=OuterRef("pk"), role="assistant", parts__contains=[{"type": "findings"}]
    ).order_by("seq")
    return Case(
        When(kind=CREATE, then=Subquery(drafts.values("completed_at")[:1])),
        When(kind=UPDATE, then=_first_change()),
        When(kind=AUDIT, then=Subquery(audits.values("created_at")[:1])),
        When(kind=FORECAST, then=Subquery(forecasts.values("created_at")[:1])),
        default=Value(None),
    )


def _people(sessions: QuerySet[Session]) -> dict[str, Counter[Any]]:
    """How many conversations each person had, by mode and together."""
    people: dict[str, Counter[Any]] = {kind: Counter() for kind in (*KINDS, "")}
    each = sessions.values_list("kind", "participant").annotate(n=Count("pk")).order_by()
    for kind, person, number in each.iterator():
        people[kind][person] += number
        people[""][person] += number
    return people


def _dimensions(sessions: QuerySet[Session]) -> float | None:
    """How many of the nine dimensions the drafts of creating conversations cover, on average."""
    number = Func("dimensions_covered", function="jsonb_array_length", output_field=IntegerField())
    drafts = ProjectDraft.objects.filter(session__in=sessions, deleted_at=None)
    mean: float | None = drafts.aggregate(mean=Avg(number))["mean"]
    return mean
