"""From a task of a survey to a draft that knows what the survey said of it."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from chat.commands.run import run
from chat.commands.scope import OwnScope
from chat.identity import identity_of
from projects import from_survey
from projects.commands.drafts import DraftFromSurvey
from projects.views import answers
from tasks.queries import response_for


@require_POST
def begin(request: HttpRequest, session_id: uuid.UUID, task_id: uuid.UUID) -> HttpResponse:
    """Starts the draft, or leads to what was begun before."""
    identity = identity_of(request)
    response = response_for(identity, session_id)
    candidate = from_survey.candidate_for(response, task_id)
    if candidate.project is not None:
        return redirect(answers.project_url(candidate.project.pk))
    if candidate.draft is not None:
        return redirect("projects:draft", draft_id=candidate.draft.pk)
    outcome = run(DraftFromSurvey(task=candidate.task.pk), OwnScope(identity))
    return answers.went(reverse("projects:draft", args=[outcome.created[0]]), outcome.batch)
