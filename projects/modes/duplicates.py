"""To-dos that stand on a list already, told by their titles letter by letter."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Final

from projects.models import DraftTask, Task

_EDGES: Final = " \t\n.,;:!?…\"'“”‘’«»`()[]-–—"


def normalised(title: str) -> str:
    """A title by which two are the same: case, spaces and signs around it do not count."""
    plain = " ".join(unicodedata.normalize("NFKC", title).casefold().split())
    return plain.strip(_EDGES) or plain


def standing(title: str, tasks: Iterable[Task | DraftTask]) -> Task | DraftTask | None:
    """The open to-do of that title among some; those of drafts are all open."""
    wanted = normalised(title)
    is_open = (one for one in tasks if not isinstance(one, Task) or one.status in Task.ACTIVE)
    return next((one for one in is_open if normalised(one.title) == wanted), None)
