"""What the ledger knows of projects, drafts, to-dos and notes."""

from __future__ import annotations

import uuid
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from chat.operations.registry import Operable, Plain, register
from projects import dimensions
from projects.commands.todo_times import before_words, repeat_words
from projects.models import DraftTask, Note, Project, ProjectDraft, Task

PROJECT_FIELDS: Final = (
    "name",
    "slug",
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
TASK_FIELDS: Final = (
    "title",
    "details",
    "priority",
    "start_date",
    "due_date",
    "due_time",
    "estimate_low_days",
    "estimate_high_days",
    "position",
    "is_suggested",
    "depends_on",
)


def _name(values: Plain) -> str:
    return str(values.get("name") or "")


def _title(values: Plain) -> str:
    return str(values.get("title") or "")


def _note(values: Plain) -> str:
    return str(values.get("title") or values.get("text") or "")[:60]


LABELS: Final = {
    **{one.field: one.name for one in dimensions.DIMENSIONS},
    "slug": _("Short name"),
    "executive_summary": _("Summary"),
    "due_time": _("Due at"),
    "estimate_low_days": _("Days at least"),
    "estimate_high_days": _("Days at most"),
    "depends_on": _("Waits for"),
    "repeat": _("Repeats"),
    "remind_at": _("Reminder"),
    "remind_minutes": _("Reminder before"),
    "assignee": _("Assigned to"),
}
# the machinery's own, which no log of changes shows
QUIET: Final = frozenset(
    {
        *("session", "position", "dimensions_covered", "question_count", "survey_task"),
        *("completed_at", "is_suggested"),
    }
)


def _project_url(key: uuid.UUID) -> str:
    return reverse("projects:project", args=[key])


def _draft_url(key: uuid.UUID) -> str:
    return reverse("projects:draft", args=[key])


OPERABLES: Final = (
    Operable(
        "project",
        Project,
        (*PROJECT_FIELDS, "status", "time_share_after"),
        title=_name,
        labels=LABELS,
        quiet=QUIET,
        url=_project_url,
    ),
    Operable(
        "draft",
        ProjectDraft,
        (
            *PROJECT_FIELDS,
            "session",
            "status",
            "dimensions_covered",
            "question_count",
            "completed_at",
            "finalized_project",
        ),
        title=_name,
        labels=LABELS,
        quiet=QUIET,
        url=_draft_url,
    ),
    Operable(
        "draft_task",
        DraftTask,
        (*TASK_FIELDS, "draft"),
        title=_title,
        parents=("draft",),
        labels=LABELS,
        quiet=QUIET,
        is_counted=False,  # a draft counts with its tasks as one thing
    ),
    Operable(
        "task",
        Task,
        (
            *(*TASK_FIELDS, "project", "status", "completed_at"),
            *("repeat", "remind_at", "remind_minutes", "assignee", "tags"),
        ),
        title=_title,
        parents=("project",),
        labels=LABELS,
        said={"repeat": repeat_words, "remind_minutes": before_words},
        quiet=QUIET,
        is_listed=True,
    ),
    Operable("note", Note, ("project", "title", "text"), title=_note, parents=("project",)),
)


def register_all() -> None:
    """Called once, when the app is ready."""
    for one in OPERABLES:
        register(one)
