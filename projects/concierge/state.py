"""What a conversation with the concierge remembers between two messages."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Final

from pydantic import BaseModel, Field

from projects.concierge.basic.shapes import Memory

KIND: Final = "concierge"


class ConciergeState(BaseModel):
    """Saved in the session as JSON.

    `greeted_on` is the person's day of the last greeting, `memory` what the rules know of the talk.
    `is_pending_of_others` says that the question which stands open there came from other people's
    words. The other fields are what `projects.agent.apply` and `projects.agent.others` ask of
    every state.
    """

    turns: int = 0
    greeted_on: dt.date | None = None
    memory: Memory = Field(default_factory=Memory)
    operations_executed: int = 0
    has_untrusted_text: bool = False
    others: list[uuid.UUID] = Field(default_factory=list)
    is_pending_of_others: bool = False
