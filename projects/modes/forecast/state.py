"""What a forecasting conversation remembers between two messages."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, Field, model_validator

from projects.forecasting.variants import Variant
from projects.modes.state import AgentState


class ForecastMemory(BaseModel):
    """The situation, what was said about the work, and the forecast that was shown last.

    `assumptions` hold for this conversation's forecasts only: nothing is written to the tasks.
    """

    situation: str = ""
    assumptions: list[Variant] = Field(default_factory=list)
    forecast_id: uuid.UUID | None = None

    @model_validator(mode="before")
    @classmethod
    def _of_before(cls, stored: Any) -> Any:
        """Reads conversations of the first version, which had three fields for what was said."""
        if not isinstance(stored, Mapping) or "assumptions" in stored:
            return stored
        given: list[dict[str, Any]] = [
            {"kind": "takes", "task": task, "low": min(ends), "high": max(ends)}
            for task, ends in (stored.get("estimates") or {}).items()
        ]
        if stored.get("hands"):
            given.append({"kind": "team", "people": stored["hands"]})
        if stored.get("spread"):
            given.append({"kind": "sureness", "spread": stored["spread"]})
        return {**stored, "assumptions": given}


class ForecastState(AgentState):
    """A forecasting conversation: the common fields and its own."""

    forecast: ForecastMemory = Field(default_factory=ForecastMemory)
