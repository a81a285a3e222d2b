"""Invitation codes and addresses: how they are made so that nobody guesses one, and read kindly."""

from __future__ import annotations

import secrets
from typing import Final

from django.utils.text import slugify

# without 0 and O, 1 and I and L, which people mistake for one another
ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
CODE_CHARS: Final = 10
SLUG_CHARS: Final = 8


def new_code() -> str:
    """Ten signs, 49 bits: 7KQ4M-X2WPD."""
    signs = _signs(CODE_CHARS)
    return f"{signs[:5]}-{signs[5:]}"


def new_slug(title: str) -> str:
    """The words of a title, and an end that nobody guesses (39 bits)."""
    words = slugify(title)[:40].strip("-")
    end = _signs(SLUG_CHARS).lower()
    return f"{words}-{end}" if words else end


def _signs(count: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(count))


def read_code(typed: str) -> str:
    """A code as it is stored, however it was typed; empty for what can be none."""
    signs = "".join(sign for sign in typed.upper() if sign.isalnum())
    if len(signs) != CODE_CHARS or set(signs) - set(ALPHABET):
        return ""
    return f"{signs[:5]}-{signs[5:]}"
