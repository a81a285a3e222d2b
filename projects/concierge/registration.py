"""Plugs the concierge into the engine; called once, when the app is ready."""

from __future__ import annotations

from chat import guides, presenters
from projects.concierge.guide import ConciergeGuide
from projects.concierge.presenter import ConciergePresenter


def register_all() -> None:
    """Its guide and its presenter."""
    presenters.register(ConciergePresenter())
    guides.register(ConciergeGuide())
