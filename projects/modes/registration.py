"""Plugs the four conversations into the engine; called once, when the app is ready."""

from __future__ import annotations

from chat import guides, presenters
from projects.modes.audit.guide import AuditGuide
from projects.modes.audit.presenter import AuditPresenter
from projects.modes.create.guide import CreateGuide
from projects.modes.forecast.guide import ForecastGuide
from projects.modes.forecast.presenter import ForecastPresenter
from projects.modes.presenters import CreatePresenter, UpdatePresenter
from projects.modes.update.guide import UpdateGuide


def register_all() -> None:
    """Guides and presenters of each mode."""
    presenters.register(CreatePresenter())
    guides.register(CreateGuide())
    presenters.register(UpdatePresenter())
    guides.register(UpdateGuide())
    presenters.register(AuditPresenter())
    guides.register(AuditGuide())
    presenters.register(ForecastPresenter())
    guides.register(ForecastGuide())
