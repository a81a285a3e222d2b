"""Which words of a person's messages stand for tasks: read, taken out, put back or added.

Before the list is written it is a note of the guide's state that the writing follows; after it the
row itself is deleted, put back or made, in the ledger.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.db import transaction
from django.utils.translation import gettext as _

from chat import events
from chat.commands.base import Scope
from chat.commands.run import run
from chat.events.kinds import Reference
from chat.models import Message, Session
from futura.errors import BadInput, Busy, NotFound
from futura.limits import TASK_STATEMENT_CHARS, required_text
from tasks.campaigns.journey import fixed_words
from tasks.commands.base import MAX_TASKS, list_of
from tasks.commands.edit import AddTask, DeleteTasks
from tasks.commands.undo import restore_task
from tasks.interview.cards import changing_state
from tasks.interview.state import SurveyState
from tasks.models import SurveyResponse, WorkTask
from tasks.stretches import Place, is_same, joined, place_of, put_in, put_where, take_out


def selected_place(message: Message, words: object, near: int = 0) -> Place:
    """Where words selected in a message stand. Raises BadInput when they do not."""
    text = required_text(words, limit=TASK_STATEMENT_CHARS, field="words")
    place = put_where(message.text, text, near)
    if place is None:
        raise BadInput(_("This text is not in the answer."), field="words")
    return place


def mark(
    scope: Scope, *, response: SurveyResponse, message: Message, place: Place, is_task: bool
) -> None:
    """Sets whether a stretch of a message stands for a task; the same twice changes nothing.

    Raises NotFound for a message that is not the person's or of another talk, BadInput for a
    place outside it, Conflict when the list can only be read or is being written.
    """
    _check(response, message, place)
    with transaction.atomic():
        response = list_of(scope, response.pk).response
        if response.step in SurveyResponse.RUNNING:
            raise Busy(_("Your task list is being created. Try again in a moment."))
        if is_listed(response, message):
            _mark_on_list(scope, response, message, place, is_task=is_task)
        else:
            _mark_in_talk(response, message, place, is_task=is_task)
        changed = Reference("message", str(message.pk))
        transaction.on_commit(lambda: events.append(response.pk, changed))


def _check(response: SurveyResponse, message: Message, place: Place) -> None:
    is_persons = message.role == Message.Role.PERSON and message.superseded_at is None
    if not is_persons or message.session_id != response.pk:
        raise NotFound
    start, end = place
    if not 0 <= start < end <= len(message.text):
        raise BadInput(_("This text is not in the answer."), field="start")
    if end - start > TASK_STATEMENT_CHARS:
        raise BadInput(
            _("A task has at most %(most)d characters.") % {"most": TASK_STATEMENT_CHARS},
            field="words",
        )


def _mark_in_talk(
    response: SurveyResponse, message: Message, place: Place, *, is_task: bool
) -> None:
    with changing_state(response.session) as state:
        if not is_task:
            take_out(state, str(message.pk), place)
        elif len(state.mentioned_activities) >= MAX_TASKS:
            raise BadInput(_("A task list can have at most %(most)d tasks.") % {"most": MAX_TASKS})
        else:
            put_in(state, str(message.pk), place, message.text[slice(*place)])
        state.raise_coverage()


def _mark_on_list(
    scope: Scope, response: SurveyResponse, message: Message, place: Place, *, is_task: bool
) -> None:
    quoted = quoted_in(response, [message])[message.pk]
    here = [task for task, there in quoted if is_same(there, place)]
    living = [task for task in here if task.deleted_at is None]
    if not is_task:
        ids = tuple(task.pk for task in living)
        if ids:
            run(TakeOffWords(survey=response.pk, tasks=ids), scope)
    elif here and not living:
        for task in here:
            restore_task(scope, response.pk, task.pk)
    elif not living:
        words = message.text[slice(*place)]
        run(AddTask(survey=response.pk, statement=words, message=message.pk), scope)


class TakeOffWords(DeleteTasks):
    """Deletes the tasks that stand on marked words."""

    @property
    def ledger_title(self) -> str:
        return _("Removed a marked task")


Quoted = tuple[WorkTask, Place]


class Kind(StrEnum):
    """Where marked words come from, or that they were taken out."""

    NOTED = "noted"
    ADDED = "added"
    OUT = "out"


@dataclass(frozen=True)
class MarkedWords:
    """A stretch of a message, [start, end) characters, and the tasks that stand on it."""

    start: int
    end: int
    words: str
    kind: Kind
    tasks: Sequence[str] = ()

    @property
    def is_task(self) -> bool:
        return self.kind != Kind.OUT


@dataclass(frozen=True)
class Words:
    """The marked words of some messages, by message; `can_change` while the list is open."""

    by_message: Mapping[uuid.UUID, Sequence[MarkedWords]]
    can_change: bool


def words_of(session: Session, messages: Sequence[Message]) -> Words:
    """The marked words of a person's messages: two queries at most."""
    own = [message for message in messages if message.role == Message.Role.PERSON]
    rows = SurveyResponse.objects.select_related("campaign").filter(pk=session.pk)
    response = rows.first() if own else None
    if response is None:
        return Words({}, can_change=False)
    state = SurveyState.model_validate(session.state or {})
    listed = [message for message in own if is_listed(response, message)]
    quoted = quoted_in(response, listed) if listed else {}
    return Words(
        {
            message.pk: _of_list(state, message, quoted.get(message.pk, ()))
            if message in listed
            else _of_talk(state, message)
            for message in own
        },
        can_change=not fixed_words(response),
    )


def is_listed(response: SurveyResponse, message: Message) -> bool:
    """Whether the list was written from this message: from then on its tasks are rows."""
    return message.seq <= response.processed_to_seq


def quoted_in(
    response: SurveyResponse, messages: Sequence[Message]
) -> Mapping[uuid.UUID, list[Quoted]]:
    """Tasks of the list, deleted ones too, by the message that they quote: one query.

    Each with where it is quoted; one that was put together with others stands there, too.
    """
    by_id = {message.pk: message for message in messages}
    quoted: dict[uuid.UUID, list[Quoted]] = {pk: [] for pk in by_id}
    for task in response.tasks.order_by("position", "created_at"):
        for message_id, quote in _quotes(task):
            message = by_id.get(message_id)
            start = message.text.find(quote) if message and quote else -1
            if start >= 0:
                quoted[message_id].append((task, (start, start + len(quote))))
    return quoted


def _quotes(task: WorkTask) -> Iterable[tuple[uuid.UUID, str]]:
    if task.message_id:
        yield task.message_id, task.quote
    for entry in task.merged_from:
        if entry.get("message_id"):
            yield uuid.UUID(str(entry["message_id"])), str(entry.get("quote") or "")


def _of_talk(state: SurveyState, message: Message) -> list[MarkedWords]:
    """By what the guide noted and the person changed of it."""
    key = str(message.pk)
    mentions = [
        (place, mention)
        for mention in state.mentioned_activities
        if mention.message_id == key and (place := place_of(mention))
    ]
    marked = []
    for place in joined(place for place, _mention in mentions):
        here = [mention for there, mention in mentions if is_same(there, place)]
        kind = Kind.ADDED if all(mention.by_hand for mention in here) else Kind.NOTED
        marked.append(_marked(message, place, kind, [mention.text for mention in here]))
    marked = _with_left_out(state, message, marked)
    parts = [part for part in message.parts if part.get("type") == "noted"]
    spans = [span for part in parts for span in part.get("spans", ())]
    for start, end in spans:  # what the reading of the message noted beside that
        place = (int(start), int(end))
        if not _is_taken(place, marked):
            marked.append(_marked(message, place, Kind.NOTED, []))
    return sorted(marked, key=lambda words: words.start)


def _of_list(state: SurveyState, message: Message, quoted: Sequence[Quoted]) -> list[MarkedWords]:
    """By the rows that quote it; what is deleted counts as taken out."""
    marked: list[MarkedWords] = []
    for is_alive in (True, False):
        here = [(task, at) for task, at in quoted if (task.deleted_at is None) == is_alive]
        for place in joined(at for _task, at in here):
            if not _is_taken(place, marked):
                tasks = [task.statement for task, at in here if is_same(at, place)]
                kind = Kind.NOTED if is_alive else Kind.OUT
                marked.append(_marked(message, place, kind, tasks))
    return _with_left_out(state, message, marked)


def _with_left_out(
    state: SurveyState, message: Message, marked: list[MarkedWords]
) -> list[MarkedWords]:
    for record in state.left_out:
        place = (record.start, record.end)
        if record.message_id == str(message.pk) and not _is_taken(place, marked):
            tasks = [mention.text for mention in record.mentions]
            marked.append(_marked(message, place, Kind.OUT, tasks))
    return sorted(marked, key=lambda words: words.start)


def _marked(message: Message, place: Place, kind: Kind, tasks: Sequence[str]) -> MarkedWords:
    return MarkedWords(*place, message.text[slice(*place)], kind, list(dict.fromkeys(tasks)))


def _is_taken(place: Place, marked: Iterable[MarkedWords]) -> bool:
    return any(place[0] < words.end and words.start < place[1] for words in marked)
