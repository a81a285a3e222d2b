"""What the conversation about an entry remembers between two messages."""

from __future__ import annotations

import uuid
from enum import StrEnum
from typing import Any, Final, Literal

from pydantic import BaseModel, Field

KIND: Final = "portfolio_builder"


class Phase(StrEnum):
    """Where the work on an entry stands."""

    INTERVIEW = "interview"
    DRAFT = "draft"
    READY = "ready"
    PUBLISHED = "published"


class Proposal(BaseModel):
    """Something laid before the person that nothing was changed for yet.

    `fields` are values of the entry, `blocks` the whole description (None leaves it), `images` ids
    of pictures in their order, the hero first. `version` is that of the entry it was made for.
    """

    kind: Literal["content", "layout", "section", "project"]
    fields: dict[str, Any] = Field(default_factory=dict)
    blocks: list[dict[str, Any]] | None = None
    images: list[str] = Field(default_factory=list)
    version: int = 0


class Pending(BaseModel):
    """A wish that lacks something: the next message gives it."""

    wish: Literal["field", "quote", "fact", "section", "image_words", "place", "date"]
    name: str = ""
    given: dict[str, str] = Field(default_factory=dict)


class Said(BaseModel):
    """What the last answer was taken for, so that it can be put right."""

    topic: str = ""
    fields: list[str] = Field(default_factory=list)
    text: str = ""


class BuilderState(BaseModel):
    """Saved in the session as JSON; ids are put here by the server alone.

    `asked` counts how often a topic was asked about, `skipped` are topics that the person passed
    over, `told` is what was said of each topic, in the person's words. The last two fields are
    what `projects.agent.apply` asks of every state.
    """

    entry_id: uuid.UUID | None = None
    project_id: uuid.UUID | None = None
    phase: Phase = Phase.INTERVIEW
    turns: int = 0
    open: str = ""
    asked: dict[str, int] = Field(default_factory=dict)
    skipped: list[str] = Field(default_factory=list)
    told: dict[str, str] = Field(default_factory=dict)
    is_quiet: bool = False
    pending: Pending | None = None
    proposal: Proposal | None = None
    last: Said = Field(default_factory=Said)
    hinted: list[str] = Field(default_factory=list)
    operations_executed: int = 0
    has_untrusted_text: bool = False
