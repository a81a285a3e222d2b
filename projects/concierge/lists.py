"""Lists that are asked for: to-dos by status, words, project and date; projects by words."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import F, Q, QuerySet

from chat.assistant.delimiter import Delimiter
from chat.commands.base import NotInScope
from futura.text import STOP_WORDS, shortened, words
from projects.concierge.briefing import line_of
from projects.concierge.calls import FindProjects, ListTasks
from projects.models import Project, Task
from projects.todos.queries import CALLS, CLOSED, RANK

DISPLAYED: Final = 25


@dataclass(frozen=True)
class Listed:
    """To-dos that were asked for, nearest first; `total` counts those that are not here, too."""

    call: ListTasks
    tasks: Sequence[Task]
    total: int


@dataclass(frozen=True)
class ProjectsListed:
    """Projects that were asked for, last changed first."""

    projects: Sequence[Project]


def tasks(call: ListTasks, owner_ids: Sequence[uuid.UUID], today: dt.date) -> Listed:
    """What fits, at most 25. Raises NotInScope for a project that is not there."""
    own = Task.objects.filter(owner_id__in=owner_ids, deleted_at=None)
    fitting = own.filter(_status(call), _due(call, today), *_words(call.query or ""))
    if call.project:
        fitting = fitting.filter(project=_own_project(call.project, owner_ids))
    if call.priority:
        fitting = fitting.filter(priority=call.priority)
    is_closed = call.status in CLOSED
    order = [] if is_closed else [F("due_date").asc(nulls_last=True), RANK]
    ordered = fitting.select_related("project").order_by(*order, "-updated_at")
    rows = list(ordered[: DISPLAYED + 1])
    total = len(rows) if len(rows) <= DISPLAYED else fitting.count()
    return Listed(call, rows[:DISPLAYED], total)


def _words(query: str) -> list[Q]:
    """Every word that tells something, in title, notes or the project's name."""
    text = query.strip()
    telling = [word for word in words(text) if word not in STOP_WORDS] or ([text] if text else [])
    return [
        Q(title__icontains=word) | Q(details__icontains=word) | Q(project__name__icontains=word)
        for word in telling
    ]


def _status(call: ListTasks) -> Q:
    """As every page counts: what rests in a paused project is listed where it is asked for."""
    status = Q(status=call.status) if call.status else Q(status__in=Task.ACTIVE)
    if call.status == "all":
        return Q()
    is_asked_for = call.project or (call.query or "").strip() or call.status in {"inbox", *CLOSED}
    return status if is_asked_for else status & CALLS


def _due(call: ListTasks, today: dt.date) -> Q:
    week = today + dt.timedelta(days=6)
    narrowed = {
        None: Q(),
        "overdue": Q(due_date__lt=today, status__in=Task.ACTIVE),
        "today": Q(due_date=today),
        "tomorrow": Q(due_date=today + dt.timedelta(days=1)),
        "week": Q(due_date__gte=today, due_date__lte=week),
        "later": Q(due_date__gt=week),
        "none": Q(due_date=None),
    }
    return narrowed[call.due]


def _own_project(ref: str, owner_ids: Sequence[uuid.UUID]) -> uuid.UUID:
    try:
        key = uuid.UUID(ref.strip())
    except ValueError:
        raise NotInScope from None
    if not _projects(owner_ids).filter(pk=key).exists():
        raise NotInScope
    return key


def _projects(owner_ids: Sequence[uuid.UUID]) -> QuerySet[Project]:
    return Project.objects.filter(owner_id__in=owner_ids, deleted_at=None)


def projects(call: FindProjects, owner_ids: Sequence[uuid.UUID]) -> ProjectsListed:
    """Projects that are not archived, at most 25; with words, those whose names have them all."""
    own = _projects(owner_ids).exclude(status=Project.Status.ARCHIVED)
    named = [Q(name__icontains=word) for word in words(call.query or "") if word not in STOP_WORDS]
    return ProjectsListed(list(own.filter(*named).order_by("-updated_at")[:DISPLAYED]))


# For the model --------------------------------------------------------------------------------
def tasks_text(listed: Listed, delimiter: Delimiter, today: dt.date) -> str:
    """To-dos with their ids."""
    if not listed.tasks:
        return "No task fits."
    lines = [line_of(task, today) for task in listed.tasks]
    if listed.total > len(lines):
        lines.append(f"- and {listed.total - len(lines)} more")
    return delimiter.around("tasks", "\n".join(lines))


def projects_text(listed: ProjectsListed, delimiter: Delimiter) -> str:
    """Projects with their ids."""
    lines = [f"- {shortened(project.name)} id={project.pk}" for project in listed.projects]
    return delimiter.around("projects", "\n".join(lines)) or "No project fits."
