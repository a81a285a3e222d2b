"""Stable ids of records, made of their own words."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import count

from django.utils.text import slugify

LONGEST = 80
_SIGNS = {"+": " plus ", "#": " sharp ", "&": " and ", "@": " at "}


def id_of(kind: str, *words: str, taken: Iterable[str] = ()) -> str:
    """`kind_word_word` in lower-case ASCII; with a number behind it while it is taken."""
    text = " ".join(filter(None, words))
    for sign, word in _SIGNS.items():
        text = text.replace(sign, word)
    normalized = slugify(text).replace("-", "_")[:LONGEST].strip("_")
    return free(f"{kind}_{normalized}" if normalized else kind, set(taken), sign="_")


def free(stem: str, taken: Collection[str], *, sign: str = "-") -> str:
    """The stem, with a number behind it while it is taken."""
    numbered = (f"{stem}{sign}{number}" for number in count(2))
    return stem if stem not in taken else next(name for name in numbered if name not in taken)
