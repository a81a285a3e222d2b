"""The commands of to-dos, projects, drafts and notes: what every door does to them."""

from __future__ import annotations

from chat.commands.run import register
from chat.commands.tokens import AREAS, Door, open_talks, open_to_tokens
from projects.commands import drafts, notes, projects, reads, todos
from projects.forecasting import commands
from projects.modes.audit.commands import ListFindings
from projects.modes.state import KINDS


def register_all() -> None:
    """Called once, when the app is ready."""
    rooms = (todos, projects, drafts, notes)
    register(*(kind for room in rooms for kind in room.COMMANDS), *reads.QUERIES, *commands.QUERIES)
    register(ListFindings)
    open_to_tokens(
        Door("/api/todos", areas=("todos",)),
        Door("/api/commands/preview", scopes=("todos:read",)),
        Door("/api/notes", areas=("projects",)),
        Door("/api/search", areas=AREAS, is_exact=True),
        Door("/api/projects", areas=("projects",)),
        Door("/api/forecasts", areas=("projects",)),
        Door("/api/drafts", areas=("projects",)),
        # what is said there may change both
        Door("/api/agent", areas=("projects", "todos")),
        Door("/api/concierge", areas=("projects", "todos")),
        Door("/api/portfolio", areas=("portfolio",)),
        Door("/api/chat/sessions/by-project", areas=("portfolio",)),
    )
    open_talks("concierge", *KINDS, areas=("projects", "todos"))
    open_talks("portfolio_builder", areas=("portfolio",))
