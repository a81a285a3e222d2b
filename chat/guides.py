"""What a feature plugs into the engine: a guide answers turns of one kind of session.

A guide owns no transport and no HTML. It yields events; the engine stores what must not be lost,
appends the rest to the session's log, and never lets a guide see another session.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Protocol, TypeVar

from pydantic import BaseModel

from chat.memory.shapes import Context, Utterance
from futura.llm.client import Llm

__all__ = ["Context", "Utterance"]

StateT = TypeVar("StateT", bound=BaseModel)


@dataclass(frozen=True)
class StageStarted:
    """A step began; `label` is shown to the person while it lasts."""

    name: str
    label: str


@dataclass(frozen=True)
class StageDone:
    """A step ended: who did it, and what staff may want to see of it (kept in the run's trace)."""

    name: str
    by: Literal["model", "rules", "engine"]
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Text:
    """The next stretch of the reply."""

    delta: str


@dataclass(frozen=True)
class TextWithdrawn:
    """The reply so far is taken back; `instead` stands in its place."""

    instead: str


@dataclass(frozen=True)
class DraftText:
    """The next stretch of a text that grows beside the reply, in the part of type `drafting` with
    this id. It is shown and not stored: what becomes of it is a part or a change of its own.
    """

    id: uuid.UUID
    delta: str


@dataclass(frozen=True)
class Part:
    """A record kept with a message, e.g. suggestion cards (reply) or noted words (message).

    `data["type"]` names it; the presenter of the session kind renders it.
    """

    data: Mapping[str, Any]
    to: Literal["reply", "message"] = "reply"


@dataclass(frozen=True)
class StateChanged:
    """The guide's state is worth saving and showing now (progress, coverage, draft)."""

    what: str = "progress"


@dataclass(frozen=True)
class Ended:
    """The conversation is over by the person's own wish; the guide's `ended` hook follows."""


GuideEvent = (
    StageStarted | StageDone | Text | TextWithdrawn | DraftText | Part | StateChanged | Ended
)


@dataclass
class Turn(Generic[StateT]):
    """Everything a guide may use to answer. `message` is None for the opening.

    `state` is the guide's own copy: change it in place, the engine saves it with the reply.
    `context` is the past within its budget, for `chat.memory.assemble`; `history` its messages.
    `left_out` are messages with other people's words (see `chat.assistant.provenance`).
    """

    session_id: uuid.UUID
    run_id: uuid.UUID
    message: Utterance | None
    history: Sequence[Utterance]
    state: StateT
    llm: Llm
    context: Context = field(default_factory=Context)
    left_out: Sequence[Utterance] = ()


class Guide(Protocol[StateT]):
    """One kind of conversation. Registered with `register` in `AppConfig.ready`.

    A guide extends this class and has to say its kind, its state and how it responds; what else
    stands here are hooks, which do nothing unless they are overridden.
    """

    kind: str
    state_model: type[StateT]

    def respond(self, turn: Turn[StateT]) -> Iterator[GuideEvent]:
        """Answers one turn. Must be safe to run again from the same state.

        When the person stops it, `Cancelled` comes from a call of the model or at a `yield`: words
        that arrived and are held back can be yielded then, as one `Text`; then it is raised again.
        """
        ...

    def ended(self, session_id: uuid.UUID) -> None:
        """Called in the transaction that ends the session; jobs are to be enqueued on commit."""
        return

    def merge_saved(
        self, *, before: Mapping[str, Any], saved: Mapping[str, Any], state: StateT
    ) -> StateT:
        """The state to save, where it can also be changed from outside while the guide answers (a
        tapped card). `before` is what the run knew, `saved` what stands in the session now, both
        as JSON. Called under the session's lock.
        """
        return state

    def rewound(self, *, before: Mapping[str, Any], saved: Mapping[str, Any]) -> StateT:
        """The state to go back to when a turn is done anew: `before` stood before that turn,
        `saved` stands now, both as JSON. What came from outside meanwhile may stay.
        """
        return self.state_model.model_validate(before)


_guides: dict[str, Guide[Any]] = {}


def register(guide: Guide[Any]) -> None:
    """Adds a guide; two of one kind are a programming error (ValueError)."""
    if guide.kind in _guides:
        raise ValueError(f"There already is a guide for {guide.kind!r}.")
    _guides[guide.kind] = guide


def guide_for(kind: str) -> Guide[Any]:
    """The guide of a session kind; KeyError when no app registered one."""
    return _guides[kind]
