"""Which occupations a job title may mean, and the titles offered while typing."""

from __future__ import annotations

import bisect
from dataclasses import dataclass
from functools import reduce
from typing import Final

import numpy as np
import numpy.typing as npt
from rapidfuzz import fuzz, process

from futura.text import words
from onet.candidates import OccupationRef, TitleHit
from onet.embeddings import LEXICAL, Meanings, active_meanings
from onet.lexical import Floats
from onet.models import Release
from onet.titles.index import MEANT_WEIGHTS, WEIGHTS, TitleIndex, related, title_index
from onet.titles.wording import LONGEST, SMALL_WORDS, plain_words

EXACT: Final = 3.0
"""Added for an occupation that carries just this title; held-out titles cannot teach this."""


UNKNOWN: Final = 0.2
"""How sure scores are of a title none of whose words is known: likeness of letters tells little."""


@dataclass(frozen=True, slots=True)
class Ranker:
    """Ranks the occupations of one index. Read-only, safe between threads."""

    index: TitleIndex
    meanings: Meanings | None = None

    @property
    def space(self) -> str:
        return self.meanings.name if self.meanings else LEXICAL

    def chances(self, title: str) -> Floats:
        """`(occupations,)` how likely each is meant, adding up to 1 at most.

        Zero without a word, and for those that have no words or letters in common with the title.
        A neural space hides none: it finds what words of other languages mean.
        """
        if not plain_words(title) or not self.index.occupations:
            return np.zeros(self.index.occupations, dtype=np.float32)
        weights = np.array(list(WEIGHTS.values()), dtype=np.float32)
        evidence = self.index.evidence(title)
        scores = evidence @ weights + self._meant(title)
        scores[self.index.exact(title)] += EXACT
        scores *= UNKNOWN + (1 - UNKNOWN) * self.index.share_of_known_words(title)
        scores = np.exp(scores - scores.max())
        likely = scores / scores.sum()
        if self.meanings is None:
            likely[~self._related(title, evidence)] = 0
        return np.asarray(likely, dtype=np.float32)

    def _related(self, title: str, evidence: Floats) -> npt.NDArray[np.bool_]:
        """`related`, where a small word like the "de" of a chef de partie is nothing in common."""
        telling = " ".join(word for word in title.split() if word.casefold() not in SMALL_WORDS)
        if telling and telling != " ".join(title.split()):
            evidence = self.index.evidence(telling)
        return related(evidence)

    def _meant(self, title: str) -> Floats | float:
        """What the neural space adds for each occupation; nothing where it cannot be asked."""
        if self.meanings is None:
            return 0.0
        cosines = self.meanings.cosines("titles", self.index.titles, [" ".join(plain_words(title))])
        if cosines is None:
            return 0.0
        weights = np.array(list(MEANT_WEIGHTS.values()), dtype=np.float32)
        return np.asarray(self.index.meant(cosines[0]) @ weights, dtype=np.float32)

    def best(self, title: str, limit: int) -> list[tuple[str, float]]:
        likely = self.chances(title)
        order = [int(place) for place in np.argsort(-likely, kind="stable")[:limit]]
        return [
            (str(self.index.codes[place]), float(likely[place]))
            for place in order
            if likely[place] > 0
        ]


def ranker(release: Release, index: TitleIndex | None = None) -> Ranker:
    """Ranks the occupations of a release; `index` replaces its own where titles are left out."""
    return Ranker(index or title_index(release), active_meanings(release))


def rank_occupations(title: str, *, limit: int = 5) -> list[tuple[str, float]]:
    """Codes of the active release that a job title may mean, with chances 0 to 1, best first.

    Empty where no occupation has anything in common with the title.
    """
    release = Release.objects.filter(is_active=True).first()
    return ranker(release).best(title, limit) if release else []


def suggest_titles(q: str, limit: int = 8) -> list[TitleHit]:
    """Titles of the active release that fit what was typed so far, best first."""
    release = Release.objects.filter(is_active=True).first()
    return offers(title_index(release), q, limit) if release else []


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
    result = reduce(np.intersect1d, sets)
    if len(result) < limit:
        result = np.concatenate([result, np.setdiff1d(_nearly(sets), result)])
    return [_hit(index, int(place)) for place in _ordered(index, result, spoken)[:limit]]


def _meant_by(index: TitleIndex, word: str, *, unfinished: bool) -> Places:
    """Titles with the word, or one beginning so; else with one spelled much like it."""
    existing = index.spoken
    low = bisect.bisect_left(existing, word)
    if not unfinished and low < len(existing) and existing[low] == word:
        return index.speaking(low, low + 1)
    high = bisect.bisect_left(existing, word + "\U0010ffff")
    if low < high:
        return index.speaking(low, high)
    if len(word) < 3:
        return np.empty(0, np.int32)
    close = process.extract(word, existing, scorer=fuzz.ratio, score_cutoff=CLOSE, limit=5)
    matches = [index.speaking(place, place + 1) for _, _, place in close]
    return np.unique(np.concatenate(matches)) if matches else np.empty(0, np.int32)


def _nearly(sets: list[Places]) -> Places:
    """Titles that have all words but one, when there are at least two words."""
    if len(sets) < 2:
        return np.empty(0, np.int32)
    places, counts = np.unique(np.concatenate(sets), return_counts=True)
    return np.asarray(places[counts >= max(len(sets) - 1, 1)], dtype=np.int32)


def _ordered(index: TitleIndex, places: Places, spoken: list[str]) -> list[int]:
    """Best first: as typed from the start, few other words, carried by prominent occupations."""
    lengths = index.arrays["title_words"][places]
    finalists = places[np.argsort(lengths, kind="stable")[:FINALISTS]]
    query = " ".join(spoken)

    def rank(place: int) -> tuple[float, int]:
        text = " ".join(words(index.titles[place]))
        likeness = fuzz.ratio(query, text[: len(query)]) + 0.5 * fuzz.ratio(query, text)
        return (-likeness - 4.0 * float(index.arrays["title_ranks"][place]), place)

    return sorted((int(place) for place in finalists), key=rank)


def _hit(index: TitleIndex, place: int) -> TitleHit:
    """A title with the occupations that carry it, the most at home first."""
    return TitleHit(
        title=str(index.titles[place]),
        occupations=tuple(
            OccupationRef(str(index.codes[owner]), str(index.names[owner]))
            for owner in index.owners(place)[:OCCUPATIONS]
        ),
    )
