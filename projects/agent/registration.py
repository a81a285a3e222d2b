"""Plugs the four conversations into the engine; called once, when the app is ready."""

from __future__ import annotations

from chat import guides, presenters
from projects.agent import tools
from projects.agent.audit.guide import AuditGuide
from projects.agent.audit.presenter import AuditPresenter
from projects.agent.audit.tool import generate_project_audit
from projects.agent.create.guide import CreateGuide
from projects.agent.forecast.guide import ForecastGuide
from projects.agent.forecast.presenter import ForecastPresenter
from projects.agent.forecast.tool import forecast_project
from projects.agent.presenters import CreatePresenter, UpdatePresenter
from projects.agent.update.guide import UpdateGuide


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
