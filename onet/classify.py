"""Which activities a mention in the talk touches, by cue words alone: basic mode's coverage.

Stored tasks are coded by `onet.matching`.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, TypeVar

from futura.text import STOP_WORDS, stems, words
from onet.groups import ActivityGroup, group_of

KeyT = TypeVar("KeyT", bound=str)

LEADING_ACT: Final = 3.0
"""Points for the verb that opens a clause: it says what is done."""
ACT: Final = 1.2
THING: Final = 1.0
PHRASE: Final = 2.5
SUPPORTED: Final = 0.55
"""A second group or activity is named when it has this share of the points of the first."""
LONGEST: Final = 2_000
"""Characters looked at; more than a long message has."""

_BREAKS: Final = frozenset({"and", "or", "then", "plus", "also", "while"})
_OPENERS: Final = STOP_WORDS | frozenset(
    "usually often sometimes mostly mainly regularly occasionally weekly daily monthly help spend "
    "time week day typical work working responsible handle deal try need want".split()
)


@dataclass(frozen=True, slots=True)
class _Cues:
    """Stem → activities, by the part the word plays; pairs of stems for phrases."""

    acts: dict[str, tuple[str, ...]]
    things: dict[str, tuple[str, ...]]
    phrases: dict[tuple[str, str], tuple[str, ...]]


def groups_of(text: str) -> list[ActivityGroup]:
    """Groups that a text is about, best first; empty when no cue was found.

    A second group counts when it is nearly as well supported as the first. Needs no catalogue.
    """
    totals: dict[ActivityGroup, float] = {}
    for element, points in _points(text[:LONGEST]).items():
        group = group_of(element)
        totals[group] = max(totals.get(group, 0.0), points)
    return _supported(totals)


def activities_of(text: str) -> list[str]:
    """Element ids (such as `4.A.4.b.1`) that a text is about, best first, at most five."""
    return _supported(dict(_points(text[:LONGEST])))[:5]


def _supported(totals: dict[KeyT, float]) -> list[KeyT]:
    """Keys by falling points, down to a share of the best."""
    if not totals:
        return []
    floor = max(totals.values()) * SUPPORTED
    kept = [key for key, points in totals.items() if points >= floor]
    return sorted(kept, key=lambda key: (-totals[key], key))


@lru_cache(maxsize=4096)
def _points(text: str) -> dict[str, float]:
    """Element id → points, added up over the clauses of the text."""
    totals: dict[str, float] = defaultdict(float)
    for clause in _clauses(text):
        for element, points in _clause_points(clause).items():
            totals[element] += points
    return dict(totals)


def _clauses(text: str) -> Iterator[Sequence[str]]:
    """Word lists between punctuation and joining words."""
    for piece in text.replace("\n", ",").replace(";", ",").replace(".", ",").split(","):
        clause: list[str] = []
        for word in words(piece):
            if word in _BREAKS:
                yield clause
                clause = []
            else:
                clause.append(word)
        yield clause


def _clause_points(clause: Sequence[str]) -> dict[str, float]:
    """Points of one clause: its opening verb counts most, phrases next, then single words."""
    kept = stems([word for word in clause if word not in _OPENERS])
    cues = _cues()
    totals: dict[str, float] = defaultdict(float)
    for place, stem in enumerate(kept):
        weight = LEADING_ACT if place == 0 and len(kept) > 1 else ACT
        for element in cues.acts.get(stem, ()):
            totals[element] += weight
        for element in cues.things.get(stem, ()):
            totals[element] += THING
    for first, stem in enumerate(kept):
        for second in kept[first + 1 : first + 4]:
            for element in cues.phrases.get((stem, second), ()):
                totals[element] += PHRASE
    return totals


@cache
def _cues() -> _Cues:
    """The cue words of `cues.toml`, stemmed once."""
    table = tomllib.loads(Path(__file__).with_name("cues.toml").read_text(encoding="utf-8"))
    acts: dict[str, list[str]] = defaultdict(list)
    things: dict[str, list[str]] = defaultdict(list)
    phrases: dict[tuple[str, str], list[str]] = defaultdict(list)
    for element, cues in table.items():
        for target, listed in ((acts, cues["acts"]), (things, cues["things"])):
            for stem in dict.fromkeys(stems(words(listed))):
                target[stem].append(element)
        for phrase in cues.get("phrases", ()):
            first, second = stems(words(phrase))
            phrases[first, second].append(element)
    return _Cues(
        {stem: tuple(found) for stem, found in acts.items()},
        {stem: tuple(found) for stem, found in things.items()},
        {pair: tuple(found) for pair, found in phrases.items()},
    )
