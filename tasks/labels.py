"""What the fields of the survey are called on pages, in the history and in the admin."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

FIELDS: Final = {
    "access": _("access"),
    "activity_ids": _("IDs of activities"),
    "ai_level": _("AI use"),
    "ai_tools": _("AI tools"),
    "before_at": _("first questions answered"),
    "campaign": _("campaign"),
    "candidates": _("candidates"),
    "catalogue": _("catalogue"),
    "closed_at": _("closed"),
    "confidence": _("confidence"),
    "consent_version": _("version of the consent"),
    "created_by": _("created by"),
    "english": _("In English"),
    "erased_at": _("deleted permanently"),
    "erased_by": _("who deleted it permanently"),
    "for_version": _("for version"),
    "groups": _("groups"),
    "invitation": _("invitation"),
    "is_invented": _("invented"),
    "job_title": _("job title"),
    "job_titles": _("job titles"),
    "known_names": _("known names"),
    "merged_from": _("merged from"),
    "number": _("number"),
    "occupation_code": _("occupation code"),
    "occupation_title": _("Occupation"),
    "onet_task_id": _("statement ID"),
    "processed_to_seq": _("tasks found up to message"),
    "quote": _("Your words"),
    "raw": _("own words"),
    "response": _("survey response"),
    "statement": _("statement"),
    "step": _("step"),
    "step_error": _("error of the step"),
    "TaskMatch.text": _("Catalogue statement"),
    "submitted_at": _("submitted"),
    "suggestion_id": _("suggestion ID"),
    "talk_minutes": _("minutes of conversation"),
    "task": _("Work task"),
    "task_count": _("number of tasks"),
    "time_share": _("Share of your time"),
    "turn_count": _("number of turns"),
}
