"""Statuses, priorities and changes of projects as people read them."""

from __future__ import annotations

from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from projects.models import Project, Task

PROJECT_STATUS: Final = dict(Project.Status.choices)
TASK_STATUS: Final = dict(Task.Status.choices)
PRIORITY: Final = dict(Task.Priority.choices)
FIELDS: Final[dict[str, Any]] = {
    "name": _("Name"),
    "description": _("Description"),
    "executive_summary": _("Summary"),
    "context": _("Context"),
    "tags": _("Tags"),
    "start_date": _("Start date"),
    "end_date": _("End date"),
    "due_date": _("Due"),
    "due_time": _("Due time"),
    "status": _("Status"),
    "title": _("Title"),
    "details": _("Details"),
    "priority": _("Priority"),
    "estimate_low_days": _("Shortest estimate (days)"),
    "estimate_high_days": _("Longest estimate (days)"),
    "depends_on": _("Waiting for"),
    "repeat": _("Repeats"),
    "remind_at": _("Reminder at"),
    "remind_minutes": _("Reminder"),
    "assignee": _("Assignee"),
    "text": _("Text"),
}
CONVERSATION: Final[dict[str, str | Promise]] = {
    "project_create": _("Creation"),
    "project_update": _("Update"),
    "project_audit": _("Audit"),
    "project_forecast": _("Forecast"),
    "survey": _("Survey"),
    "portfolio_builder": _("Portfolio entry"),
}
