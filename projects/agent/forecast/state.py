"""What a forecasting conversation remembers between two messages."""

from __future__ import annotations

import uuid

from pydantic import BaseModel, Field

from projects.agent.state import AgentState
from projects.forecasting.inputs import Spread


class ForecastMemory(BaseModel):
    """The situation, the assumptions that were said, and the forecast that was told last.

    `estimates` are ranges in working days by task id, said in the conversation: they hold for this
    forecast only, nothing is written to the tasks.
    """

    situation: str = ""
    hands: float | None = None
    spread: Spread | None = None
    estimates: dict[str, tuple[float, float]] = Field(default_factory=dict)
    has_asked: bool = False
    has_declined: bool = False
    forecast_id: uuid.UUID | None = None


class ForecastState(AgentState):
    """A forecasting conversation: the common fields and its own."""

    forecast: ForecastMemory = Field(default_factory=ForecastMemory)
