"""What else of a page follows the entry of a conversation, such as a live preview; registered."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from chat.presenters import Rendered
from projects.portfolio.models import Entry

Panel = Callable[[Entry], Sequence[Rendered]]
_panels: list[Panel] = []


def register(panel: Panel) -> None:
    """Adds fragments (each with roots of `hx-swap-oob`) that are rendered anew after changes."""
    if panel not in _panels:
        _panels.append(panel)


def fragments(entry: Entry) -> list[Rendered]:
    """Everything that follows an entry."""
    return [one for panel in _panels for one in panel(entry)]
