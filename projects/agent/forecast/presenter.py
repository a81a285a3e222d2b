"""How forecasting conversations look: phases, and the forecast below the message that tells it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any, ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from chat.models import Message, Session
from chat.presenters import Rendered
from projects.agent.readers import ReadingPresenter
from projects.agent.state import FORECAST, Phase
from projects.forecasting.models import Forecast
from projects.forecasting.pages import page_of


class ForecastPresenter(ReadingPresenter):
    """Forecasting: the picture stands with the answer, and leads to the page of the forecast."""

    kind = FORECAST
    mode = "forecast"
    name = _("Project forecast")
    composer_placeholder = _("Which situation or decision?")
    phases: ClassVar[Mapping[str, str | Promise]] = {
        Phase.GATHERING: _("Situation"),
        Phase.CLARIFYING: _("Assumptions"),
        Phase.COMPLETED: _("Forecast"),
    }

    def part(
        self, part: Mapping[str, Any], *, message: Message, session: Session
    ) -> Rendered | None:
        """The picture of a forecast; nothing where it is gone."""
        if part.get("type") != "forecast":
            return super().part(part, message=message, session=session)
        mine = Forecast.objects.filter(owner_id=session.participant_id)
        found = mine.filter(pk=uuid.UUID(str(part["id"]))).first()
        if found is None:
            return None
        return Rendered("projects/_forecast_part.html", {"page": page_of(found), "part": part})

    def part_words(self, part: Mapping[str, Any], *, message: Message) -> str:
        """Nothing: the message says it in words."""
        if part.get("type") == "forecast":
            return ""
        return super().part_words(part, message=message)
