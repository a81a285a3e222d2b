"""What an auditing conversation remembers between two messages."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from projects.agent.audit.findings import Finding
from projects.agent.state import AgentState

Harshness = Literal[5, 7, 8]


class AuditMemory(BaseModel):
    """The setting, what the person is concerned about, and the findings told last.

    `implemented` are ids of findings that were handed on as changes to review.
    """

    harshness: Harshness = 7
    concern: str = ""
    focus: list[str] = Field(default_factory=list)
    findings: list[Finding] = Field(default_factory=list)
    rest: list[Finding] = Field(default_factory=list)
    has_audited: bool = False
    asked: int = 0


class AuditState(AgentState):
    """An auditing conversation: the common fields and its own."""

    audit: AuditMemory = Field(default_factory=AuditMemory)
