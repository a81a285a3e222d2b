"""Lists that are asked for: tasks by status, words, project and date; projects by words."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence
from typing import Any, Final

from django.db.models import F, Q
from rapidfuzz import fuzz

from chat.commands.base import NotInScope
from futura.text import STOP_WORDS, content_stems, words
from projects.concierge import context
from projects.concierge.briefing import ProjectLine, TaskLine
from projects.concierge.calls import FindProjects, ListTasks
from projects.concierge.results import FoundProjects, Listed
from projects.models import Project, Task
from projects.todos.queries import CALLS, CLOSED

SHOWN: Final = 25
COMPARED: Final = 2_000
LIKE: Final = 70.0


def tasks(call: ListTasks, owner_ids: Sequence[uuid.UUID], today: dt.date) -> Listed:
    """What fits, at most 25; with words, those that have them, else those that are like them.

    Raises NotInScope for a project that is not there.
    """
    own = Task.objects.filter(owner_id__in=owner_ids, deleted_at=None)
    fitting = own.filter(_status(call), _due(call, today), _calling(call))
    if call.project:
        fitting = fitting.filter(project=_own_project(call.project, owner_ids))
    if call.priority:
        fitting = fitting.filter(priority=call.priority)
    if call.query and call.query.strip():
        return _searched(call, fitting)
    lines = context.lines_of(_ordered(call, fitting)[: SHOWN + 1])
    total = len(lines) if len(lines) <= SHOWN else fitting.count()
    return Listed(call, lines[:SHOWN], total)


def _searched(call: ListTasks, fitting: Any) -> Listed:
    said = (call.query or "").strip()
    wanted = [one for one in words(said) if one not in STOP_WORDS] or [said]
    having = fitting
    for one in wanted:
        having = having.filter(
            Q(title__icontains=one) | Q(details__icontains=one) | Q(project__name__icontains=one)
        )
    lines = context.lines_of(_ordered(call, having)[: SHOWN + 1])
    if lines:
        total = len(lines) if len(lines) <= SHOWN else having.count()
        return Listed(call, lines[:SHOWN], total)
    near = near_to(said, context.lines_of(_ordered(call, fitting)[:COMPARED]))
    return Listed(call, near[:SHOWN], len(near), is_near=True)


def _own_project(ref: str, owner_ids: Sequence[uuid.UUID]) -> uuid.UUID:
    try:
        own = Project.objects.filter(pk=uuid.UUID(ref.strip()), owner_id__in=owner_ids)
    except ValueError:
        raise NotInScope from None
    key = own.filter(deleted_at=None).values_list("pk", flat=True).first()
    if key is None:
        raise NotInScope
    return key


def near_to(said: str, lines: list[TaskLine]) -> list[TaskLine]:
    """Tasks whose titles are like some words, the likest first."""
    scored = [(_likeness(said, one.title), one) for one in lines]
    close = [pair for pair in scored if pair[0] >= LIKE]
    close.sort(key=lambda pair: -pair[0])
    return [one for _score, one in close]


def _likeness(said: str, title: str) -> float:
    shared, wanted = content_stems(said) & content_stems(title), content_stems(said)
    of_words = 100.0 * len(shared) / len(wanted) if wanted else 0.0
    return max(of_words, fuzz.token_set_ratio(said.lower(), title.lower()))


def _status(call: ListTasks) -> Q:
    if call.status == "all":
        return Q()
    return Q(status=call.status) if call.status else Q(status__in=Task.ACTIVE)


def _calling(call: ListTasks) -> Q:
    """As every page counts: what rests in a paused project is listed where it is asked for."""
    is_asked_for = call.project or (call.query and call.query.strip()) or call.status == "all"
    if is_asked_for or call.status in {"inbox", *CLOSED}:
        return Q()
    return CALLS


def _due(call: ListTasks, today: dt.date) -> Q:
    week = today + dt.timedelta(days=6)
    narrowed = {
        "overdue": Q(due_date__lt=today, status__in=Task.ACTIVE),
        "today": Q(due_date=today),
        "tomorrow": Q(due_date=today + dt.timedelta(days=1)),
        "week": Q(due_date__gte=today, due_date__lte=week),
        "later": Q(due_date__gt=week),
        "none": Q(due_date=None),
    }
    return narrowed[call.due] if call.due else Q()


def _ordered(call: ListTasks, fitting: Any) -> Any:
    if call.status in {"completed", "dropped"}:
        return fitting.order_by("-updated_at")
    return fitting.order_by(F("due_date").asc(nulls_last=True), _PRIORITY, "-updated_at")


_PRIORITY: Final = context.PRIORITY_RANK


def projects(call: FindProjects, owner_ids: Sequence[uuid.UUID]) -> FoundProjects:
    """Projects that are not archived, last changed first; with words, those that fit them."""
    own = Project.objects.filter(owner_id__in=owner_ids, deleted_at=None)
    found = own.exclude(status=Project.Status.ARCHIVED).order_by("-updated_at")
    lines = [_project(*values) for values in found.values_list("pk", "name", "end_date")[:COMPARED]]
    said = (call.query or "").strip().lower()
    if said:
        scored = [(_fits(said, one.name.lower()), one) for one in lines]
        lines = [one for score, one in sorted(scored, key=_score) if score >= LIKE]
    return FoundProjects(call, lines[:SHOWN])


def _project(key: uuid.UUID, name: str, end: dt.date | None) -> ProjectLine:
    return ProjectLine(key, name, end)


def _fits(said: str, name: str) -> float:
    return 100.0 if said in name else _likeness(said, name)


def _score(pair: tuple[float, ProjectLine]) -> float:
    return -pair[0]
