"""What an updating conversation remembers between two messages."""

from __future__ import annotations

import uuid
from typing import Any, Literal

from pydantic import BaseModel, Field

from projects.agent.state import AgentState


class Option(BaseModel):
    """One way to understand an unclear wish: how it is told, and what it would change."""

    label: str
    values: dict[str, Any] = Field(default_factory=dict)
    entity: str = "task"
    id: uuid.UUID | None = None


class OpenQuestion(BaseModel):
    """What was asked and waits for an answer: which of several, whether to go on, which day, or
    which share of the working time a finished project's task takes now.

    `moves` is what gets the day. `of_others`: it came from other people's words.
    """

    kind: Literal["choose", "shift", "day", "share"]
    text: str
    options: list[Option] = Field(default_factory=list)
    moves: str = ""
    of_others: bool = False


class UpdateMemory(BaseModel):
    """Questions that are open, the first one asked last time."""

    questions: list[OpenQuestion] = Field(default_factory=list)


class UpdateState(AgentState):
    """An updating conversation: the common fields and its open questions."""

    update: UpdateMemory = Field(default_factory=UpdateMemory)
