"""What a conversation with the concierge remembers between two messages."""

from __future__ import annotations

import datetime as dt
from typing import Final

from pydantic import Field

from chat.assistant.state import AssistantState
from projects.concierge.basic.shapes import Memory

KIND: Final = "concierge"


class ConciergeState(AssistantState):
    """Saved in the session as JSON.

    `greeted_on` is the person's day of the last greeting, `memory` what the command line refers
    to. `is_pending_of_others` says that the question which stands open there came from other
    people's words.
    """

    greeted_on: dt.date | None = None
    memory: Memory = Field(default_factory=Memory)
    is_pending_of_others: bool = False
