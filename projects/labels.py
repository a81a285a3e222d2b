"""What the fields of projects are called in the history and in the admin, as on pages."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from projects import field_labels
from projects.dimensions import DIMENSIONS

FIELDS: Final = {
    **field_labels.FIELDS,
    **{dimension.field: dimension.name for dimension in DIMENSIONS},
    # the two stand side by side in the history
    "remind_at": _("Reminder"),
    "remind_minutes": _("Reminder before the due date"),
    "actual_finish": _("actual end"),
    "completed_at": _("completed"),
    "dimensions_covered": _("dimensions covered"),
    "fell_at": _("reached in the forecast (%)"),
    "finalized_project": _("Project"),
    "inputs": _("inputs"),
    "is_suggested": _("suggested"),
    "question_count": _("questions asked"),
    "results": _("results"),
    "scored_at": _("scored"),
    "situation": _("situation"),
    "survey_task": _("task of the survey"),
    "time_share_after": _("Working time now"),
    "time_share_before": _("Working time before"),
    "variants": _("variants"),
}
