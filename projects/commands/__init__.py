"""The commands of to-dos: what every door of the product does to them."""

from __future__ import annotations

from chat.commands.registry import register
from projects.commands import todos


def register_all() -> None:
    """Called once, when the app is ready."""
    register(*todos.COMMANDS)
