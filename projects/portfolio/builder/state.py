"""What the conversation about an entry remembers between two messages."""

from __future__ import annotations

import uuid
from enum import StrEnum
from typing import Any, Final

from pydantic import BaseModel, Field

from chat.assistant.state import AssistantState

KIND: Final = "portfolio_builder"


class Phase(StrEnum):
    """Where the work on an entry stands."""

    INTERVIEW = "interview"
    DRAFT = "draft"
    READY = "ready"
    PUBLISHED = "published"


class Draft(BaseModel):
    """A draft that was laid before the person: where it waits, and its command."""

    batch: uuid.UUID
    operations: list[uuid.UUID]
    command: dict[str, Any]


class BuilderState(AssistantState):
    """Saved in the session as JSON; ids are put here by the server alone.

    `open` is the question that basic mode has put, `passed` those that were put or skipped; `told`
    is what was told of each section, word for word; `unplaced` a text that no question asked for.
    """

    entry_id: uuid.UUID | None = None
    project_id: uuid.UUID | None = None
    phase: Phase = Phase.INTERVIEW
    open: str = ""
    passed: list[str] = Field(default_factory=list)
    told: dict[str, str] = Field(default_factory=dict)
    unplaced: str = ""
    is_quiet: bool = False
    draft: Draft | None = None
    hinted: list[str] = Field(default_factory=list)
