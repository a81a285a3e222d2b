"""What the four conversations remember between two messages: alike, and each by itself."""

from __future__ import annotations

import uuid
from enum import StrEnum
from typing import Any, Final, Literal, get_args

from pydantic import BaseModel, Field, field_validator

from chat.assistant.toolset import AssistantState
from projects.forecasting.variants import Variant

CREATE: Final = "project_create"
UPDATE: Final = "project_update"
AUDIT: Final = "project_audit"
FORECAST: Final = "project_forecast"
KINDS: Final = (CREATE, UPDATE, AUDIT, FORECAST)
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


Asking = Literal["shift", "place", "dimension"]


class OpenQuestion(BaseModel):
    """What was asked and waits for a button: whether the to-dos of those `ids` move along with the
    end by so many `days`, or where the text of `unplaced` belongs, and in which dimension.

    `of_others`: it came from other people's words.
    """

    kind: Asking
    text: str
    ids: list[uuid.UUID] = Field(default_factory=list)
    days: int = 0
    of_others: bool = False


class UpdateMemory(BaseModel):
    """Questions that are open, the first one put last time; `unplaced` is what basic mode kept."""

    questions: list[OpenQuestion] = Field(default_factory=list)
    unplaced: str = ""

    @field_validator("questions", mode="before")
    @classmethod
    def _drop_obsolete(cls, questions: Any) -> Any:
        """What earlier versions asked and nothing answers any more would end every turn."""
        if not isinstance(questions, list):
            return questions
        return [
            item
            for item in questions
            if not isinstance(item, dict)
            or (item.get("kind") in get_args(Asking) and (item["kind"] != "shift" or "ids" in item))
        ]


class UpdateState(AgentState):
    """An updating conversation: the common fields and its open questions."""

    phase: Phase = Phase.CLARIFYING
    update: UpdateMemory = Field(default_factory=UpdateMemory)


class AskedQuestion(BaseModel):
    """A question that was put: about which dimension, in which words."""

    field: str
    text: str
    is_probe: bool = False


class CreateState(AgentState):
    """`current` is the dimension that the last question was about; `later` were left open.

    `requested` are dimensions that the person asked to be asked about; `previewed` is the mark of
    the draft that was shown for confirmation.
    """

    asked: list[AskedQuestion] = Field(default_factory=list)
    current: str = ""
    later: list[str] = Field(default_factory=list)
    requested: list[str] = Field(default_factory=list)
    has_asked_for_more: bool = False
    has_first_tasks: bool = False
    previewed: str = ""
    is_extra: bool = False  # the open question was asked for; the preview comes after it
    update: UpdateMemory = Field(default_factory=UpdateMemory)


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


class ForecastMemory(BaseModel):
    """The situation, what was said about the work, and the forecast that was shown last.

    `assumptions` hold for this conversation's forecasts only: nothing is written to the tasks.
    """

    situation: str = ""
    assumptions: list[Variant] = Field(default_factory=list)
    forecast_id: uuid.UUID | None = None


class ForecastState(AgentState):
    """A forecasting conversation: the common fields and its own."""

    forecast: ForecastMemory = Field(default_factory=ForecastMemory)
