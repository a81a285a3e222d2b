"""What can be done to a portfolio: typed commands for pages, assistant, JSON API and MCP alike."""

from __future__ import annotations

from chat.commands.run import register
from projects.portfolio.commands import entries, images, portfolio, reads, records, story


def register_all() -> None:
    """Called once, when the app is ready."""
    rooms = (portfolio, records, entries, story, images, reads)
    register(*(kind for room in rooms for kind in room.COMMANDS))
