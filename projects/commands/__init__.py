"""The commands of to-dos and notes: what every door of the product does to them."""

from __future__ import annotations

from chat.commands.areas import Door, open_to_tokens
from chat.commands.registry import register
from projects.commands import notes, todos


def register_all() -> None:
    """Called once, when the app is ready."""
    register(*todos.COMMANDS, *notes.COMMANDS)
    open_to_tokens(
        Door("/api/todos", areas=("todos",)),
        Door("/api/commands/preview", scopes=("todos:read",)),
        Door("/api/notes", areas=("projects",)),
        # what is said there may change both
        Door("/api/agent", areas=("projects", "todos")),
        Door("/api/concierge", areas=("projects", "todos")),
        Door("/api/portfolio", areas=("portfolio",)),
    )
