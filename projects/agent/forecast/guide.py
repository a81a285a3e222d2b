"""The guide of forecasting conversations."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

from chat.guides import GuideEvent, StateChanged, Text, Turn
from projects.agent.forecast import words
from projects.agent.forecast.answer import Forecasting
from projects.agent.forecast.state import ForecastState
from projects.agent.state import FORECAST
from projects.agent.toolbox import ToolBox


class ForecastGuide:
    """Asks for the situation, computes how the project may unfold, and tells it."""

    kind = FORECAST
    state_model = ForecastState

    def respond(self, turn: Turn[ForecastState]) -> Iterator[GuideEvent]:
        """The opening, or the answer to a message."""
        if turn.message is not None:
            yield from Forecasting(turn, turn.message).events()
            return
        project = ToolBox.of(turn).project()
        if project is None:
            yield Text(words.gone())
            return
        turn.state.questions_asked += 1
        yield Text(words.opening(project.name, str(turn.session_id)))
        yield StateChanged("agent")

    def ended(self, session_id: uuid.UUID) -> None:
        """Forecasting conversations do not end: the next “what if” may come any day."""
