"""What can be done to a portfolio: typed commands for pages, assistant, JSON API and MCP alike."""

from __future__ import annotations

from chat.commands.registry import register
from projects.portfolio.commands import blocks, entries, images, publishing, records


def register_all() -> None:
    """Called once, when the app is ready."""
    rooms = (entries, blocks, images, publishing, records)
    register(*(kind for room in rooms for kind in room.COMMANDS))
