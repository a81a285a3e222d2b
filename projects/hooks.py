"""Where features register, by function, what they add to pages that do not import them."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chat.identity import Identity
from chat.models import Participant
from chat.presenters import Rendered
from projects.models import Project


@dataclass(frozen=True)
class Waiting:
    """A line of the home page: what waits for a person, where from, and where it is settled."""

    title: str
    note: str
    url: str


@dataclass(frozen=True)
class Handover:
    """Who wants to talk, about which project if about one, and what they said so far.

    `key` is the same when the same wish comes again: what it opened is returned, not opened twice.
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
    """Where a handover leads; without `session_id` nothing was begun, and the page asks first."""

    url: str
    title: str = ""
    session_id: uuid.UUID | None = None


OfferHook = Callable[[Project], Rendered | None]
WaitingHook = Callable[[Identity], Sequence[Waiting]]
Opener = Callable[[Handover], Place]
_offers: list[OfferHook] = []
_waiting: list[WaitingHook] = []
_openers: dict[str, Opener] = {}


def register_offer(hook: OfferHook) -> None:
    """Adds what may be offered for a finished project (None: nothing)."""
    if hook not in _offers:
        _offers.append(hook)


def register_waiting(hook: WaitingHook) -> None:
    """Adds what waits for a person; it answers in a constant number of queries."""
    if hook not in _waiting:
        _waiting.append(hook)


def register_opener(kind: str, opener: Opener) -> None:
    """Names what opens conversations of a kind."""
    _openers[kind] = opener


def offers(project: Project) -> list[Rendered]:
    """What is offered now that a project is finished; nothing before."""
    if project.status != Project.Status.COMPLETED:
        return []
    return [offer for hook in _offers if (offer := hook(project)) is not None]


def waiting_for(identity: Identity) -> list[Waiting]:
    """What waits for a person in all features, in the order of their registration."""
    return [line for hook in _waiting for line in hook(identity)]


def hand_over(kind: str, handover: Handover) -> Place:
    """Opens a conversation, or finds the one there is. KeyError for an unregistered kind."""
    return _openers[kind](handover)
