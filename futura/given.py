"""Reads numbers and ids out of what a form or an address holds; what is neither gives None."""

from __future__ import annotations

import uuid


def whole(text: object, *, digits: int = 9) -> int | None:
    """A whole number from 0, of at most so many digits: no sign, no blank, no other script."""
    told = str(text)
    is_number = told.isascii() and told.isdecimal() and len(told) <= digits
    return int(told) if is_number else None


def key(text: object) -> uuid.UUID | None:
    """The id of a thing."""
    try:
        return uuid.UUID(str(text))
    except ValueError:
        return None
