"""Plugs the concierge into the engine; called once, when the app is ready."""

from __future__ import annotations

from chat import guides, presenters
from chat.commands import registry
from projects.concierge.commands import StartConversation
from projects.concierge.guide import ConciergeGuide
from projects.concierge.presenter import ConciergePresenter
from projects.concierge.preview import command_preview
from projects.todos import quick_add


def register_all() -> None:
    """Its guide, its presenter, its command, and its reading of lines."""
    presenters.register(ConciergePresenter())
    guides.register(ConciergeGuide())
    quick_add.register_commands(command_preview)
    registry.register(StartConversation)
