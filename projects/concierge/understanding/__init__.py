"""The concierge's ears without a model: plain words become typed calls, or a question.

    understand(text, *, now, briefing, earlier) -> Understanding

Nothing here reads the database: `briefing` is a `Known`, `earlier` the conversation's `Memory`.
"""

from projects.concierge.understanding.reading import taken, understand
from projects.concierge.understanding.shapes import (
    Known,
    KnownProject,
    KnownTask,
    Memory,
    Option,
    Pending,
    Ticked,
    Understanding,
)

__all__ = [
    "Known",
    "KnownProject",
    "KnownTask",
    "Memory",
    "Option",
    "Pending",
    "Ticked",
    "Understanding",
    "taken",
    "understand",
]
