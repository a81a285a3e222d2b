"""Plugs the four conversations into the engine; called once, when the app is ready."""

from __future__ import annotations

from chat import guides, presenters
from projects.agent.create.guide import CreateGuide
from projects.agent.presenters import CreatePresenter, UpdatePresenter
from projects.agent.update.guide import UpdateGuide


def register_all() -> None:
    """Guides and presenters of each mode. Audit and forecast add their readers with
    `projects.agent.tools.provide`."""
    presenters.register(CreatePresenter())
    guides.register(CreateGuide())
    presenters.register(UpdatePresenter())
    guides.register(UpdateGuide())
