"""Where one clause ends and the next begins in a long run of words without marks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tasks.language.lexicon import LIGHT_BASES, NOUN_LIKE, PARTICLES
from tasks.language.phrases import (
    AUXILIARIES,
    DETERMINERS,
    OTHER_PRONOUNS,
    OWN_SUBJECTS,
    PREPOSITIONS,
    RELATIVES,
    is_person,
)
from tasks.language.tokens import Token
from tasks.language.verbs import gerund_base, is_base

MIN_RUN: Final = 12
"""Words without a mark from which a message counts as written without punctuation."""
MIN_OPENINGS: Final = 2
"""Fewer verbs than this in a run are a chance, no habit of the writer."""
_BOUND: Final = (
    PREPOSITIONS
    | DETERMINERS
    | AUXILIARIES
    | OWN_SUBJECTS
    | OTHER_PRONOUNS
    | frozenset("to not and or never me us him them who which please".split())
    | RELATIVES - frozenset({"stuff", "all", "things", "way", "time", "everything"})
) - frozenset({"then", "over", "it", "off"})
_CAUSING: Final = frozenset(
    "help helping let letting make making watch watching see seeing have having ensure ensuring "
    "sure get getting keep keeping leave leaving that".split()
)


def openings_in(sentence: Sequence[Token]) -> frozenset[int]:
    """Places where a verb opens a clause of its own ("… check tires | fuel the truck …")."""
    found: set[int] = set()
    start = 0
    for end in range(len(sentence) + 1):
        if end < len(sentence) and sentence[end].kind == "word":
            continue
        if end - start >= MIN_RUN:
            places = _openings(sentence, start, end)
            if len(places) >= MIN_OPENINGS:
                found.update(places)
        start = end + 1
    return frozenset(found)


def _openings(sentence: Sequence[Token], start: int, end: int) -> list[int]:
    places: list[int] = []
    clause = start
    for index in range(start + 1, end - 1):
        if _opens(sentence, clause, index):
            places.append(index)
            clause = index
    return places


def _opens(sentence: Sequence[Token], clause: int, index: int) -> bool:
    word, before, after = (sentence[at].lower for at in (index, index - 1, index + 1))
    if not is_base(word) or before in _BOUND or is_person(before):
        return False
    if before.endswith("ly") or is_base(before) and index - 1 == clause:
        return before.endswith("ly") and sentence[index - 2].lower not in _BOUND
    if any(token.lower in _CAUSING for token in sentence[clause : index - 1]):
        return False
    is_clear = after in DETERMINERS or after in PARTICLES or after in {"it", "them"}
    if word in NOUN_LIKE or word in LIGHT_BASES:
        is_alone = not (is_base(before) or is_base(after) or after in PREPOSITIONS)
        return is_clear or (is_alone and word not in LIGHT_BASES and not gerund_base(after))
    return after not in {"and", "or"} and (is_clear or after not in PREPOSITIONS)
