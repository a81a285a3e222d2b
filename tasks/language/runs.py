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
    "get getting keep keeping leave leaving teach teaching train training that".split()
)
_CAUSED: Final = frozenset("sure it them him her people everyone everything things".split())
_JOINERS: Final = frozenset("and or then but so plus".split())


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
        if sentence[index].lower in _JOINERS:
            clause = index + 1
        elif index > clause and _opens(sentence, clause, index):
            clause = index - 1 if is_person(sentence[index - 1].lower) else index
            places.append(clause)
    return places


def _opens(sentence: Sequence[Token], clause: int, index: int) -> bool:
    word, after = sentence[index].lower, sentence[index + 1].lower
    before = _before(sentence, clause, index)
    if word == "got" and after == "to" and before and before not in _BOUND:
        return True
    if not is_base(word) or not before or before in _BOUND or before in _JOINERS:
        return False
    if _is_caused(sentence, clause, index):
        return False
    if is_person(before):
        return before.endswith("s") and word not in NOUN_LIKE and after not in _JOINERS
    if is_base(before) and index - 1 == clause:
        return False
    is_clear = after in DETERMINERS or after in PARTICLES or after in {"it", "them"}
    is_clear = is_clear or before != sentence[index - 1].lower  # "… the road, usually haul …"
    if word in NOUN_LIKE or word in LIGHT_BASES:
        is_alone = not (is_base(before) or is_base(after) or after in PREPOSITIONS)
        return is_clear or (is_alone and word not in LIGHT_BASES and not gerund_base(after))
    return after not in _JOINERS and (is_clear or after not in PREPOSITIONS)


def _before(sentence: Sequence[Token], clause: int, index: int) -> str:
    """The word before, adverbs passed over; empty at the start of the clause."""
    for at in range(index - 1, clause - 1, -1):
        word = sentence[at].lower
        if not (word.endswith("ly") or word in _ADVERBS):
            return word
    return ""


def _is_caused(sentence: Sequence[Token], clause: int, index: int) -> bool:
    """Whether an earlier verb has others do it: "help visitors find …", "make sure that …"."""
    for at in range(max(clause, index - 4), index - 1):
        if sentence[at].lower in _CAUSING:
            following = [token.lower for token in sentence[at + 1 : at + 3]]
            if any(is_person(word) or word in _CAUSED for word in following):
                return True
    return False


_ADVERBS: Final = frozenset("also often just sometimes always still now only never ever".split())
