"""Writes which catalogue statement a person takes for a task."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from chat.operations.changes import Actor
from futura.errors import BadInput, Conflict
from tasks import activities, changes
from tasks.actions.editing import Desk, editing, living_task, match_of
from tasks.models import SurveyResponse, TaskMatch, WorkTask

NONE_OF_THESE = "none"


def choose_match(
    *,
    response: SurveyResponse,
    task_id: uuid.UUID,
    candidate_id: object,
    version: int | None = None,
    actor: Actor | None = None,
) -> WorkTask:
    """Takes one of the candidates found, or `none` of them; the person's word is final.

    The task's activities and group follow in the same batch.
    """
    with editing(response, _("Chose a match"), actor) as desk:
        task = living_task(desk.response, task_id)
        match = match_of(task)
        if version is not None and version != match.version:
            raise Conflict(_("The suggestions for this task changed meanwhile. Choose again."))
        chosen: Mapping[str, Any] | None = None
        if candidate_id == NONE_OF_THESE:
            values = none_taken(_("You said that none of these fits."))
        else:
            chosen = candidate_among(match.candidates, candidate_id)
            values = taken(chosen, _("You chose this statement."))
        choose(desk, task, {**values, "method": TaskMatch.Method.PERSON}, chosen)
        return task


def choose(
    desk: Desk, task: WorkTask, values: Mapping[str, Any], chosen: Mapping[str, Any] | None
) -> None:
    """Puts a choice on the desk: the match's values, and the activities that follow from it."""
    desk.match(task, values)
    if activities.follow(task, chosen):
        desk.put(task, *activities.FIELDS)


def retry_match(
    *, response: SurveyResponse, task_id: uuid.UUID, actor: Actor | None = None
) -> WorkTask:
    """Has a match that could not be looked up looked up again; any other state stays as it is."""
    with editing(response, _("Asked for the match again"), actor) as desk:
        task = living_task(desk.response, task_id)
        if match_of(task).status == TaskMatch.Status.FAILED:
            desk.match(task, changes.WAITING)
        return task


def candidate_among(known: Sequence[Mapping[str, Any]], wanted: object) -> Mapping[str, Any]:
    """The candidate of that id. Raises BadInput."""
    found = next((one for one in known if one.get("task_id") == wanted), None)
    if found is None:
        raise BadInput(_("Choose one of the statements listed."), field="candidate")
    return found


def none_taken(why: str) -> dict[str, Any]:
    """What a match holds when somebody took none of the statements."""
    return {
        "status": TaskMatch.Status.NONE,
        "confidence": TaskMatch.Confidence.NONE,
        **dict.fromkeys(("onet_task_id", "text", "occupation_code", "occupation_title"), ""),
        "score": None,
        "reason": why,
    }


def taken(found: Mapping[str, Any], why: str) -> dict[str, Any]:
    """What a match holds when somebody took this candidate."""
    return {
        "status": TaskMatch.Status.MATCHED,
        "confidence": TaskMatch.Confidence.HIGH,
        "onet_task_id": found["task_id"],
        "text": found["text"],
        "occupation_code": found.get("occupation_code", ""),
        "occupation_title": found.get("occupation_title", ""),
        "score": found.get("score"),
        "reason": why,
    }
