"""What an auditing conversation remembers between two messages."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from projects.modes.state import AgentState

Harshness = Literal[5, 7, 8]


class AuditMemory(BaseModel):
    """The setting, what the person is concerned about, and the numbers of the list shown last.

    `numbered` are keys of findings in the order in which they were numbered.
    """

    harshness: Harshness = 7
    concern: str = ""
    numbered: list[str] = Field(default_factory=list)
    has_audited: bool = False


class AuditState(AgentState):
    """An auditing conversation: the common fields and its own."""

    audit: AuditMemory = Field(default_factory=AuditMemory)
