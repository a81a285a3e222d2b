"""Stable ids of records, made of their own words."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.text import slugify

LONGEST = 80
_SIGNS = {"+": " plus ", "#": " sharp ", "&": " and ", "@": " at "}


def id_of(kind: str, *words: str, taken: Iterable[str] = ()) -> str:
    """`kind_word_word` in lower-case ASCII; with a number behind it while it is taken."""
    told = " ".join(filter(None, words))
    for sign, word in _SIGNS.items():
        told = told.replace(sign, word)
    plain = slugify(told).replace("-", "_")[:LONGEST].strip("_")
    wanted = f"{kind}_{plain}" if plain else kind
    known = set(taken)
    number, found = 1, wanted
    while found in known:
        number += 1
        found = f"{wanted}_{number}"
    return found
