"""Writes the English beside tasks that a person added or reworded in another language.

It is looked for in the background, before the match: the catalogue is searched in English.
"""

from __future__ import annotations

import logging
import uuid

from django.utils.translation import gettext as _

from chat.operations.changes import Kind
from futura.errors import Conflict, ModelUnavailable
from futura.llm.client import Llm
from tasks import changes
from tasks.coding.records import RawTask
from tasks.coding.statements import word_statements
from tasks.interview.state import SurveyState
from tasks.models import SurveyResponse, TaskMatch, WorkTask

log = logging.getLogger(__name__)


def write_english(response_id: uuid.UUID) -> int:
    """Asks the model for the English of waiting tasks without it; how many were written.

    Nothing without a model, in an English talk, or when somebody was faster.
    """
    llm = Llm(session_id=response_id)
    response = SurveyResponse.objects.select_related("session").filter(pk=response_id).first()
    if response is None or not llm.is_configured or _is_english(response):
        return 0
    waiting = WorkTask.objects.filter(
        response=response, deleted_at=None, english="", match__status=TaskMatch.Status.PENDING
    ).exclude(source=WorkTask.Source.SUGGESTION)
    tasks = list(waiting)
    if not tasks:
        return 0
    raws = [RawTask(task.statement, task.statement, task.message_id or task.pk) for task in tasks]
    try:
        statements = word_statements(raws, llm=llm)
    except ModelUnavailable as error:
        log.warning("the English of %d tasks was not written: %s", len(tasks), error.reason)
        return 0
    updates = []
    for task, statement in zip(tasks, statements, strict=True):
        if statement is not None and statement.english:
            task.english = statement.english
            updates.append(changes.put(task, "english"))
    if not updates:
        return 0
    try:
        changes.perform(
            response,
            updates,
            actor=changes.owner_of(response, kind=Kind.SYSTEM),
            title=_("Wrote the English"),
        )
    except Conflict:
        return 0
    return len(updates)


def _is_english(response: SurveyResponse) -> bool:
    state = SurveyState.model_validate(response.session.state or {})
    return state.basic_language.lower().startswith("en")
