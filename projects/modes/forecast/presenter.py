"""How forecasting conversations look: phases, the forecast, its branches, and the form."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any, ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from chat.models import Message, Session
from chat.presenters import Rendered
from projects.forecasting.models import Forecast
from projects.forecasting.pages import page_of
from projects.modes.presenters import ReadingPresenter
from projects.modes.state import FORECAST, Phase

_TEMPLATES = {
    "forecast": "projects/_forecast_part.html",
    "branches": "projects/_forecast_branches.html",
}
_SILENT = frozenset({*_TEMPLATES, "assume", "assumptions"})


class ForecastPresenter(ReadingPresenter):
    """Forecasting: the chart stands with the answer, what-if beside the first course."""

    kind = FORECAST
    mode = "forecast"
    name = _("Project forecast")
    composer_placeholder = _("What if …")
    phases: ClassVar[Mapping[str, str | Promise]] = {
        Phase.GATHERING: _("Plan"),
        Phase.CLARIFYING: _("Estimates"),
        Phase.COMPLETED: _("Forecast"),
    }

    def part(
        self, part: Mapping[str, Any], *, message: Message, session: Session
    ) -> Rendered | None:
        """The chart, the branches or the form; nothing where the forecast is gone."""
        if part.get("type") == "assume":
            context = {"part": part, "session": session, "message": message}
            return Rendered("projects/_forecast_assume.html", context)
        if part.get("type") not in _TEMPLATES:
            return super().part(part, message=message, session=session)
        own = Forecast.objects.filter(owner_id=session.participant_id)
        forecast = own.filter(pk=uuid.UUID(str(part["id"]))).first()
        if forecast is None:
            return None
        context = {"page": page_of(forecast), "part": part, "message": message}
        return Rendered(_TEMPLATES[part["type"]], context)

    def part_words(self, part: Mapping[str, Any], *, message: Message) -> str:
        """Nothing: the message says it in words."""
        if part.get("type") in _SILENT:
            return ""
        return super().part_words(part, message=message)
