"""What a conversation with the concierge remembers between two messages."""

from __future__ import annotations

import datetime as dt
from typing import Final

from pydantic import BaseModel, Field

from projects.concierge.understanding import Memory

KIND: Final = "concierge"


class ConciergeState(BaseModel):
    """Saved in the session as JSON.

    `greeted_on` is the person's day of the last greeting, `memory` what the rules know of the talk.
    The other two fields are what `projects.agent.apply` asks of every state.
    """

    turns: int = 0
    greeted_on: dt.date | None = None
    memory: Memory = Field(default_factory=Memory)
    operations_executed: int = 0
    has_untrusted_text: bool = False
