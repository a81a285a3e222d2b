"""The specification's success metrics of the agent, by mode; a constant number of queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
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
from projects.dimensions import FIELDS
from projects.forecasting.models import Forecast
from projects.models import ProjectDraft
from projects.modes.state import AUDIT, CREATE, FORECAST, KINDS, UPDATE

BROKEN: Final = (Run.Status.FAILED, Run.Status.INTERRUPTED)
DONE: Final = (Operation.Status.COMPLETED, Operation.Status.ROLLED_BACK)
SUMS: Final = (
    "questions", "messages", "operations", "undone", "failed", "tasks", "projects", "runs",
    "broken", "good", "bad",
)  # fmt: skip


@dataclass(frozen=True)
class Metrics:
    """One mode, or all together (`kind` empty). Shares are 0 to 1, None where nothing counts.

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
    def completion(self) -> float | None:
        """Completed of started."""
        return _of(self.completed, self.started)

    @property
    def repeat(self) -> float | None:
        """People with two conversations or more, of all people."""
        return _of(self.returning, self.people)

    @property
    def undo(self) -> float | None:
        """Operations that were undone, of those that were done."""
        return _of(self.undone, self.operations)

    @property
    def success(self) -> float | None:
        """Operations that were done, of those that were tried."""
        return _of(self.operations, self.operations + self.failed)

    @property
    def errors(self) -> float | None:
        """Answers that failed or broke off, of all answers."""
        return _of(self.broken, self.runs)

    @property
    def questions_each(self) -> float | None:
        """Questions asked per conversation."""
        return _of(self.questions, self.started)

    @property
    def messages_each(self) -> float | None:
        """Messages of the person per conversation."""
        return _of(self.messages, self.started)

    @property
    def projects_each(self) -> float | None:
        """Projects made per person."""
        return _of(self.projects, self.people)

    @property
    def a_day(self) -> float | None:
        """Conversations per day on which there were any."""
        return _of(self.started, self.days)


def _of(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def metrics(period: Period) -> list[Metrics]:
    """Each mode's figures of the conversations begun in a period, then those of all: 4 queries."""
    begun = Q(kind__in=KINDS)
    if period.since:
        begun &= Q(created_at__gte=period.since)
    if period.until:
        begun &= Q(created_at__lt=period.until)
    sessions = Session.objects.filter(begun)
    counted = sessions.annotate(**_each()).order_by()
    rows: dict[str, Any] = {
        row["kind"]: row for row in counted.values("kind").annotate(**_totals())
    }
    people = _people(sessions)
    filled = dict.fromkeys((CREATE, ""), _filled(sessions))
    rows[""] = counted.aggregate(**_totals())
    return [
        _metrics(kind, rows.get(kind, {}), people.get(kind, {}), filled.get(kind))
        for kind in (*KINDS, "")
    ]


def _metrics(
    kind: str, row: Mapping[str, Any], people: Mapping[str, int], dimensions: float | None
) -> Metrics:
    given = {name.removeprefix("all_"): row[name] for name in row if name != "kind"}
    numbers = {name: value or 0 for name, value in given.items() if name in SUMS}
    return Metrics(kind, **{**given, **numbers, **people}, dimensions=dimensions)


def _totals() -> dict[str, Any]:
    """The figures of many conversations, made of those of each."""
    times = {"to_completion": "done_at", "to_operation": "first_at", "lasted": "updated_at"}
    lengths = {
        f"all_{name}": Avg(
            ExpressionWrapper(F(end) - F("created_at"), output_field=DurationField())
        )
        for name, end in times.items()
    }
    return {
        "all_started": Count("pk"),
        "all_completed": Count("done_at"),
        "all_days": Count(TruncDate("created_at"), distinct=True),
        **{f"all_{name}": Sum(name) for name in SUMS},
        **lengths,
    }


def _each() -> dict[str, Any]:
    """The figures of one conversation. Undoing itself is not counted as doing."""
    own = Operation.objects.filter(batch__session=OuterRef("pk"), undoes=None)
    done = own.filter(status__in=DONE, executed_at__isnull=False)
    created = own.filter(type=Operation.Type.CREATE, status__in=DONE)
    runs = Run.objects.filter(session=OuterRef("pk"))
    said = Message.objects.filter(session=OuterRef("pk"), role="user", superseded_at=None)
    rated = Feedback.objects.filter(message__session=OuterRef("pk"))
    counts = {
        "messages": (said, "session"),
        "operations": (done, "batch__session"),
        "undone": (done.filter(undone_by__status__in=DONE), "batch__session"),
        "failed": (own.filter(status=Operation.Status.FAILED), "batch__session"),
        "tasks": (created.filter(entity="task"), "batch__session"),
        "projects": (created.filter(entity="project"), "batch__session"),
        "runs": (runs, "session"),
        "broken": (runs.filter(status__in=BROKEN), "session"),
        "good": (rated.filter(rating=Feedback.Rating.GOOD), "message__session"),
        "bad": (rated.filter(rating=Feedback.Rating.BAD), "message__session"),
    }
    return {
        "questions": Cast(KeyTextTransform("questions_asked", "state"), IntegerField()),
        "first_at": _first_change(),
        "done_at": _completed_at(),
        **{name: _count(rows, link) for name, (rows, link) in counts.items()},
    }


def _count(rows: QuerySet[Any], link: str) -> Coalesce:
    """How many rows of a conversation there are, each once."""
    number = rows.order_by().values(link).annotate(n=Count("pk", distinct=True))
    return Coalesce(Subquery(number.values("n")), Value(0))


def _first_change() -> Subquery:
    """When the first operation of a conversation was done."""
    done = Operation.objects.filter(batch__session=OuterRef("pk"), executed_at__isnull=False)
    first = done.order_by().values("batch__session").annotate(at=Min("executed_at")).values("at")
    return Subquery(first)


def _completed_at() -> Case:
    """When a conversation reached what its mode is for."""
    drafts = ProjectDraft.objects.filter(session=OuterRef("pk"), completed_at__isnull=False)
    told = Forecast.objects.filter(session=OuterRef("pk")).order_by("created_at")
    audits = Message.objects.filter(
        session=OuterRef("pk"), role="assistant", parts__contains=[{"type": "findings"}]
    ).order_by("seq")
    return Case(
        When(kind=CREATE, then=Subquery(drafts.values("completed_at")[:1])),
        When(kind=UPDATE, then=_first_change()),
        When(kind=AUDIT, then=Subquery(audits.values("created_at")[:1])),
        When(kind=FORECAST, then=Subquery(told.values("created_at")[:1])),
        default=Value(None),
    )


def _people(sessions: QuerySet[Session]) -> dict[str, dict[str, int]]:
    """How many people there were by mode and in all, and how many came again."""
    each = sessions.values_list("kind", "participant").annotate(n=Count("pk")).order_by()
    by_kind: dict[str, Counter[Any]] = {}
    for kind, person, number in each:
        for group in (kind, ""):
            by_kind.setdefault(group, Counter())[person] += number
    return {kind: _returning(counts.values()) for kind, counts in by_kind.items()}


def _returning(counts: Iterable[int]) -> dict[str, int]:
    numbers = list(counts)
    return {"people": len(numbers), "returning": sum(number > 1 for number in numbers)}


def _filled(sessions: QuerySet[Session]) -> float | None:
    """How many of the nine dimensions the drafts of creating conversations hold, on average."""
    has_text = [
        Case(When(~Q(**{name: ""}), then=1), default=0, output_field=IntegerField())
        for name in FIELDS
    ]
    filled = has_text[0]
    for one in has_text[1:]:
        filled = filled + one  # type: ignore[assignment]
    drafts = ProjectDraft.objects.filter(session__in=sessions, deleted_at=None)
    mean: float | None = drafts.aggregate(mean=Avg(filled))["mean"]
    return mean
