"""Step 2 with a model: a statement for each task, in the person's language and in English.

What the model words is kept as it is. Too long a statement is asked for once more and never cut;
where none comes, the person's own words are the statement. The English of tasks that a person added
or reworded in another language is written before their match: the catalogue is searched in it.
"""

from __future__ import annotations

import logging
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils.translation import gettext_lazy

from chat import events
from chat.operations.changes import Kind
from futura.errors import ModelUnavailable
from futura.llm.checks import Reason
from futura.llm.client import Llm, each_side_by_side
from onet.queries import statements
from onet.translations import is_english, translate
from tasks import changes
from tasks.coding.prompts import NormalisationAnswer, WordedTask, normalisation_messages
from tasks.coding.records import EACH, MANY, MOST_AT_ONCE, fits, one_line
from tasks.interview.state import SurveyState, language_of
from tasks.models import SurveyResponse, TaskMatch, WorkTask

log = logging.getLogger(__name__)


Wording = tuple[str, str]
"""A statement, and the same in English where it is in another language."""


def word_statements(tasks: Sequence[WorkTask], *, llm: Llm, **about: str) -> None:
    """Writes on each (unsaved) task the statement that the model has for it, if it has one.

    A card's words stand; it gets the English only. `about` are the job title and the language of
    the talk. Raises ModelUnavailable where it was not asked about all, when what came is written.
    """
    wordings = _wordings([task.raw for task in tasks], llm, about)
    for task, wording in zip(tasks, wordings, strict=True):
        if isinstance(wording, tuple):
            is_card = task.source == WorkTask.Source.SUGGESTION
            task.statement, task.english = (task.statement if is_card else wording[0]), wording[1]
    for wording in wordings:
        if isinstance(wording, ModelUnavailable):
            raise wording


def _wordings(
    notes: Sequence[str], llm: Llm, about: Mapping[str, str]
) -> list[Wording | ModelUnavailable | None]:
    """For each note in order what the model says, if it fits, or why it could not be asked."""
    refused: Counter[str] = Counter()
    worded = _ask(notes, llm, about, refused)
    too_long = [
        place
        for place, item in worded.items()
        if isinstance(item, WordedTask) and not fits(one_line(item.normalized))
    ]
    again = _ask([notes[place] for place in too_long], llm, about, refused, is_repair=True)
    for place, item in again.items():
        if isinstance(item, WordedTask):
            worded[too_long[place]] = item
        else:
            log.warning("a statement was not asked for again: %s", item.reason)
    wordings = [_wording(worded.get(place), refused) for place in range(len(notes))]
    used = sum(isinstance(wording, tuple) for wording in wordings)
    llm.checked("normalisation", used=used, refused=refused)
    return wordings


def _ask(
    notes: Sequence[str],
    llm: Llm,
    about: Mapping[str, str],
    refused: Counter[str],
    *,
    is_repair: bool = False,
) -> dict[int, WordedTask | ModelUnavailable]:
    """The model's statements by the place of their note, from 0; some a call, side by side."""
    if not notes:
        return {}

    def ask(part: range) -> NormalisationAnswer:
        some = notes[part.start : part.stop]
        messages = normalisation_messages(some, is_repair=is_repair, **about)
        is_long = len(some) > MANY
        return llm.structured("normalisation", messages, NormalisationAnswer, is_long=is_long)

    size = -(-len(notes) // min(MOST_AT_ONCE, -(-len(notes) // EACH)))
    parts = [range(len(notes))[start : start + size] for start in range(0, len(notes), size)]
    worded: dict[int, WordedTask | ModelUnavailable] = {}
    for part, answer in zip(parts, each_side_by_side(ask, parts), strict=True):
        if isinstance(answer, ModelUnavailable):
            worded |= dict.fromkeys(part, answer)
            continue
        for item in answer.normalized_tasks:
            place = part.start + item.number - 1
            if place not in part:
                refused[Reason.UNKNOWN_ID] += 1
            elif place in worded:
                refused[Reason.NAMED_TWICE] += 1
            else:
                worded[place] = item
    return worded


def _wording(
    item: WordedTask | ModelUnavailable | None, refused: Counter[str]
) -> Wording | ModelUnavailable | None:
    """The statement of an item; None where it is missing, empty or too long, which is counted."""
    if isinstance(item, ModelUnavailable):
        return item
    if item is None:
        refused[Reason.MISSING] += 1
        return None
    text, english = one_line(item.normalized), one_line(item.english)
    if not fits(text):
        refused[Reason.TOO_LONG if text else Reason.EMPTY] += 1
        return None
    if english and not fits(english):
        refused[Reason.TOO_LONG] += 1
        english = ""
    return text, "" if english.casefold() == text.casefold() else english


# English beside tasks that a person added or reworded ---------------------------------------------
def write_english(response: SurveyResponse, tasks: Sequence[WorkTask]) -> dict[uuid.UUID, str]:
    """Has the model write the English of tasks in another language that lack it, on their rows too;
    those that it could not be asked about, by their keys, with the reason.

    They are those whose matches the caller looks up: nobody else asks for them. Nothing without a
    model, in an English talk, or for words that were changed meanwhile.
    """
    llm = Llm(session_id=response.pk)
    language = language_of(response.session.state or {})
    missing = [
        task for task in tasks if not task.english and task.source != WorkTask.Source.SUGGESTION
    ]
    if not missing or not llm.is_configured or is_english(language):
        return {}
    about = {"job_title": response.job_title, "language": language}
    wordings = _wordings([task.statement for task in missing], llm, about)
    unread = {
        task.pk: wording.reason
        for task, wording in zip(missing, wordings, strict=True)
        if isinstance(wording, ModelUnavailable)
    }
    if unread:
        log.warning("no English of %d tasks: %s", len(unread), next(iter(unread.values())))
    title = gettext_lazy("Added English statements")
    with transaction.atomic():
        rows = WorkTask.objects.select_for_update(no_key=True).order_by("pk")
        same = dict(
            rows.filter(pk__in=[task.pk for task in missing]).values_list("pk", "statement")
        )
        updates = []
        for task, wording in zip(missing, wordings, strict=True):
            if isinstance(wording, tuple) and wording[1] and same.get(task.pk) == task.statement:
                task.english = wording[1]
                updates.append(changes.put(task, "english"))
        if updates:
            changes.perform_each([(response, updates)], kind=Kind.SYSTEM, title=title)
    return unread


def translate_statements(response_id: uuid.UUID) -> int:
    """Has what a list and its cards show of the catalogue translated; how many are new.

    Once nothing of the list waits for its match any more: one worker asks, for all of it.
    """
    llm = Llm(session_id=response_id)
    response = _foreign(response_id, llm)
    if response is None:
        return 0
    state = SurveyState.model_validate(response.session.state)
    living = {"deleted_at": None, "task__deleted_at": None}
    matches = list(TaskMatch.objects.filter(task__response=response, **living))
    if any(match.status == TaskMatch.Status.PENDING for match in matches):
        return 0
    statement_by_id = statements(card.task_id for card in state.cards if card.task_id)
    texts = [  # cards that were taken from the catalogue, at most shortened at their end
        card.statement
        for card in state.cards
        if (statement := statement_by_id.get(card.task_id))
        and " ".join(statement.text.split()).startswith(card.statement)
    ]
    texts += [text for match in matches for text in match.catalogue_texts]
    written = translate(texts, state.basic_language, llm=llm)
    for match in matches if written else ():
        seen = events.Reference(kind="match", id=str(match.task_id), version=match.version)
        events.append(response_id, seen)
    return written


def _foreign(response_id: uuid.UUID, llm: Llm) -> SurveyResponse | None:
    """The survey when it is in another language and a model is there to translate."""
    if not llm.is_configured:
        return None
    response = SurveyResponse.objects.select_related("session").filter(pk=response_id).first()
    is_foreign = response is not None and not is_english(language_of(response.session.state or {}))
    return response if is_foreign else None
