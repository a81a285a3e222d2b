"""Reads numbers, ids and languages out of what a form, an address or a header holds."""

from __future__ import annotations

import uuid

from django.utils.translation.trans_real import parse_accept_lang_header


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


def language(accepted: str) -> str:
    """The language that a browser likes best, of an Accept-Language header: a tag such as `de-at`.

    Empty where it names none.
    """
    tags = [tag for tag, _weight in parse_accept_lang_header(accepted) if tag != "*"]
    return tags[0] if tags else ""
