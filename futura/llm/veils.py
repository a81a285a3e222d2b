"""What features keep from the model: words that are replaced on the way out, and put back after.

A feature registers a finder, which gives the veil of a session or None. Every call of the gateway
passes through it: prompts and texts are hidden, answers shown again. What is not text cannot be
hidden (recordings).
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from contextvars import ContextVar
from typing import Any, Final, Protocol, TypeVar

import orjson
from pydantic import BaseModel, ValidationError

from futura.errors import ModelUnavailable
from futura.llm.wires.shapes import ChatMessage

ModelT = TypeVar("ModelT", bound=BaseModel)


class Veil(Protocol):
    """Replaces words, and knows for as long as it lives which it replaced."""

    note: str
    """What the model is told of the placeholders, once there is one in a prompt."""

    def hide(self, text: str) -> str:
        """The text as the model may read it."""
        ...

    def show(self, text: str) -> str:
        """A text of the model with the words put back."""
        ...


Finder = Callable[[uuid.UUID], Veil | None]
_finders: Final[list[Finder]] = []
_inside: ContextVar[uuid.UUID | None] = ContextVar("session", default=None)


def register(finder: Finder) -> None:
    """Adds a finder; asked once for each session and gateway object."""
    if finder not in _finders:
        _finders.append(finder)


def veil_of(session_id: uuid.UUID | None) -> Veil | None:
    """The veil of a session, or of the one this work is done for (`working_for`)."""
    asked = session_id or _inside.get()
    if asked is None:
        return None
    found = (finder(asked) for finder in _finders)
    return next((one for one in found if one is not None), None)


@contextmanager
def working_for(session_id: uuid.UUID) -> Iterator[None]:
    """Calls made inside that name no session (embeddings of a search) are this one's."""
    token = _inside.set(session_id)
    try:
        yield
    finally:
        _inside.reset(token)


def hidden(veil: Veil | None, messages: Sequence[ChatMessage]) -> Sequence[ChatMessage]:
    """The prompt as the model may read it; the note stands at its end of the first message."""
    if veil is None:
        return messages
    told: list[ChatMessage] = [
        {"role": one["role"], "content": veil.hide(one["content"])} for one in messages
    ]
    if told and any(a["content"] != b["content"] for a, b in zip(told, messages, strict=True)):
        first = told[0]
        told[0] = {"role": first["role"], "content": f"{first['content']}\n\n{veil.note}"}
    return told


def shown_stream(veil: Veil | None, pieces: Iterator[str]) -> Iterator[str]:
    """A streamed text with the words put back; comes word by word, since a placeholder is one."""
    if veil is None:
        return pieces
    return _word_by_word(veil, pieces)


def _word_by_word(veil: Veil, pieces: Iterator[str]) -> Iterator[str]:
    held = ""
    with closing(_closable(pieces)) as stream:
        for piece in stream:
            held += piece
            whole = max(held.rfind(" "), held.rfind("\n")) + 1
            if whole:
                yield veil.show(held[:whole])
                held = held[whole:]
    if held:
        yield veil.show(held)


def _closable(pieces: Iterator[Any]) -> Any:
    return pieces if hasattr(pieces, "close") else (piece for piece in pieces)


def shown_model(veil: Veil | None, found: ModelT) -> ModelT:
    """A structured answer with the words put back in every text.

    Raises ModelUnavailable when it does not fit its own form any more.
    """
    if veil is None:
        return found
    values = _shown(veil, found.model_dump(mode="json", by_alias=True))
    try:
        return type(found).model_validate_json(orjson.dumps(values))
    except ValidationError as error:
        raise ModelUnavailable(reason="wrong_schema") from error


def _shown(veil: Veil, value: Any) -> Any:
    if isinstance(value, str):
        return veil.show(value)
    if isinstance(value, list):
        return [_shown(veil, one) for one in value]
    if isinstance(value, dict):
        return {veil.show(str(key)): _shown(veil, one) for key, one in value.items()}
    return value


def shown_structured(veil: Veil | None, events: Iterator[str | ModelT]) -> Iterator[str | ModelT]:
    """The pieces of a streamed field, then the whole, with the words put back."""
    if veil is None:
        return events
    return _shown_structured(veil, events)


def _shown_structured(veil: Veil, events: Iterator[str | ModelT]) -> Iterator[str | ModelT]:
    held = ""
    with closing(_closable(events)) as stream:
        for event in stream:
            if not isinstance(event, str):
                if held:
                    yield veil.show(held)
                    held = ""
                yield shown_model(veil, event)
                continue
            held += event
            whole = max(held.rfind(" "), held.rfind("\n")) + 1
            if whole:
                yield veil.show(held[:whole])
                held = held[whole:]
