"""What the four conversations remember alike; each mode adds its own fields."""

from __future__ import annotations

import uuid
from enum import StrEnum
from typing import Any, Final

from pydantic import Field

from chat.assistant.state import AssistantState
from futura.text import shortened

CREATE: Final = "project_create"
UPDATE: Final = "project_update"
AUDIT: Final = "project_audit"
FORECAST: Final = "project_forecast"
KINDS: Final = (CREATE, UPDATE, AUDIT, FORECAST)
READ_ONLY: Final = frozenset({AUDIT, FORECAST})
MODES: Final = {kind.removeprefix("project_"): kind for kind in KINDS}
"""Session kinds by the word that stands in addresses: `create`, `update`, `audit`, `forecast`."""


class Phase(StrEnum):
    """Where a conversation stands (the names of the specification)."""

    GATHERING = "gathering_info"
    CLARIFYING = "clarifying"
    FINALIZING = "finalizing"
    COMPLETED = "completed"


class AgentState(AssistantState):
    """Saved in the session as JSON. Ids are put here by the server alone, never by a model.

    `dimensions_detected` are fields of `projects.dimensions`; `user_responses` keeps by field what
    was answered last, in short.
    """

    phase: Phase = Phase.GATHERING
    project_id: uuid.UUID | None = None
    draft_id: uuid.UUID | None = None
    dimensions_detected: list[str] = Field(default_factory=list)
    questions_asked: int = 0
    user_responses: dict[str, str] = Field(default_factory=dict)

    @property
    def metadata(self) -> dict[str, Any]:
        """The `agent_metadata` of the specification's API."""
        return {
            "dimensions_detected": self.dimensions_detected,
            "questions_asked": self.questions_asked,
            "user_responses": self.user_responses,
            "operations_executed": self.operations_executed,
            "session_phase": self.phase.value,
        }


def from_words(text: str) -> str:
    """The title of a batch that a message caused: its first words, quoted."""
    return f"“{shortened(text, 60)}”"
