"""Stable ids of records, made of their own words."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.text import slugify

LONGEST = 80
_SIGNS = {"+": " plus ", "#": " sharp ", "&": " and ", "@": " at "}


def id_of(kind: str, *words: str, taken: Iterable[str] = ()) -> str:
    """`kind_word_word` in lower-case ASCII; with a number behind it while it is taken."""
    text = " ".join(filter(None, words))
    for sign, word in _SIGNS.items():
        text = text.replace(sign, word)
    plain = slugify(text).replace("-", "_")[:LONGEST].strip("_")
    stem = f"{kind}_{plain}" if plain else kind
    existing = set(taken)
    number, free = 1, stem
    while free in existing:
        number += 1
        free = f"{stem}_{number}"
    return free
