"""What the fields of the O*NET catalogue are called on pages, in the history and in the admin."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

FIELDS: Final = {
    "activities": _("activities"),
    "activity": _("activity"),
    "calibration": _("calibration"),
    "counts": _("counts"),
    "detailed": _("detailed activities"),
    "done": _("done"),
    "dwa_id": _("activity ID"),
    "english": _("in English"),
    "element_id": _("element ID"),
    "fingerprint": _("fingerprint"),
    "importance": _("importance"),
    "is_starter": _("starter catalogue"),
    "job_zone": _("job zone"),
    "loaded_at": _("loaded"),
    "occupation": _("occupation"),
    "release": _("release"),
    "short_title": _("short title"),
    "task_id": _("statement ID"),
    "total": _("total"),
    "value": _("value"),
}
