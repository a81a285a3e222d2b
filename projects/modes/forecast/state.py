"""What a forecasting conversation remembers between two messages."""

from __future__ import annotations

import uuid
from typing import Annotated

from pydantic import BaseModel, Field

from projects.forecasting.variants import Variant
from projects.modes.state import AgentState


class ForecastMemory(BaseModel):
    """The situation, what was said about the work, and the forecast that was shown last.

    `assumptions` hold for this conversation's forecasts only: nothing is written to the tasks.
    """

    situation: str = ""
    assumptions: list[Annotated[Variant, Field(discriminator="kind")]] = Field(default_factory=list)
    forecast_id: uuid.UUID | None = None


class ForecastState(AgentState):
    """A forecasting conversation: the common fields and its own."""

    forecast: ForecastMemory = Field(default_factory=ForecastMemory)
