"""Writes which catalogue statement a person takes for a task."""

from __future__ import annotations

import uuid

from django.utils.translation import gettext as _

from futura.errors import BadInput, Conflict
from tasks.actions.editing import editing, living_task, match_of, save_task
from tasks.actions.wording import start_match
from tasks.models import SurveyResponse, TaskMatch, WorkTask

NONE_OF_THESE = "none"


def choose_match(
    *,
    response: SurveyResponse,
    task_id: uuid.UUID,
    candidate_id: object,
    version: int | None = None,
) -> WorkTask:
    """Takes one of the candidates found, or `none` of them; the person's word is final."""
    with editing(response) as locked:
        task = living_task(locked, task_id)
        match = match_of(task)
        if version is not None and version != match.version:
            raise Conflict(_("The suggestions for this task changed meanwhile. Choose again."))
        if candidate_id == NONE_OF_THESE:
            _take_none(match)
        else:
            _take(match, candidate_id)
        match.method = TaskMatch.Method.PERSON
        match.version += 1
        match.save()
        save_task(task, "updated_at")
        return task


def retry_match(*, response: SurveyResponse, task_id: uuid.UUID) -> WorkTask:
    """Has a match that could not be looked up looked up again; any other state stays as it is."""
    with editing(response) as locked:
        task = living_task(locked, task_id)
        if match_of(task).status == TaskMatch.Status.FAILED:
            start_match(task)
            save_task(task, "updated_at")
        return task


def _take_none(match: TaskMatch) -> None:
    match.status = TaskMatch.Status.NONE
    match.confidence = TaskMatch.Confidence.NONE
    match.onet_task_id = match.text = match.occupation_code = match.occupation_title = ""
    match.score = None
    match.reason = _("You said that none of these fits.")


def _take(match: TaskMatch, candidate_id: object) -> None:
    found = next((one for one in match.candidates if one.get("task_id") == candidate_id), None)
    if found is None:
        raise BadInput(_("Choose one of the statements listed."), field="candidate")
    match.status = TaskMatch.Status.MATCHED
    match.confidence = TaskMatch.Confidence.HIGH
    match.onet_task_id = found["task_id"]
    match.text = found["text"]
    match.occupation_code = found.get("occupation_code", "")
    match.occupation_title = found.get("occupation_title", "")
    match.score = found.get("score")
    match.reason = _("You chose this statement.")
