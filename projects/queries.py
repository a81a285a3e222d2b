"""Reads of projects: the doors from an id to a row, lists in a constant number of queries."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, TypeVar

from django.db.models import Count, Max, Prefetch, Q, QuerySet, prefetch_related_objects
from django.db.models.functions import Coalesce
from django.utils import timezone

from chat.identity import Identity
from chat.models import Session
from chat.operations.models import Operation
from chat.operations.queries import ON_PAGE, Gesture, touching, within
from chat.operations.registry import OperableModel
from futura.rows import only
from projects.models import (
    KEPT_ABANDONED,
    KEPT_UNTOUCHED,
    DraftTask,
    Note,
    Project,
    ProjectDraft,
    Task,
)
from projects.modes.audit.models import Finding
from projects.modes.state import KINDS

RESUMED_WITHIN: Final = timedelta(hours=24)
HISTORY: Final = 8
NOTES_SHOWN: Final = 20  # on the page of their project, unless all are asked for
CLOSED_SHOWN: Final = 25  # on the page of their project; the list of what is done has all
RowT = TypeVar("RowT", bound=OperableModel)
_ALIVE = Q(deleted_at__isnull=True)
WAITS_FOR: Final = Prefetch(
    "depends_on", queryset=Task.objects.filter(_ALIVE).only("pk", "title", "status")
)
_LIVING_TASKS = Q(tasks__deleted_at__isnull=True)


def living(model: type[RowT], identity: Identity) -> QuerySet[RowT]:
    """The caller's own rows that are not deleted."""
    return model._default_manager.filter(_ALIVE, owner_id__in=identity.participant_ids)


def project_for(identity: Identity, project_id: uuid.UUID) -> Project:
    """The caller's own living project; NotFound for strangers and unknown ids alike."""
    return only(_projects(identity).filter(pk=project_id))


def draft_for(identity: Identity, draft_id: uuid.UUID) -> ProjectDraft:
    """The caller's own draft, whatever its status; NotFound for strangers and unknown ids."""
    return only(_drafts(identity).filter(pk=draft_id))


def task_for(identity: Identity, task_id: uuid.UUID) -> Task:
    """The caller's own living to-do with its project; NotFound for strangers and unknown ids."""
    return only(living(Task, identity).select_related("project").filter(pk=task_id))


def draft_task_for(identity: Identity, task_id: uuid.UUID, *, draft: uuid.UUID) -> DraftTask:
    """A living to-do of this very draft of the caller's; NotFound for all others."""
    own = living(DraftTask, identity).filter(draft=draft, draft__deleted_at=None)
    return only(own.select_related("draft").filter(pk=task_id))


def note_for(identity: Identity, note_id: uuid.UUID) -> Note:
    """The caller's own living note with its project; NotFound for strangers and unknown ids."""
    return only(living(Note, identity).select_related("project").filter(pk=note_id))


def _projects(identity: Identity) -> QuerySet[Project]:
    return living(Project, identity).annotate(
        task_count=Count("tasks", filter=_LIVING_TASKS & ~Q(tasks__status=Task.Status.DROPPED)),
        done_count=Count("tasks", filter=_LIVING_TASKS & Q(tasks__status=Task.Status.COMPLETED)),
    )


def projects_of(identity: Identity, status: str = "") -> Sequence[Project]:
    """The caller's projects, last changed first, each with `task_count` and `done_count`."""
    projects = _projects(identity)
    return list((projects.filter(status=status) if status else projects).order_by("-updated_at"))


def status_counts(identity: Identity) -> dict[str, int]:
    counted = living(Project, identity).values_list("status").annotate(n=Count("pk")).order_by()
    return dict.fromkeys(Project.Status.values, 0) | dict(counted)


def _drafts(identity: Identity) -> QuerySet[ProjectDraft]:
    return _with_tasks(living(ProjectDraft, identity)).select_related(
        "session", "finalized_project"
    )


def _with_tasks(drafts: QuerySet[ProjectDraft]) -> QuerySet[ProjectDraft]:
    return drafts.annotate(
        task_count=Count("tasks", filter=_LIVING_TASKS),
        tasks_touched_at=Max("tasks__updated_at"),
    )


def drafts_of(
    identity: Identity, status: str = ProjectDraft.Status.IN_PROGRESS
) -> list[ProjectDraft]:
    """The caller's drafts of a status ("" for any), last touched first, with `task_count`."""
    drafts = _drafts(identity)
    listed = list(drafts.filter(status=status) if status else drafts)
    return sorted(listed, key=lambda draft: draft.touched_at, reverse=True)


def draft_to_resume(identity: Identity, now: datetime | None = None) -> ProjectDraft | None:
    """The caller's draft in progress touched last, if that was within 24 hours."""
    latest = next(iter(drafts_of(identity)), None)
    since = (now or timezone.now()) - RESUMED_WITHIN
    return latest if latest is not None and latest.touched_at >= since else None


def untouched_drafts(now: datetime) -> list[ProjectDraft]:
    """Drafts in progress that nobody touched for seven days, everybody's."""
    before = now - KEPT_UNTOUCHED
    old = ProjectDraft.objects.filter(
        _ALIVE, status=ProjectDraft.Status.IN_PROGRESS, updated_at__lt=before
    )
    return [draft for draft in _with_tasks(old) if draft.touched_at < before]


def drafts_to_purge(now: datetime) -> list[ProjectDraft]:
    """Drafts that were given up 30 days ago, everybody's."""
    before = now - KEPT_ABANDONED
    given_up = ProjectDraft.objects.filter(status=ProjectDraft.Status.ABANDONED)
    return list(given_up.filter(_ALIVE, updated_at__lt=before).order_by("updated_at"))


def _tasks() -> QuerySet[Task]:
    living_tasks = Task.objects.filter(_ALIVE).prefetch_related(WAITS_FOR)
    return living_tasks.order_by("position", "created_at")


def tasks_of(project: Project, **which: Any) -> list[Task]:
    """The living to-dos of a project in their order, with what they wait for: two queries."""
    return list(_tasks().filter(project=project, **which))


def last_closed_of(project: Project) -> tuple[list[Task], int]:
    """The to-dos that were completed or dropped last, and how many were: three queries at most."""
    closed = _tasks().filter(project=project, status__in=Task.CLOSED)
    ended = Coalesce("completed_at", "updated_at").desc()
    latest = list(closed.order_by(ended, "pk")[:CLOSED_SHOWN])
    return latest, len(latest) if len(latest) < CLOSED_SHOWN else closed.count()


def whole(*projects: Project) -> Sequence[Project]:
    """These with their living `tasks` and `notes` and their `findings`: four queries."""
    prefetch_related_objects(
        projects,
        Prefetch("tasks", _tasks()),
        Prefetch("notes", Note.objects.filter(_ALIVE).order_by("-created_at")),
        Prefetch("findings", Finding.objects.order_by(*Finding.BY_GRAVITY)),
    )
    return projects


def open_todos_of(project: Project) -> list[Task]:
    return tasks_of(project, status__in=Task.ACTIVE)


def draft_tasks_of(draft: ProjectDraft) -> list[DraftTask]:
    """The living to-dos of a draft in their order, with what they wait for: two queries."""
    living = draft.tasks.filter(_ALIVE).prefetch_related("depends_on")
    return list(living.order_by("position", "created_at"))


def notes_of(project: Project, *, limit: int | None = None) -> list[Note]:
    return list(project.notes.filter(_ALIVE).order_by("-created_at")[:limit])


def conversations_about(project: Project) -> list[Session]:
    """Open conversations about a project, last used first; the one that made it among them."""
    is_about = Q(state__project_id=str(project.pk)) | Q(state__projectId=str(project.pk))
    made_it = Q(project_draft__finalized_project=project)
    return list(
        Session.objects.filter(is_about | made_it, participant_id=project.owner_id)
        .filter(kind__in=KINDS, archived_at=None, deleted_at=None)
        .order_by("-updated_at")
    )


@dataclass(frozen=True)
class History:
    """Batches, newest first, each with what its rows are called today; `next_key` as of `Page`."""

    gestures: Sequence[tuple[Gesture, Mapping[uuid.UUID, str]]]
    next_key: str = ""


def history_of(project: Project, *, after: str = "", limit: int = ON_PAGE) -> History:
    """A page of what touched a project, its to-dos or notes. At most four queries."""
    page = touching(within("project", project.pk), after=after, limit=limit)
    titles = _titles([operation for gesture in page.gestures for operation in gesture.operations])
    return History([(gesture, titles) for gesture in page.gestures], page.next_key)


def _titles(operations: Sequence[Operation]) -> dict[uuid.UUID, str]:
    """What to-dos and notes are called today, deleted ones too: at most two queries."""
    named: dict[uuid.UUID, str] = {}
    for entity, model in (("task", Task), ("note", Note)):
        ids = {operation.entity_id for operation in operations if operation.entity == entity}
        if ids:
            named |= {row.pk: str(row) for row in model.objects.filter(pk__in=ids)}
    return named
