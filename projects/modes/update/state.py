"""What an updating conversation remembers between two messages."""

from __future__ import annotations

import uuid
from typing import Any, Literal

from pydantic import BaseModel, Field

from projects.modes.state import AgentState


class Option(BaseModel):
    """One button under a question: what it says, and what it changes.

    `entity` is `task` (with `id`), or `note` and `dimension`, which take the text of `unplaced`.
    """

    label: str
    values: dict[str, Any] = Field(default_factory=dict)
    entity: str = "task"
    id: uuid.UUID | None = None


class OpenQuestion(BaseModel):
    """What was asked and waits for a button: whether tasks move along with the end, which share of
    the working time a finished project's task takes now, or where some text belongs.

    `of_others`: it came from other people's words.
    """

    kind: Literal["shift", "share", "place"]
    text: str
    options: list[Option] = Field(default_factory=list)
    of_others: bool = False


class UpdateMemory(BaseModel):
    """Questions that are open, the first one put last time; `unplaced` is what basic mode kept."""

    questions: list[OpenQuestion] = Field(default_factory=list)
    unplaced: str = ""


class UpdateState(AgentState):
    """An updating conversation: the common fields and its open questions."""

    update: UpdateMemory = Field(default_factory=UpdateMemory)
