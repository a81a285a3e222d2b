"""Which occupations a job title may mean, and the titles offered while typing."""

from __future__ import annotations

from dataclasses import dataclass
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
"""Likeness (0 to 100) at which a title counts as what was typed, with a slip."""
FINALISTS: Final = 400
"""Titles looked at one by one; the rest are longer ones."""
OCCUPATIONS: Final = 5
"""Occupations named with a title."""
MOST_WORDS: Final = 12

Places = npt.NDArray[np.int64]


def offers(index: TitleIndex, typed: str, limit: int) -> list[TitleHit]:
    """Titles that fit what was typed, shortest and most common first; empty for no words."""
    spoken = words(typed[:LONGEST])[:MOST_WORDS]
    if not spoken or limit < 1:
        return []
    begins = [np.strings.find(index.spoken, f" {word}") >= 0 for word in spoken]
    places = np.flatnonzero(np.logical_and.reduce(begins))
    if not len(places):
        query, titles = " ".join(spoken), index.spoken.tolist()
        close = process.extract(query, titles, scorer=fuzz.ratio, score_cutoff=CLOSE, limit=limit)
        places = np.array([place for _title, _likeness, place in close], dtype=np.int64)
    return [_hit(index, place) for place in _ordered(index, places, spoken)[:limit]]


def _ordered(index: TitleIndex, places: Places, spoken: list[str]) -> list[int]:
    """Best first: as typed from the start, few other words, carried by prominent occupations."""
    lengths = np.strings.count(index.spoken[places], " ")
    finalists = places[np.argsort(lengths, kind="stable")[:FINALISTS]]
    query = " ".join(spoken)

    def rank(place: int) -> tuple[float, int]:
        text = str(index.spoken[place]).strip()
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
