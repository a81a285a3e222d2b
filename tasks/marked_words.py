"""Reads which words of a person's messages stand for tasks: in the talk, later on the list."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from chat.models import Message, Session
from tasks.campaigns.journey import fixed_words
from tasks.interview.state import SurveyState
from tasks.models import SurveyResponse, WorkTask
from tasks.stretches import Place, is_same, joined, place_of


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
    response = None
    if own:
        rows = SurveyResponse.objects.select_related("campaign")
        response = rows.filter(pk=session.pk).first()
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


@dataclass(frozen=True)
class Quoted:
    task: WorkTask
    place: Place


def quoted_in(
    response: SurveyResponse, messages: Sequence[Message]
) -> Mapping[uuid.UUID, list[Quoted]]:
    """Tasks of the list, deleted ones too, by the message that they quote: one query.

    A task that was put together with others stands at their words, too.
    """
    by_id = {message.pk: message for message in messages}
    quoted: dict[uuid.UUID, list[Quoted]] = {pk: [] for pk in by_id}
    for task in response.tasks.order_by("position", "created_at"):
        for message_id, quote in _quotes(task):
            message = by_id.get(message_id)
            start = message.text.find(quote) if message and quote else -1
            if start >= 0:
                quoted[message_id].append(Quoted(task, (start, start + len(quote))))
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
    for place in _noted_in(message):  # what the reading of the message noted beside that
        if not _is_taken(place, marked):
            marked.append(_marked(message, place, Kind.NOTED, []))
    return sorted(marked, key=lambda words: words.start)


def _noted_in(message: Message) -> list[Place]:
    parts = [part for part in message.parts if part.get("type") == "noted"]
    return [(int(start), int(end)) for part in parts for start, end in part.get("spans", ())]


def _of_list(state: SurveyState, message: Message, quoted: Sequence[Quoted]) -> list[MarkedWords]:
    """By the rows that quote it; what is deleted counts as taken out."""
    marked: list[MarkedWords] = []
    for is_alive in (True, False):
        here = [item for item in quoted if (item.task.deleted_at is None) == is_alive]
        for place in joined(item.place for item in here):
            if not _is_taken(place, marked):
                tasks = [item.task.statement for item in here if is_same(item.place, place)]
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
