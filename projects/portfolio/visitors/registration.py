"""Plugs visitors' conversations into the engine; called once, when the app is ready."""

from __future__ import annotations

from chat import guides, presenters
from projects.portfolio.visitors.guide import VisitGuide
from projects.portfolio.visitors.presenter import VisitPresenter


def register_all() -> None:
    """Its guide and its presenter."""
    presenters.register(VisitPresenter())
    guides.register(VisitGuide())
