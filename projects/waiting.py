"""What waits for a person elsewhere in the product: features tell, the home page shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chat.identity import Identity


@dataclass(frozen=True)
class Waiting:
    """One line: what waits, where from, and the page where it is settled."""

    title: str
    note: str
    url: str


Teller = Callable[[Identity], Sequence[Waiting]]
_tellers: list[Teller] = []


def register(teller: Teller) -> None:
    """Adds a feature, when its app is ready; it answers in a constant number of queries."""
    if teller not in _tellers:
        _tellers.append(teller)


def for_person(identity: Identity) -> list[Waiting]:
    """What all features tell, in the order in which they came."""
    return [one for teller in _tellers for one in teller(identity)]
