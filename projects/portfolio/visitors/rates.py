"""How often visitors may ask: 5 a minute, 40 an hour, 120 a day; nobody when nobody can count."""

from __future__ import annotations

import uuid

from chat.identity import Identity
from futura import limits
from futura.limits import rates


def check(address: str, portfolio_id: uuid.UUID | str) -> None:
    """Counts one question from an address. Raises TooMany, Unavailable."""
    rates.check(limits.PORTFOLIO, address=address, place=str(portfolio_id))


class Counted(Identity):
    """A visitor whose question has been counted already."""
