"""Reads what a person has, for one turn or one page: a constant number of queries.

The concierge looks after all participants of one account: what was begun on another device before
signing in belongs to the same person.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Case, Count, IntegerField, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce
from django.utils import timezone

from chat.assistant.working import owners_of
from chat.models import Participant, Session
from chat.operations.models import Operation, OperationBatch
from projects.concierge.briefing import RECENT, Briefing, ReviewLine, SurveyLine
from projects.models import Project, ProjectDraft, Task
from projects.modes.state import KINDS
from projects.todos.queries import CALLS, counts_of, people_and_tags
from tasks.models import SurveyResponse

TASKS: Final = 60
PROJECTS: Final = 12
FEW: Final = 5
REVIEWS: Final = 1_000
KNOWN: Final = 2_000
GONE: Final = 200
CLOSED_LATELY: Final = dt.timedelta(days=14)
SESSIONS_LIVE: Final = dt.timedelta(days=14)
_ALIVE = Q(deleted_at__isnull=True)
_NOTED: Final = "session__state__estimatedTaskCount"
_OPEN = Q(status__in=Task.ACTIVE)

_NAMED: Final = ("title", "status", "priority", "due_date", "project_id")
Owners = Sequence[uuid.UUID]


@dataclass(frozen=True)
class Known:
    """Everything a line may refer to: open to-dos, lately closed or deleted (`gone`) ones.

    What is not in here cannot be named; nothing of other people is ever in here.
    """

    tasks: Sequence[Task] = ()
    projects: Sequence[Project] = ()
    gone: Sequence[Task] = ()
    people: Sequence[str] = ()
    tags: Sequence[str] = ()


def current_time() -> dt.datetime:
    """The moment that the concierge goes by, aware."""
    return timezone.now()


def build(participant: Participant, now: dt.datetime | None = None) -> Briefing:
    """The briefing of a person at a moment (now). Ten queries, whatever they have."""
    return of_owners(owners_of(participant), now)


def of_owners(owner_ids: Owners, now: dt.datetime | None = None) -> Briefing:
    """The same for known owners, such as `identity.participant_ids`. Nine queries."""
    at = timezone.localtime(now or current_time())
    mine = Task.objects.filter(_ALIVE, owner_id__in=owner_ids).select_related("project")
    counts = counts_of(owner_ids, at.date())
    active = mine.filter(_OPEN, CALLS)
    projects, project_count = _projects(owner_ids)
    return Briefing(
        now=at,
        owner_ids=tuple(owner_ids),
        counts={one: counts[f"status_{one}"] for one in Task.Status.values},
        tabs=counts,
        tasks=list(_most_relevant(active, at.date())[:TASKS]),
        recent=list(active.order_by("-updated_at")[:RECENT]),
        projects=projects,
        project_count=project_count,
        drafts=_drafts(owner_ids),
        surveys=surveys_of(owner_ids),
        reviews=_reviews(owner_ids),
        talks=_talks(owner_ids, at),
    )


def _most_relevant(active: QuerySet[Task], today: dt.date) -> QuerySet[Task]:
    """Late and critical first, then what is due, what matters, what is stuck, what is unsorted."""
    rank = Case(
        When(priority="critical", then=0),
        When(due_date__lt=today, then=1),
        When(due_date=today, then=2),
        When(priority="high", then=3),
        When(due_date__lte=today + dt.timedelta(days=7), then=4),
        When(status="blocked", then=5),
        When(status="inbox", then=6),
        When(priority="low", then=8),
        default=7,
        output_field=IntegerField(),
    )
    return active.annotate(rank=rank).order_by("rank", "due_date", "created_at")


def known_to(owner_ids: Owners, now: dt.datetime) -> Known:
    """What a line may refer to: open to-dos, lately closed or deleted ones, projects."""
    lately = Q(updated_at__gte=now - CLOSED_LATELY)
    mine = Task.objects.filter(_ALIVE, _OPEN | lately, owner_id__in=owner_ids)
    projects = Project.objects.filter(_ALIVE, owner_id__in=owner_ids)
    living = projects.exclude(status=Project.Status.ARCHIVED).order_by("-updated_at")
    lost = Task.objects.filter(owner_id__in=owner_ids, deleted_at__gte=now - CLOSED_LATELY)
    people, tags = people_and_tags(owner_ids)
    return Known(
        people=people,
        tags=tags,
        tasks=list(mine.order_by("-updated_at").only(*_NAMED)[:KNOWN]),
        projects=list(living.only("name", "status")[:KNOWN]),
        gone=list(lost.order_by("-deleted_at").only("title")[:GONE]),
    )


def _projects(owner_ids: Owners) -> tuple[list[Project], int]:
    mine = Project.objects.filter(
        _ALIVE, owner_id__in=owner_ids, status=Project.Status.ACTIVE
    ).order_by("-updated_at")
    still_open = (
        Task.objects.filter(_ALIVE, _OPEN, project=OuterRef("pk"))
        .order_by()
        .values("project")
        .annotate(n=Count("pk"))
    )
    counted = mine.annotate(open_count=Coalesce(Subquery(still_open.values("n")), Value(0)))
    rows: list[Project] = list(counted.only("name", "end_date")[: PROJECTS + 1])
    return rows[:PROJECTS], len(rows) if len(rows) <= PROJECTS else mine.count()


def _drafts(owner_ids: Owners) -> list[ProjectDraft]:
    mine = ProjectDraft.objects.filter(
        _ALIVE, owner_id__in=owner_ids, status=ProjectDraft.Status.IN_PROGRESS
    )
    return list(mine.order_by("-updated_at")[:FEW])


def surveys_of(owner_ids: Owners) -> list[SurveyLine]:
    """The newest surveys that were not submitted yet, at most five. One query."""
    mine = (
        SurveyResponse.objects.filter(session__participant_id__in=owner_ids, submitted_at=None)
        .filter(session__archived_at=None, session__deleted_at=None)
        .annotate(task_count=Count("tasks", filter=Q(tasks__deleted_at=None)))
        .order_by("-session__updated_at")
    )
    fields = ("pk", "job_title", "task_count", "step", _NOTED)
    return [
        SurveyLine(
            pk, title, max(count, noted or 0), step == SurveyResponse.Step.IDLE
        )
        for pk, title, count, step, noted in mine.values_list(*fields)[:FEW]
    ]  # fmt: skip


def _reviews(owner_ids: Owners) -> list[ReviewLine]:
    waiting = Count("operations", filter=Q(operations__status=Operation.Status.PENDING))
    mine = (
        OperationBatch.objects.filter(
            owner_id__in=owner_ids, status=OperationBatch.Status.REVIEW, undoes=None
        )
        .annotate(waiting=waiting)
        .filter(waiting__gt=0)
        .order_by("-created_at")
    )
    rows = mine.values_list("pk", "title", "waiting")[:REVIEWS]
    return [ReviewLine(*values) for values in rows]


def _talks(owner_ids: Owners, now: dt.datetime) -> list[Session]:
    mine = Session.objects.filter(
        participant_id__in=owner_ids, kind__in=KINDS, archived_at=None, deleted_at=None,
        status=Session.Status.ACTIVE, updated_at__gte=now - SESSIONS_LIVE,
    ).only("pk")  # fmt: skip
    return list(mine.order_by("-updated_at")[:FEW])
