"""What features hide from the model: words that are replaced on the way out, and put back after.

A feature registers a finder, which gives the redaction of a session or None. Every call of the
gateway passes through it: prompts and texts are hidden, answers shown again. What is not text
cannot be hidden (recordings).
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from contextvars import ContextVar
from typing import Any, Final, Protocol, TypeVar

import orjson
from pydantic import BaseModel, ValidationError

from futura.errors import ModelUnavailable
from futura.llm.protocols.shapes import ChatMessage

ModelT = TypeVar("ModelT", bound=BaseModel)


class Redaction(Protocol):
    """Replaces words, and knows for as long as it lives which it replaced."""

    note: str
    """What the model is told of the placeholders, once there is one in a prompt."""

    def hide(self, text: str) -> str: ...

    def show(self, text: str) -> str: ...


Finder = Callable[[uuid.UUID], Redaction | None]
_finders: Final[dict[str, Finder]] = {}
_working: ContextVar[tuple[uuid.UUID | None, str]] = ContextVar("working", default=(None, ""))


def register(kind: str, finder: Finder) -> None:
    """The finder for one kind of session; asked once for each session and gateway object."""
    _finders[kind] = finder


def redaction_of(session_id: uuid.UUID | None) -> Redaction | None:
    """The redaction of a session, or of the one this work is done for (`working_for`)."""
    working_id, kind = _working.get()
    requested = session_id or working_id
    if requested is None:
        return None
    is_known = kind and requested == working_id
    finders = [finder for of, finder in _finders.items() if not is_known or of == kind]
    candidates = (finder(requested) for finder in finders)
    return next((candidate for candidate in candidates if candidate is not None), None)


@contextmanager
def working_for(session_id: uuid.UUID, kind: str = "") -> Iterator[None]:
    """Calls made inside that name no session (embeddings of a search) are this one's; with its
    kind, only the finder of that kind is asked.
    """
    token = _working.set((session_id, kind))
    try:
        yield
    finally:
        _working.reset(token)


def hidden(redaction: Redaction | None, messages: Sequence[ChatMessage]) -> Sequence[ChatMessage]:
    """The prompt as the model may read it; the note stands at the end of its first message."""
    if redaction is None:
        return messages
    texts = [redaction.hide(message["content"]) for message in messages]
    if any(text != message["content"] for text, message in zip(texts, messages, strict=True)):
        texts[0] = f"{texts[0]}\n\n{redaction.note}"
    return [
        {"role": message["role"], "content": text}
        for text, message in zip(texts, messages, strict=True)
    ]


def shown_stream(redaction: Redaction | None, events: Generator[Any, None, Any]) -> Iterator[Any]:
    """A stream with the words put back: texts word by word, since a placeholder is one; a
    structured answer whole.
    """
    if redaction is None:
        yield from events
        return
    held = ""
    with closing(events):
        for event in events:
            if isinstance(event, BaseModel):
                if held:
                    yield redaction.show(held)
                    held = ""
                yield shown_model(redaction, event)
                continue
            held += event
            end = max(held.rfind(" "), held.rfind("\n")) + 1
            if end:
                yield redaction.show(held[:end])
                held = held[end:]
        if held:
            yield redaction.show(held)


def shown_model(redaction: Redaction | None, answer: ModelT) -> ModelT:
    """A structured answer with the words put back in every text.

    Raises ModelUnavailable when it does not fit its own form any more.
    """
    if redaction is None:
        return answer
    values = _shown(redaction, answer.model_dump(mode="json", by_alias=True))
    try:
        return type(answer).model_validate_json(orjson.dumps(values))
    except ValidationError as error:
        raise ModelUnavailable(reason="wrong_schema") from error


def _shown(redaction: Redaction, value: Any) -> Any:
    if isinstance(value, str):
        return redaction.show(value)
    if isinstance(value, list):
        return [_shown(redaction, item) for item in value]
    if isinstance(value, dict):
        return {redaction.show(str(key)): _shown(redaction, entry) for key, entry in value.items()}
    return value
