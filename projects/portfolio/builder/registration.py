"""Plugs the conversation about an entry into the engine; called once, when the app is ready."""

from __future__ import annotations

from chat import guides, presenters
from projects import afterwards
from projects.portfolio.builder.guide import BuilderGuide
from projects.portfolio.builder.offering import story_of
from projects.portfolio.builder.presenter import BuilderPresenter


def register_all() -> None:
    """Its guide and presenter, and what finished projects offer."""
    presenters.register(BuilderPresenter())
    guides.register(BuilderGuide())
    afterwards.register(story_of)
