"""Conversations of other parts of the product that one can be sent to; they register here."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chat.models import Participant
from projects.models import Project


@dataclass(frozen=True)
class Wish:
    """Who wants to talk, about which project if about one, and what they said so far.

    `key` is the same when the same wish comes again: what it opened is found, not made twice.
    `has_others_words`: other people's words may stand in `says`.
    """

    participant: Participant
    owner_ids: Sequence[uuid.UUID]
    project: Project | None = None
    says: str = ""
    key: uuid.UUID | None = None
    has_others_words: bool = False


@dataclass(frozen=True)
class Place:
    """Where a wish leads; without `session_id` nothing was begun yet, and the page asks first."""

    url: str
    title: str = ""
    session_id: uuid.UUID | None = None


Opener = Callable[[Wish], Place]
_openers: dict[str, Opener] = {}


def register(kind: str, opener: Opener) -> None:
    """Names what opens conversations of a kind."""
    _openers[kind] = opener


def opened(kind: str, wish: Wish) -> Place:
    """Opens it, or finds the one there is. KeyError for a kind that nobody registered."""
    return _openers[kind](wish)
