"""Which addresses of the JSON API belong to which area, and so what a token needs for them.

What no app has named here is closed to tokens.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

AREAS: Final = ("todos", "projects", "portfolio", "surveys")
CAMPAIGNS: Final = "campaigns:read"
"""Answers to campaigns: worth something to staff who may export them."""
UNDO: Final = "ledger:undo"
SCOPES: Final = (
    *(f"{area}:{way}" for area in AREAS for way in ("read", "write")),
    CAMPAIGNS,
    UNDO,
)
READS: Final = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True)
class Door:
    """Addresses below one path. `scopes` are added to those of the areas, whatever the method.

    An exact door has nothing below it.
    """

    path: str
    areas: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    is_exact: bool = False

    def leads_to(self, path: str) -> bool:
        """Whether an address belongs to it."""
        return path == self.path or (not self.is_exact and path.startswith(f"{self.path}/"))


_doors: list[Door] = []
_talks: dict[str, tuple[str, ...]] = {}  # the areas of conversations, by their kinds


def open_to_tokens(*doors: Door) -> None:
    """Names addresses that tokens may reach; called once by each app that has some."""
    for door in doors:
        if unknown := set(door.areas) - set(AREAS):
            raise ValueError(f"There is no area {min(unknown)!r}.")
        _doors.append(door)


def open_talks(*kinds: str, areas: tuple[str, ...]) -> None:
    """Names the areas of conversations of these kinds; those of no named kind stay closed."""
    _talks.update(dict.fromkeys(kinds, areas))


def scopes_for_talk(kind: str, method: str | None) -> set[str] | None:
    """What a token must have for a conversation; None where tokens reach none of its kind."""
    areas = _talks.get(kind)
    return None if areas is None else scopes_for(Door("", areas=areas), method)


def door_of(path: str) -> Door | None:
    """The nearest door above an address; None where tokens reach nothing."""
    leading = [door for door in _doors if door.leads_to(path)]
    return max(leading, key=lambda door: len(door.path), default=None)


def scopes_for(door: Door, method: str | None) -> set[str]:
    """What a token must have to come through a door."""
    way = "read" if method in READS else "write"
    return {*door.scopes, *(f"{area}:{way}" for area in door.areas)}


open_to_tokens(
    Door("/api/commands"),  # each command asks for its own area
    Door("/api/operations", scopes=(UNDO,)),
    Door("/api/chat/sessions"),  # each conversation asks for the areas of its kind
    Door("/api/docs", is_exact=True),
    Door("/api/openapi.json", is_exact=True),
)
