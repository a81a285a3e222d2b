"""Word-level comparison of short texts: tokens, stems, content words, overlap."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

import Stemmer

WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)?", re.UNICODE)

STOP_WORDS: Final = frozenset(
    """a about after all also am an and any are as at be been being both but by can could did do
    does doing done each else etc few for from get gets getting got had has have having he her hers
    him his how i if in into is it its just kind like lot lots many may me might mine more most
    much my myself of off on one onto or other others our ours out over own really she should so
    some something sort stuff such than that the their theirs them then there these they thing
    things this those through to too under up upon us very was we were what when where which while
    who whom whose why will with within without would you your yours""".split()
)

_local = threading.local()


def _stemmer() -> Stemmer.Stemmer:
    """PyStemmer objects are not safe to share between threads."""
    if not hasattr(_local, "stemmer"):
        _local.stemmer = Stemmer.Stemmer("english")
    return _local.stemmer


def words(text: str) -> list[str]:
    """Lower-case words of a text, apostrophes normalised, in order."""
    return [word.replace("’", "'") for word in WORD.findall(text.lower())]


def stems(tokens: Sequence[str]) -> list[str]:
    """Snowball (English) stems of lower-case words, in order."""
    return list(_stemmer().stemWords(list(tokens)))


@lru_cache(maxsize=8192)
def content_stems(text: str) -> frozenset[str]:
    """Stems of the words that carry meaning: neither stop words nor single letters."""
    return frozenset(stems([w for w in words(text) if len(w) > 1 and w not in STOP_WORDS]))


def jaccard(left: Iterable[str], right: Iterable[str]) -> float:
    """Shared share of two sets, 0.0 to 1.0; two empty sets share nothing."""
    return _shared(frozenset(left), frozenset(right))


def content_overlap(left: str, right: str) -> float:
    """Jaccard overlap of the content stems of two texts, 0.0 to 1.0."""
    return _shared(content_stems(left), content_stems(right))


def _shared(a: frozenset[str], b: frozenset[str]) -> float:
    # called for every pair of many texts, most of which share nothing
    if a.isdisjoint(b):
        return 0.0
    shared = len(a & b)
    return shared / (len(a) + len(b) - shared)
