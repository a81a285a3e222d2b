"""What the fields of projects are called on pages, in the history and in the admin."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from projects.dimensions import DIMENSIONS

FIELDS: Final = {
    **{dimension.field: dimension.name for dimension in DIMENSIONS},
    "actual_finish": _("actual end"),
    "assignee": _("assignee"),
    "completed_at": _("completed"),
    "depends_on": _("depends on"),
    "details": _("details"),
    "dimensions_covered": _("dimensions covered"),
    "due_date": _("due date"),
    "due_time": _("due time"),
    "end_date": _("end date"),
    "estimate_high_days": _("estimate, at most (days)"),
    "estimate_low_days": _("estimate, at least (days)"),
    "executive_summary": _("executive summary"),
    "fell_at": _("reached in the forecast (%)"),
    "finalized_project": _("project made of it"),
    "inputs": _("inputs"),
    "is_suggested": _("suggested"),
    "priority": _("priority"),
    "question_count": _("questions asked"),
    "remind_at": _("reminder at"),
    "remind_minutes": _("reminder before (minutes)"),
    "repeat": _("repeat"),
    "results": _("results"),
    "scored_at": _("scored"),
    "situation": _("situation"),
    "start_date": _("start date"),
    "survey_task": _("task of the survey"),
    "time_share_after": _("share of time after"),
    "time_share_before": _("share of time before"),
    "told_by": _("made by"),
    "variants": _("variants"),
}
