"""What the ledger knows of tasks and matches of the work survey, and what they tell of changes."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from chat.operations.registry import Operable, Plain, register
from tasks import notifications
from tasks.changes import MATCH, TASK
from tasks.models import SurveyResponse, TaskMatch, WorkTask

TASK_FIELDS: Final = (
    "response",
    "position",
    "statement",
    "english",
    "raw",
    "quote",
    "message",
    "source",
    "suggestion_id",
    "merged_from",
    "group",
    "groups",
    "activity_ids",
    "time_share",
    "ai_level",
    "ai_tools",
)
MATCH_FIELDS: Final = (
    "task",
    "status",
    "candidates",
    "onet_task_id",
    "text",
    "occupation_code",
    "occupation_title",
    "score",
    "confidence",
    "reason",
    "method",
    "space",
    "catalogue",
    "for_version",
    "error",
)
LABELS: Final = {
    "english": _("In English"),
    "quote": _("Your words"),
    "time_share": _("Percent of your time"),
    "ai_level": _("AI use"),
    "ai_tools": _("AI tools"),
    "text": _("Statement of the catalogue"),
    "occupation_title": _("Occupation"),
    "task": _("Work task"),
}


def _statement(values: Plain) -> str:
    return str(values.get("statement") or "")


def _matched(values: Plain) -> str:
    return str(values.get("text") or "")


def _tasks_closed(rows: Sequence[WorkTask]) -> str:
    return _closed({row.response_id for row in rows})


def _matches_closed(rows: Sequence[TaskMatch]) -> str:
    tasks = WorkTask.objects.filter(pk__in=[row.task_id for row in rows])
    return _closed(set(tasks.values_list("response_id", flat=True)))


def _closed(response_ids: set[uuid.UUID]) -> str:
    """A list that was sent stands, whoever would like to take something back."""
    sent = SurveyResponse.objects.filter(pk__in=response_ids, submitted_at__isnull=False)
    if not sent.exists():
        return ""
    return gettext("This list was sent. It can be read, but no longer changed.")


OPERABLES: Final = (
    Operable(
        TASK,
        WorkTask,
        TASK_FIELDS,
        title=_statement,
        labels=LABELS,
        quiet=frozenset(
            {"response", "position", "raw", "message", "suggestion_id", "groups", "activity_ids"}
            | {"merged_from"}
        ),
        # the person's own words stay as they were said; the English goes with the statement
        read_only=frozenset({"quote", "source", "english"}),
        closed=_tasks_closed,
        changed=notifications.tasks_changed,
    ),
    Operable(
        MATCH,
        TaskMatch,
        MATCH_FIELDS,
        title=_matched,
        parents=("task",),
        labels=LABELS,
        quiet=frozenset(
            {"candidates", "onet_task_id", "occupation_code", "score", "space", "catalogue"}
            | {"for_version", "error", "confidence", "method"}
        ),
        # chosen on the review page, out of the candidates
        read_only=frozenset({"task", "status", "text", "occupation_title", "reason"}),
        closed=_matches_closed,
        changed=notifications.matches_changed,
    ),
)


def register_all() -> None:
    """Called once, when the app is ready."""
    for one in OPERABLES:
        register(one)
