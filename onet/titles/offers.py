"""Titles offered while typing: every word must be there, the last one may be unfinished."""

from __future__ import annotations

import bisect
from functools import reduce
from typing import Final

import numpy as np
import numpy.typing as npt
from rapidfuzz import fuzz, process

from futura.text import words
from onet.candidates import OccupationRef, TitleHit
from onet.titles.index import TitleIndex
from onet.titles.wording import LONGEST

CLOSE: Final = 78.0
"""Likeness (0 to 100) at which a word counts as a misspelling of another."""
FINALISTS: Final = 400
"""Titles looked at one by one; the rest are longer ones."""
OCCUPATIONS: Final = 5
"""Occupations named with a title."""
MOST_WORDS: Final = 12

Places = npt.NDArray[np.int32]


def offers(index: TitleIndex, typed: str, limit: int) -> list[TitleHit]:
    """Titles that fit what was typed, shortest and most common first; empty for no words."""
    spoken = words(typed[:LONGEST])[:MOST_WORDS]
    if not spoken or limit < 1:
        return []
    finished = typed[:LONGEST][-1:].isspace()
    sets = [_meant_by(index, word, unfinished=False) for word in spoken[:-1]]
    sets.append(_meant_by(index, spoken[-1], unfinished=not finished))
    found = reduce(np.intersect1d, sets)
    if len(found) < limit:
        found = np.concatenate([found, np.setdiff1d(_nearly(sets), found)])
    return [_hit(index, int(place)) for place in _ordered(index, found, spoken)[:limit]]


def _meant_by(index: TitleIndex, word: str, *, unfinished: bool) -> Places:
    """Titles with the word, or one beginning so; else with one spelled much like it."""
    known = index.spoken
    low = bisect.bisect_left(known, word)
    if not unfinished and low < len(known) and known[low] == word:
        return index.speaking(low, low + 1)
    high = bisect.bisect_left(known, word + "\U0010ffff")
    if low < high:
        return index.speaking(low, high)
    if len(word) < 3:
        return np.empty(0, np.int32)
    close = process.extract(word, known, scorer=fuzz.ratio, score_cutoff=CLOSE, limit=5)
    found = [index.speaking(place, place + 1) for _, _, place in close]
    return np.unique(np.concatenate(found)) if found else np.empty(0, np.int32)


def _nearly(sets: list[Places]) -> Places:
    """Titles that have all words but one, when there are at least two words."""
    if len(sets) < 2:
        return np.empty(0, np.int32)
    places, counts = np.unique(np.concatenate(sets), return_counts=True)
    return np.asarray(places[counts >= max(len(sets) - 1, 1)], dtype=np.int32)


def _ordered(index: TitleIndex, found: Places, spoken: list[str]) -> list[int]:
    """Best first: as typed from the start, few other words, carried by prominent occupations."""
    lengths = index.arrays["title_words"][found]
    finalists = found[np.argsort(lengths, kind="stable")[:FINALISTS]]
    wanted = " ".join(spoken)

    def rank(place: int) -> tuple[float, int]:
        said = " ".join(words(index.title(place)))
        likeness = fuzz.ratio(wanted, said[: len(wanted)]) + 0.5 * fuzz.ratio(wanted, said)
        return (-likeness - 4.0 * float(index.arrays["title_ranks"][place]), place)

    return sorted((int(place) for place in finalists), key=rank)


def _hit(index: TitleIndex, place: int) -> TitleHit:
    """A title with the occupations that carry it, the most at home first."""
    return TitleHit(
        title=index.title(place),
        occupations=tuple(
            OccupationRef(index.code(int(owner)), index.name(int(owner)))
            for owner in index.owners(place)[:OCCUPATIONS]
        ),
    )
