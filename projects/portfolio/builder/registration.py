"""Plugs the conversation about an entry into the engine; called once, when the app is ready."""

from __future__ import annotations

from chat import guides, presenters
from projects import hooks
from projects.portfolio.builder.guide import BuilderGuide
from projects.portfolio.builder.offering import place_for, story_of
from projects.portfolio.builder.presenter import BuilderPresenter
from projects.portfolio.builder.state import KIND


def register_all() -> None:
    """Its guide and presenter, what finished projects offer, and where a wish for it leads."""
    presenters.register(BuilderPresenter())
    guides.register(BuilderGuide())
    hooks.register_offer(story_of)
    hooks.register_opener(KIND, place_for)
