"""Which words of a person's messages stand for tasks: read, taken out, put back or added.

They are a note of the guide's state that the writing of the list follows. Once the list was written
from a message, its tasks are rows: they are changed there.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.db import transaction
from django.utils.translation import gettext as _

from chat import events
from chat.events.kinds import Reference
from chat.models import Message, Session
from futura.errors import BadInput, Busy, Conflict, NotFound
from futura.limits import TASK_STATEMENT_CHARS, required_text
from futura.rows import only
from tasks.campaigns.journey import fixed_words
from tasks.commands.base import MAX_TASKS
from tasks.interview.cards import changing_state
from tasks.interview.state import SurveyState
from tasks.models import SurveyResponse
from tasks.stretches import Place, is_same, joined, place_of, put_in, put_where, take_out


def selected_place(message: Message, words: object, near: int = 0) -> Place:
    """Where words selected in a message stand. Raises BadInput when they do not."""
    text = required_text(words, limit=TASK_STATEMENT_CHARS, field="words")
    place = put_where(message.text, text, near)
    if place is None:
        raise BadInput(_("This text is not in the answer."), field="words")
    return place


def mark(*, response: SurveyResponse, message: Message, place: Place, is_task: bool) -> None:
    """Sets whether a stretch of a message stands for a task; the same twice changes nothing.

    Raises NotFound for a message that is not the person's or of another talk, BadInput for a
    place outside it, Conflict when the list can only be read, or was or is being written from it.
    """
    _check(response, message, place)
    with transaction.atomic():
        held = SurveyResponse.objects.select_related("campaign").select_for_update(of=("self",))
        response = only(held.filter(pk=response.pk))
        if words := fixed_words(response):
            raise Conflict(words)
        if response.step in SurveyResponse.RUNNING:
            raise Busy(_("Your task list is being created. Try again in a moment."))
        if is_listed(response, message):
            raise Conflict(listed_words())
        with changing_state(message.session) as state:
            if not is_task:
                take_out(state, str(message.pk), place)
            elif len(state.mentioned_activities) >= MAX_TASKS:
                most = _("A task list can have at most %(most)d tasks.") % {"most": MAX_TASKS}
                raise BadInput(most)
            else:
                put_in(state, str(message.pk), place, message.text[slice(*place)])
            state.raise_coverage()
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


def is_listed(response: SurveyResponse, message: Message) -> bool:
    """Whether the list was written from this message: from then on its tasks are rows."""
    return message.seq <= response.processed_to_seq


def listed_words() -> str:
    """Why an answer that the list was written from stays as it is."""
    return _("Your task list was created from this answer. Edit the task in the list instead.")


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
    """The marked words of one message; `can_change` until the list is written from it."""

    marked: Sequence[MarkedWords] = ()
    can_change: bool = False


def words_of(session: Session, messages: Sequence[Message]) -> Mapping[uuid.UUID, Words]:
    """The marked words of a person's messages, by message: one query at most."""
    own = [message for message in messages if message.role == Message.Role.PERSON]
    rows = SurveyResponse.objects.select_related("campaign").filter(pk=session.pk)
    response = rows.first() if own else None
    if response is None:
        return {}
    state = SurveyState.model_validate(session.state or {})
    is_open = not fixed_words(response)
    return {
        message.pk: Words(_marked(state, message), is_open and not is_listed(response, message))
        for message in own
    }


def _marked(state: SurveyState, message: Message) -> list[MarkedWords]:
    """By what the guide noted and the person changed of it."""
    key = str(message.pk)
    mentions = [
        (place, mention)
        for mention in state.mentioned_activities
        if mention.message_id == key and (place := place_of(mention))
    ]
    marked: list[MarkedWords] = []

    def add(place: Place, kind: Kind, tasks: Iterable[str] = ()) -> None:
        if not any(place[0] < words.end and words.start < place[1] for words in marked):
            text = message.text[slice(*place)]
            marked.append(MarkedWords(*place, text, kind, list(dict.fromkeys(tasks))))

    for place in joined(place for place, _mention in mentions):
        here = [mention for there, mention in mentions if is_same(there, place)]
        kind = Kind.ADDED if all(mention.by_hand for mention in here) else Kind.NOTED
        add(place, kind, [mention.text for mention in here])
    for record in state.left_out:
        if record.message_id == key:
            tasks = [mention.text for mention in record.mentions]
            add((record.start, record.end), Kind.OUT, tasks)
    parts = [part for part in message.parts if part.get("type") == "noted"]
    spans = [span for part in parts for span in part.get("spans", ())]
    for start, end in spans:  # what the reading of the message noted beside that
        add((int(start), int(end)), Kind.NOTED)
    return sorted(marked, key=lambda words: words.start)
