"""What a feature adds to the staff's view of its sessions: a panel and a word in the list."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from django.utils.functional import Promise

from chat.models import Session


class Panel(Protocol):
    """One tab beside the transcript, for sessions of one kind."""

    name: str
    title: str | Promise
    template: str

    def context(self, session: Session, asked: Mapping[str, str]) -> Mapping[str, Any]:
        """What the template needs, in a constant number of queries.

        `asked` is the query of the page's address: which of the panel's things stands open.
        """
        ...

    def summaries(self, session_ids: Sequence[uuid.UUID]) -> Mapping[uuid.UUID, str]:
        """A short word per session for the list ("9 tasks"), in a constant number of queries."""
        ...


_panels: dict[str, list[Panel]] = {}


def register(kind: str, panel: Panel) -> None:
    """Adds a panel for sessions of `kind`; two of one name are a programming error."""
    known = _panels.setdefault(kind, [])
    if any(other.name == panel.name for other in known):
        raise ValueError(f"There already is a staff panel {panel.name!r} for {kind!r}.")
    known.append(panel)


def panels_for(kind: str) -> Sequence[Panel]:
    """The panels of a session kind, in the order of registration."""
    return tuple(_panels.get(kind, ()))
