"""The specification's success metrics of the agent, by mode; a constant number of queries."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
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
from django.db.models.functions import Cast, TruncDate

from chat.models import Feedback, Message, Run, Session
from chat.operations.models import Operation
from futura.llm.staff.periods import Period
from projects.dimensions import FIELDS
from projects.forecasting.models import Forecast
from projects.models import ProjectDraft
from projects.modes.state import AUDIT, CREATE, FORECAST, KINDS, UPDATE

BROKEN: Final = (Run.Status.FAILED, Run.Status.INTERRUPTED)
DONE: Final = (Operation.Status.COMPLETED, Operation.Status.ROLLED_BACK)
Row = Mapping[str, Any]


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
    weights: Mapping[str, int] = field(default_factory=dict, compare=False)

    @property
    def completion(self) -> float | None:
        """Completed of started."""
        return self.completed / self.started if self.started else None

    @property
    def repeat(self) -> float | None:
        """People with two conversations or more, of all people."""
        return self.returning / self.people if self.people else None

    @property
    def undo(self) -> float | None:
        """Operations that were undone, of those that were done."""
        return self.undone / self.operations if self.operations else None

    @property
    def success(self) -> float | None:
        """Operations that were done, of those that were tried."""
        tried = self.operations + self.failed
        return self.operations / tried if tried else None

    @property
    def errors(self) -> float | None:
        """Answers that failed or broke off, of all answers."""
        return self.broken / self.runs if self.runs else None

    @property
    def questions_each(self) -> float | None:
        """Questions asked per conversation."""
        return self.questions / self.started if self.started else None

    @property
    def messages_each(self) -> float | None:
        """Messages of the person per conversation."""
        return self.messages / self.started if self.started else None

    @property
    def projects_each(self) -> float | None:
        """Projects made per person."""
        return self.projects / self.people if self.people else None

    @property
    def a_day(self) -> float | None:
        """Conversations per day on which there were any."""
        return self.started / self.days if self.days else None


def metrics(period: Period) -> list[Metrics]:
    """Each mode's figures of the conversations begun in a period, then those of all: 9 queries."""
    sessions = _begun(period)
    found: dict[str, dict[str, Any]] = {kind: {} for kind in KINDS}
    for rows in (
        _sessions(sessions), _people(sessions), _messages(sessions), _operations(sessions),
        _created(sessions), _runs(sessions), _feedback(sessions), _drafts(sessions),
    ):  # fmt: skip
        for kind, row in rows.items():
            found[kind] |= row
    return [*(Metrics(kind, **found[kind]) for kind in KINDS), _all(found, sessions)]


def _begun(period: Period) -> QuerySet[Session]:
    wanted = Q(kind__in=KINDS)
    if period.since:
        wanted &= Q(created_at__gte=period.since)
    if period.until:
        wanted &= Q(created_at__lt=period.until)
    return Session.objects.filter(wanted)


def _sessions(sessions: QuerySet[Session]) -> dict[str, Row]:
    """Numbers, questions and times by mode."""
    questions = Cast(KeyTextTransform("questions_asked", "state"), IntegerField())
    timed = sessions.annotate(asked=questions, done_at=_completed_at(), first_at=_first_change())
    since = {
        "to_completion": F("done_at") - F("created_at"),
        "to_operation": F("first_at") - F("created_at"),
        "lasted": F("updated_at") - F("created_at"),
    }
    lengths = {
        name: Avg(ExpressionWrapper(one, output_field=DurationField()))
        for name, one in since.items()
    }
    rows = timed.values("kind").order_by().annotate(
        started=Count("pk"),
        completed=Count("done_at"),
        changing=Count("first_at"),
        questions=Sum("asked"),
        days=Count(TruncDate("created_at"), distinct=True),
        **lengths,
    )  # fmt: skip
    found: dict[str, Row] = {}
    for row in rows:
        told: dict[str, Any] = dict(row)
        kind, changing = str(told.pop("kind")), told.pop("changing")
        told["questions"] = told["questions"] or 0
        weights = {"to_completion": told["completed"], "to_operation": changing}
        found[kind] = {**told, "weights": {**weights, "lasted": told["started"]}}
    return found


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


def _people(sessions: QuerySet[Session]) -> dict[str, Row]:
    """How many people there were, and how many came again."""
    each = sessions.values_list("kind", "participant").annotate(n=Count("pk")).order_by()
    people, returning = Counter[str](), Counter[str]()
    for kind, _person, number in each.iterator():
        people[kind] += 1
        returning[kind] += number > 1
    return {kind: {"people": people[kind], "returning": returning[kind]} for kind in people}


def _messages(sessions: QuerySet[Session]) -> dict[str, Row]:
    said = Message.objects.filter(session__in=sessions, role="user", superseded_at=None)
    return _by_kind(said.values("session__kind"), messages=Count("pk"))


def _operations(sessions: QuerySet[Session]) -> dict[str, Row]:
    """What was done, undone and what failed; undoing itself is not counted as doing."""
    own = Operation.objects.filter(batch__session__in=sessions, undoes=None)
    done = Q(status__in=DONE, executed_at__isnull=False)
    return _by_kind(
        own.values("batch__session__kind"),
        operations=Count("pk", filter=done),
        undone=Count("pk", filter=done & Q(undone_by__status__in=DONE), distinct=True),
        failed=Count("pk", filter=Q(status=Operation.Status.FAILED)),
    )


def _created(sessions: QuerySet[Session]) -> dict[str, Row]:
    made = Operation.objects.filter(
        batch__session__in=sessions, type=Operation.Type.CREATE, status__in=DONE, undoes=None
    )
    return _by_kind(
        made.values("batch__session__kind"),
        tasks=Count("pk", filter=Q(entity="task")),
        projects=Count("pk", filter=Q(entity="project")),
    )


def _runs(sessions: QuerySet[Session]) -> dict[str, Row]:
    own = Run.objects.filter(session__in=sessions)
    broken = Count("pk", filter=Q(status__in=BROKEN))
    return _by_kind(own.values("session__kind"), runs=Count("pk"), broken=broken)


def _feedback(sessions: QuerySet[Session]) -> dict[str, Row]:
    own = Feedback.objects.filter(message__session__in=sessions)
    good, bad = Q(rating=Feedback.Rating.GOOD), Q(rating=Feedback.Rating.BAD)
    return _by_kind(
        own.values("message__session__kind"),
        good=Count("pk", filter=good),
        bad=Count("pk", filter=bad),
    )


def _drafts(sessions: QuerySet[Session]) -> dict[str, Row]:
    """How many of the nine dimensions the drafts of creating conversations hold, on average."""
    has_text = [
        Case(When(~Q(**{name: ""}), then=1), default=0, output_field=IntegerField())
        for name in FIELDS
    ]
    filled = has_text[0]
    for one in has_text[1:]:
        filled = filled + one  # type: ignore[assignment]
    drafts = ProjectDraft.objects.filter(session__in=sessions, deleted_at=None)
    return {CREATE: drafts.aggregate(dimensions=Avg(filled))}


def _by_kind(rows: Any, **figures: Any) -> dict[str, Row]:
    """Aggregates by the one field that the rows have been narrowed to."""
    found: dict[str, Row] = {}
    for row in rows.order_by().annotate(**figures):
        told = dict(row)
        kind = next(told.pop(key) for key in list(told) if key.endswith("kind"))
        found[kind] = told
    return found


SUMS: Final = (
    "started", "completed", "questions", "messages", "operations", "undone", "failed", "tasks",
    "projects", "runs", "broken", "good", "bad",
)  # fmt: skip
TIMES: Final = ("to_completion", "to_operation", "lasted")


def _all(found: Mapping[str, Mapping[str, Any]], sessions: QuerySet[Session]) -> Metrics:
    """All modes together; people and days are counted once. One query."""
    told: dict[str, Any] = {
        name: sum(one.get(name) or 0 for one in found.values()) for name in SUMS
    }
    each: dict[Any, int] = defaultdict(int)
    days = set()
    for person, day, number in (
        sessions.annotate(day=TruncDate("created_at"))
        .values_list("participant", "day")
        .annotate(n=Count("pk"))
        .order_by()
    ):
        each[person] += number
        days.add(day)
    told |= {"people": len(each), "days": len(days)}
    told["returning"] = sum(number > 1 for number in each.values())
    told["dimensions"] = found[CREATE].get("dimensions")
    for name in TIMES:
        told[name] = _mean(found, name)
    return Metrics("", **told)


def _mean(found: Mapping[str, Mapping[str, Any]], name: str) -> timedelta | None:
    """The mean over all conversations of the modes' means."""
    weighed = [(one[name], one["weights"][name]) for one in found.values() if one.get(name)]
    number = sum(weight for _, weight in weighed)
    if not number:
        return None
    total = timedelta()
    for length, weight in weighed:
        total += length * weight
    mean: timedelta = total / number
    return mean
