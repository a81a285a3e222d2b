"""The model's translations beside the catalogue's English statements that a person is shown."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

from chat import events
from futura.llm.client import Llm
from onet.queries import statements
from onet.translations import is_english, translate
from tasks.interview.state import SurveyState
from tasks.models import SurveyResponse, TaskMatch


def translate_statements(response_id: uuid.UUID) -> int:
    """Has what a list and its cards show of the catalogue translated; how many are new.

    Once nothing of the list waits for its match any more: one worker asks, for all of it.
    """
    llm = Llm(session_id=response_id)
    response = SurveyResponse.objects.select_related("session").filter(pk=response_id).first()
    if response is None or not llm.is_configured:
        return 0
    state = SurveyState.model_validate(response.session.state or {})
    if is_english(state.basic_language):
        return 0
    living = {"deleted_at": None, "task__deleted_at": None}
    matches = list(TaskMatch.objects.filter(task__response=response, **living))
    if any(match.status == TaskMatch.Status.PENDING for match in matches):
        return 0
    wanted = [text for match in matches for text in match.catalogue_texts]
    written = translate([*_cards(state), *wanted], state.basic_language, llm=llm)
    for match in matches if written else ():
        seen = events.Reference(kind="match", id=str(match.task_id), version=match.version)
        events.append(response_id, seen)
    return written


def _cards(state: SurveyState) -> Iterator[str]:
    """The words of cards that were taken from the catalogue, at most shortened at their end."""
    known = statements(card.task_id for card in state.cards if card.task_id)
    for card in state.cards:
        statement = known.get(card.task_id)
        if statement and " ".join(statement.text.split()).startswith(card.statement):
            yield card.statement
