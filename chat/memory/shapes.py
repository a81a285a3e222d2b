"""The past as guides get it: utterances, key facts, and the context that holds both."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

Kind = Literal[
    "correction", "decision", "preference", "date", "number", "name", "place", "statement"
]


@dataclass(frozen=True)
class Utterance:
    """One earlier message as a guide sees it: complete turns of the current branch, in order.

    `tokens` counts text and parts as a model would; 0 while not counted. `superseded_at` is set of
    a message that was replaced: the loader reads those, guides never get them.
    """

    role: Literal["user", "assistant"]
    text: str
    message_id: uuid.UUID
    parts: Sequence[Mapping[str, Any]] = ()
    seq: int = 0
    tokens: int = 0
    superseded_at: datetime | None = None


@dataclass(frozen=True)
class Fact:
    """Something the person said that must not be forgotten, and the message that says it.

    One that a later message replaced or took back stays with `superseded_by`, the id of that
    message: people see it, the model that summarises is told of it, and it holds again when that
    message goes.
    """

    text: str
    kind: Kind
    message_id: str
    seq: int
    by: Literal["basic", "model"] = "basic"
    superseded_by: str = ""
    superseded_seq: int = 0

    @property
    def holds(self) -> bool:
        """Neither replaced nor taken back."""
        return not self.superseded_by


@dataclass(frozen=True)
class Memory:
    """What is remembered of the covered part of a conversation."""

    summary: str
    facts: Sequence[Fact]


@dataclass(frozen=True)
class Context:
    """The past of a conversation within its budget.

    `messages` is the recent window, without the message being answered. `facts` and `summary`
    stand for what is older than the window and are empty while everything fits; `covered_seq` is
    the last message that the summary speaks of.
    """

    messages: Sequence[Utterance] = ()
    message: Utterance | None = None
    facts: Sequence[Fact] = ()
    summary: str = ""
    covered_seq: int = 0
    is_compacted: bool = False
    tokens: int = field(default=0, compare=False)
