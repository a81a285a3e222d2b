"""What a person has, as the concierge sees it each turn: bounded, most relevant first.

All participants of one account are one person: what was begun on another device before signing in
belongs to them, too.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from django.db.models import Case, Count, IntegerField, Q, QuerySet, When
from django.utils import timezone

from chat.assistant.working import owners_of
from chat.models import Participant, Session
from chat.operations.models import Operation, OperationBatch
from futura.text import shortened
from projects.dimensions import covered
from projects.models import Project, ProjectDraft, Task
from projects.modes.rows import task_line
from projects.modes.state import KINDS
from projects.todos.queries import CALLS, LONG_LATE, counts_of
from tasks.models import SurveyResponse

TASKS: Final = 60
RECENT: Final = 10
PROJECTS: Final = 12
FEW: Final = 5
REVIEWS: Final = 1_000
IN_TEXT: Final = 12  # tasks of one heading in the prompt
TITLE_CHARS: Final = 120
SOON: Final = dt.timedelta(days=7)
LATELY: Final = dt.timedelta(days=14)
PRESSING: Final = 3  # the last of the ranks that call for something today
_ALIVE = Q(deleted_at__isnull=True)
_OPEN = Q(status__in=Task.ACTIVE)
Owners = Sequence[uuid.UUID]


@dataclass(frozen=True)
class SurveyLine:
    """A work survey that was not submitted yet; `count` are the tasks noted so far."""

    id: uuid.UUID
    title: str
    count: int
    touched_at: dt.datetime
    is_talking: bool = True


@dataclass(frozen=True)
class Snapshot:
    """Everything a turn starts from. `now` is aware, in the person's zone; `today` its day.

    `tasks` are active ones with their projects, most relevant first (critical, overdue, due today,
    high, …), `recent` those touched last; `counts` is what every page counts
    (`projects.todos.queries.counts_of`). Projects have `open_count`. Lists are cut, counts are not.
    """

    now: dt.datetime
    owner_ids: tuple[uuid.UUID, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    tasks: Sequence[Task] = ()
    recent: Sequence[Task] = ()
    projects: Sequence[Project] = ()
    project_count: int = 0
    drafts: Sequence[ProjectDraft] = ()
    surveys: Sequence[SurveyLine] = ()
    reviews: Sequence[OperationBatch] = ()
    talks: Sequence[Session] = ()

    @property
    def today(self) -> dt.date:
        return self.now.date()

    @property
    def active_count(self) -> int:
        """Tasks that are neither completed nor dropped."""
        return sum(self.counts.get(f"status_{status}", 0) for status in Task.ACTIVE)

    @property
    def review_count(self) -> int:
        """Changes that wait, of all batches."""
        return sum(map(changes_in, self.reviews))

    @property
    def is_newcomer(self) -> bool:
        """Nothing was ever stored."""
        has_any = self.counts.get("all") or self.project_count
        return not (has_any or self.drafts or self.surveys)

    @property
    def overdue(self) -> list[Task]:
        return [task for task in self.tasks if task.due_date and task.due_date < self.today]

    @property
    def due_today(self) -> list[Task]:
        return [task for task in self.tasks if task.due_date == self.today]

    @property
    def soon(self) -> list[Task]:
        """Due in the next seven days, today left out."""
        last = self.today + SOON
        return [task for task in self.tasks if task.due_date and self.today < task.due_date <= last]

    @property
    def focus(self) -> list[Task]:
        """What to do first today: critical, just late, due today, high; blocked ones left out."""
        free = [task for task in self.tasks if task.status != Task.Status.BLOCKED]
        return [task for task in free if getattr(task, "rank", PRESSING) <= PRESSING]

    def of_priority(self, priority: str) -> list[Task]:
        return [task for task in self.tasks if task.priority == priority]

    def of_status(self, status: str) -> list[Task]:
        return [task for task in self.tasks if task.status == status]

    def as_text(self) -> str:
        """The snapshot as a prompt shows it, ids included."""
        blocks = [
            ("CRITICAL TASKS", _lines(self.of_priority("critical"))),
            ("High priority", _lines(self.of_priority("high"))),
            ("Overdue", _lines(self.overdue)),
            ("Due today", _lines(self.due_today)),
            ("Due in the next seven days", _lines(self.soon)),
            ("Blocked", _lines(self.of_status("blocked"))),
            ("Recent tasks", _lines(self.recent)),
            ("Projects", [
                f"- {shortened(project.name, TITLE_CHARS)} ({getattr(project, 'open_count', 0)} "
                f"open tasks{f'; ends {project.end_date}' if project.end_date else ''}) "
                f"id={project.pk}"
                for project in self.projects
            ]),
            ("Drafts of projects", [
                f"- {shortened(draft.name, TITLE_CHARS) or 'unnamed'} "
                f"({covered(draft)} of 9 parts described) id={draft.pk}"
                for draft in self.drafts
            ]),
            ("Surveys in progress", [
                f"- {shortened(survey.title, TITLE_CHARS)} ({survey.count} tasks noted)"
                for survey in self.surveys
            ]),
            ("Changes that wait for the person's review", _reviews(self.reviews)),
        ]  # fmt: skip
        named = [f"{name}:\n" + "\n".join(lines) for name, lines in blocks if lines]
        return "\n\n".join([self._head(), *named])

    def _head(self) -> str:
        statuses = ("inbox", "available", "scheduled", "blocked")
        counted = ", ".join(
            f"{self.counts.get(f'status_{status}', 0)} {status}" for status in statuses
        )
        names = ", ".join(shortened(project.name, 60) for project in self.projects) or "none"
        more = self.project_count - len(self.projects)
        late, due = self.counts.get("late", 0), self.counts.get("due_today", 0)
        resting = self.counts.get("resting", 0)
        return (
            f"Today: {self.now:%A}, {self.today}, {self.now:%H:%M}\n"
            f"Tasks: {self.active_count} active ({counted}); {late} overdue, {due} due today; "
            f"{self.counts.get('status_completed', 0)} completed"
            + (f"; {resting} more rest in projects that are not active" if resting else "")
            + f"\nProjects: {names}"
            + (f" and {more} more" if more > 0 else "")
        )


def _lines(tasks: Sequence[Task]) -> list[str]:
    lines = [task_line(task, with_project=True) for task in tasks[:IN_TEXT]]
    return [*lines, f"- and {len(tasks) - IN_TEXT} more"] if len(tasks) > IN_TEXT else lines


def _reviews(waiting: Sequence[OperationBatch]) -> list[str]:
    """Without the words of the message that asked: they may be somebody else's."""
    lines = []
    for review in waiting[:FEW]:
        is_quoted = review.title.startswith(("“", "„", "«"))
        name = "" if is_quoted else shortened(review.title, TITLE_CHARS)
        lines.append(f"- {name or 'changes'} ({changes_in(review)})")
    more = len(waiting) - FEW
    return [*lines, f"- and {more} more"] if more > 0 else lines


def changes_in(review: OperationBatch) -> int:
    """How many changes of a batch of the snapshot wait for the person's word."""
    return getattr(review, "waiting", 0)


# Reading --------------------------------------------------------------------------------------
def current_time() -> dt.datetime:
    """The moment that the concierge goes by, aware."""
    return timezone.now()


def build(participant: Participant, now: dt.datetime | None = None) -> Snapshot:
    """The snapshot of a person at a moment (now). Ten queries, whatever they have."""
    return of_owners(owners_of(participant), now)


def of_owners(owner_ids: Owners, now: dt.datetime | None = None) -> Snapshot:
    """The same for known owners, such as `identity.participant_ids`. Nine queries."""
    at = timezone.localtime(now or current_time())
    own = Task.objects.filter(_ALIVE, owner_id__in=owner_ids).select_related("project")
    active = own.filter(_OPEN, CALLS)
    projects, project_count = _projects(owner_ids)
    drafts = ProjectDraft.objects.filter(
        _ALIVE, owner_id__in=owner_ids, status=ProjectDraft.Status.IN_PROGRESS
    )
    talks = Session.objects.filter(
        participant_id__in=owner_ids, kind__in=KINDS, archived_at=None, deleted_at=None,
        status=Session.Status.ACTIVE, updated_at__gte=at - LATELY,
    ).only("pk")  # fmt: skip
    return Snapshot(
        now=at,
        owner_ids=tuple(owner_ids),
        counts=counts_of(owner_ids, at.date()),
        tasks=list(_most_relevant(active, at.date())[:TASKS]),
        recent=list(active.order_by("-updated_at")[:RECENT]),
        projects=projects,
        project_count=project_count,
        drafts=list(drafts.order_by("-updated_at")[:FEW]),
        surveys=surveys_of(owner_ids, session__updated_at__gte=at - LATELY),
        reviews=_waiting(owner_ids),
        talks=list(talks.order_by("-updated_at")[:FEW]),
    )


def _most_relevant(active: QuerySet[Task], today: dt.date) -> QuerySet[Task]:
    """Critical and late first, then what is due, what matters, what is stuck, what is unsorted;
    what has been late for long comes after what is due soon.
    """
    rank = Case(
        When(priority="critical", then=0),
        When(due_date__lt=today - LONG_LATE, then=5),
        When(due_date__lt=today, then=1),
        When(due_date=today, then=2),
        When(priority="high", then=PRESSING),
        When(due_date__lte=today + SOON, then=4),
        When(status="blocked", then=6),
        When(status="inbox", then=7),
        When(priority="low", then=9),
        default=8,
        output_field=IntegerField(),
    )
    return active.annotate(rank=rank).order_by("rank", "due_date", "created_at")


def _projects(owner_ids: Owners) -> tuple[list[Project], int]:
    own = Project.objects.filter(_ALIVE, owner_id__in=owner_ids, status=Project.Status.ACTIVE)
    is_open = Q(tasks__deleted_at=None, tasks__status__in=Task.ACTIVE)
    counted = own.annotate(open_count=Count("tasks", filter=is_open)).order_by("-updated_at")
    rows: list[Project] = list(counted.only("name", "end_date")[: PROJECTS + 1])
    return rows[:PROJECTS], len(rows) if len(rows) <= PROJECTS else own.count()


def surveys_of(owner_ids: Owners, **which: object) -> list[SurveyLine]:
    """The newest surveys that were not submitted yet, at most five. One query."""
    noted = "session__state__estimatedTaskCount"
    own = (
        SurveyResponse.objects.filter(session__participant_id__in=owner_ids, submitted_at=None)
        .filter(session__archived_at=None, session__deleted_at=None, **which)
        .annotate(task_count=Count("tasks", filter=Q(tasks__deleted_at=None)))
        .order_by("-session__updated_at")
    )
    return [
        SurveyLine(pk, title, max(count, values or 0), at, step == SurveyResponse.Step.IDLE)
        for pk, title, count, at, step, values in own.values_list(
            "pk", "job_title", "task_count", "session__updated_at", "step", noted
        )[:FEW]
    ]


def _waiting(owner_ids: Owners) -> list[OperationBatch]:
    pending = Count("operations", filter=Q(operations__status=Operation.Status.PENDING))
    own = (
        OperationBatch.objects.filter(
            owner_id__in=owner_ids, status=OperationBatch.Status.REVIEW, undoes=None
        )
        .annotate(waiting=pending)
        .filter(waiting__gt=0)
        .order_by("-created_at")
    )
    return list(own.only("title")[:REVIEWS])
