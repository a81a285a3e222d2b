"""Plugs the four conversations into the engine; called once, when the app is ready."""

from __future__ import annotations

from chat import guides, presenters
from projects.agent import tools
from projects.agent.presenters import CreatePresenter, UpdatePresenter
from projects.modes.audit.guide import AuditGuide
from projects.modes.audit.presenter import AuditPresenter
from projects.modes.audit.tools import generate_project_audit
from projects.modes.create.guide import CreateGuide
from projects.modes.forecast.guide import ForecastGuide
from projects.modes.forecast.presenter import ForecastPresenter
from projects.modes.forecast.tool import forecast_project
from projects.modes.update.guide import UpdateGuide


def register_all() -> None:
    """Guides and presenters of each mode, and the tools that only read."""
    presenters.register(CreatePresenter())
    guides.register(CreateGuide())
    presenters.register(UpdatePresenter())
    guides.register(UpdateGuide())
    presenters.register(AuditPresenter())
    guides.register(AuditGuide())
    tools.provide("generate_project_audit", generate_project_audit)
    presenters.register(ForecastPresenter())
    guides.register(ForecastGuide())
    tools.provide("forecast_project", forecast_project)
