"""Plugs the four conversations into the engine; called once, when the app is ready."""

from __future__ import annotations

from chat import guides, presenters
from projects.modes.audit.guide import AuditGuide
from projects.modes.create.guide import CreateGuide
from projects.modes.forecast.guide import ForecastGuide
from projects.modes.presenters import (
    AuditPresenter,
    CreatePresenter,
    ForecastPresenter,
    UpdatePresenter,
)
from projects.modes.update.guide import UpdateGuide


def register_all() -> None:
    """Guide and presenter of each mode."""
    for guide in (CreateGuide(), UpdateGuide(), AuditGuide(), ForecastGuide()):
        guides.register(guide)
    for presenter in (CreatePresenter(), UpdatePresenter(), AuditPresenter(), ForecastPresenter()):
        presenters.register(presenter)
