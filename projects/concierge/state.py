"""What a conversation with the concierge remembers between two messages."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any, Final, Literal

from pydantic import (
    BaseModel,
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    field_validator,
)

from chat.assistant.toolset import AssistantState
from projects.concierge.toolset import Call


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

    @field_validator("pending", mode="wrap")
    @classmethod
    def _drop_obsolete(cls, value: Any, read: ValidatorFunctionWrapHandler) -> Any:
        """A question that is asked no more, or about a tool that is no more, is dropped."""
        try:
            return read(value)
        except ValidationError:
            return None


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
