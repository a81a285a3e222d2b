"""What the command line is given, what it remembers between messages, what it makes of one."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, Field, field_validator

from projects.concierge.tools import KINDS, Call


class Option(BaseModel):
    """One of the rows that a question names, in the order shown."""

    id: uuid.UUID
    label: str


class Pending(BaseModel):
    """A question that stands open.

    `offer`: a yes does the calls as they are. `tick`: the calls of those `options` are done that
    are ticked, and of no others; `key` names the list that was shown.
    """

    kind: Literal["offer", "tick"]
    calls: list[Call]
    options: list[Option] = Field(default_factory=list)
    question: str = ""
    is_ticked: bool = False
    key: str = ""


class Memory(BaseModel):
    """What a conversation remembers; lives in the session's state.

    `listed` are the to-dos of the last list as shown, `suggestions` what its numbered suggestions
    say when they are tapped.
    """

    listed: list[uuid.UUID] = Field(default_factory=list)
    suggestions: list[str] = Field(default_factory=list)
    pending: Pending | None = None

    @field_validator("pending", mode="before")
    @classmethod
    def _of_now(cls, value: Any) -> Any:
        """A question that is asked no more, or about a tool that is no more, is dropped."""
        if not isinstance(value, dict):
            return value
        calls = [call for call in value.get("calls", ()) if isinstance(call, dict)]
        is_known = all(call.get("tool") in KINDS for call in calls)
        return value if is_known and value.get("kind") != "choose" else None


@dataclass(frozen=True)
class Understanding:
    """What a line means.

    `calls` are to be done in their order; ids in them are those of rows in `Known`. `question` is
    what has to be asked, `reply` an answer that needs no data; both may stand beside calls.
    `did_you_mean` are messages to tap. `is_answer`: the line took up the question that stood open,
    `is_picked`: by picking rows of its list.
    """

    kind: Literal["calls", "question", "greet", "focus", "help", "unknown"]
    calls: tuple[Call, ...] = ()
    question: str = ""
    reply: str = ""
    did_you_mean: tuple[str, ...] = ()
    pending: Pending | None = None
    is_answer: bool = False
    is_picked: bool = False


@dataclass(frozen=True)
class Ticked:
    """Boxes that were ticked in the list of that key."""

    key: str
    ids: Sequence[str]
