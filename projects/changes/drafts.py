"""Changes of drafts and their to-dos: from the first words to the project that comes of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.models import Session
from chat.operations.changes import Change, Create, Delete, Update, Values
from futura.errors import BadInput, Conflict
from projects import dimensions
from projects.changes.dimensions import covered_with
from projects.changes.projects import project_created
from projects.checks import checked, priority_of
from projects.models import DraftTask, ProjectDraft, Task

Status = ProjectDraft.Status
CARRIED: Final = (
    "name",
    "description",
    "context",
    "executive_summary",
    *dimensions.FIELDS,
    "tags",
    "start_date",
    "end_date",
    "survey_task",
    "time_share_before",
)
CARRIED_BY_TASKS: Final = (
    "title",
    "details",
    "priority",
    "start_date",
    "due_date",
    "due_time",
    "estimate_low_days",
    "estimate_high_days",
    "is_suggested",
)


def draft_created(values: Values, *, session: Session | None = None) -> Create:
    """A new draft, of a conversation or on its own. Raises BadInput, TooLong."""
    told = checked(values)
    told |= covered_with(ProjectDraft(), told)
    if session is not None:
        told["session"] = str(session.pk)
    return Create("draft", told)


def draft_edited(draft: ProjectDraft, values: Values, *, version: int | None = None) -> Update:
    """Other values for some fields; dimensions that get a text count as covered.

    Raises BadInput, TooLong, Conflict when it is no longer in progress.
    """
    _must_be_open(draft)
    told = checked(values, row=draft)
    if "dimensions_covered" not in told:
        told |= covered_with(draft, told)
    return Update("draft", draft.pk, told, version)


def draft_abandoned(draft: ProjectDraft) -> Update:
    """Given up; it can be taken up again until it is purged. Raises Conflict."""
    _must_be_open(draft)
    return Update("draft", draft.pk, {"status": Status.ABANDONED}, draft.version)


def draft_resumed(draft: ProjectDraft) -> Update:
    """Taken up again. Raises Conflict for one that became a project."""
    if draft.status == Status.COMPLETED:
        raise Conflict(_("This draft is a project already."))
    return Update("draft", draft.pk, {"status": Status.IN_PROGRESS}, draft.version)


def draft_task_created(
    draft: ProjectDraft, values: Values, *, position: int | None = None
) -> Create:
    """A to-do at the end of a draft. Raises BadInput, TooLong, Conflict."""
    _must_be_open(draft)
    told = _checked(values)
    if not told.get("title"):
        raise BadInput(_("Say what is to be done."), field="title")
    told["position"] = next_position(draft) if position is None else position
    return Create("draft_task", {**told, "draft": str(draft.pk)})


def next_position(draft: ProjectDraft) -> int:
    """Behind the last to-do of a draft."""
    last = draft.tasks.filter(deleted_at=None).aggregate(at=Max("position"))["at"]
    return (last or 0) + 1


def draft_task_edited(task: DraftTask, values: Values, *, version: int | None = None) -> Update:
    """Other values for a to-do of a draft. Raises BadInput, TooLong, Conflict."""
    _must_be_open(task.draft)
    return Update("draft_task", task.pk, _checked(values, task), version)


def draft_task_deleted(task: DraftTask, *, version: int | None = None) -> Delete:
    """Takes a to-do out of a draft. Raises Conflict."""
    _must_be_open(task.draft)
    return Delete("draft_task", task.pk, version)


def _checked(values: Values, task: DraftTask | None = None) -> dict[str, Any]:
    told = checked(values, row=task, required="title" if task else "")
    if "priority" in told:
        told["priority"] = priority_of(told["priority"])
    return told


def draft_finalised(
    draft: ProjectDraft, tasks: Sequence[DraftTask], *, name: str = ""
) -> list[Change]:
    """The project, its to-dos, and the draft's end: to be executed whole or not at all.

    The first change makes the project. Raises BadInput without a name, Conflict when the draft
    is no longer in progress.
    """
    _must_be_open(draft)
    values = {field: getattr(draft, field) for field in CARRIED} | {"name": name or draft.name}
    project = project_created(draft.owner_id, values)
    end = {
        "status": Status.COMPLETED,
        "completed_at": timezone.now(),
        "finalized_project": str(project.id),
        "name": project.values["name"],
    }
    return [
        project,
        *(_carried(task, project, place) for place, task in enumerate(tasks, start=1)),
        Update("draft", draft.pk, end, draft.version),
    ]


def _carried(task: DraftTask, project: Create, place: int) -> Create:
    values = {field: getattr(task, field) for field in CARRIED_BY_TASKS}
    status = Task.Status.AVAILABLE
    return Create(
        "task", {**values, "project": str(project.id), "position": place, "status": status}
    )


def _must_be_open(draft: ProjectDraft) -> None:
    if draft.status == Status.COMPLETED:
        raise Conflict(_("This draft is a project already."))
    if draft.status == Status.ABANDONED:
        raise Conflict(_("This draft was given up. Take it up again first."))
