"""What a guide gets of the past: utterances, facts, and the context that holds both."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal[
    "correction", "decision", "preference", "date", "number", "name", "place", "statement"
]


@dataclass(frozen=True)
class Utterance:
    """One earlier message as a guide sees it: complete turns of the current branch, in order.

    `tokens` counts text and parts as a model would; 0 while not counted.
    """

    role: Literal["user", "assistant"]
    text: str
    message_id: uuid.UUID
    parts: Sequence[Mapping[str, Any]] = ()
    seq: int = 0
    tokens: int = 0


@dataclass(frozen=True)
class Fact:
    """Something the person said that must not be forgotten, and the message it came from.

    A corrected one stays as a mark with `superseded_by` (the message that corrected it) and with
    `old`: the words that must not come back, wherever they stand beside a stem of `about`.
    A withdrawn one has nothing in its place. Neither is sent to a model.

    `about` holds the stems of the text (of a mark: without those of `old`), `tokens` what its line
    in a prompt costs; both are kept because every turn needs them.
    """

    text: str
    kind: Kind
    message_id: str
    seq: int
    by: Literal["rules", "model"] = "rules"
    score: int = 1
    superseded_by: str = ""
    superseded_seq: int = 0
    withdrawn: bool = False
    old: str = ""
    about: tuple[str, ...] = ()
    tokens: int = 0

    @property
    def holds(self) -> bool:
        """Neither corrected nor withdrawn."""
        return not self.superseded_by and not self.withdrawn


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
