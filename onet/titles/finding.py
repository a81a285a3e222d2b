"""Ranks occupations for a job title by weighing the evidence of the index."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from onet.candidates import TitleHit
from onet.embeddings.encoders import LEXICAL
from onet.embeddings.matrices import Meanings, active_meanings
from onet.lexical.postings import Floats
from onet.models import Release
from onet.titles.index import EVIDENCE, MEANT, TitleIndex
from onet.titles.offers import offers
from onet.titles.source import title_index
from onet.titles.wording import plain_words

WEIGHTS: Final[dict[str, float]] = {
    "prior": 0.3697,
    "letters_near": 0.1112,
    "words_near": 0.1262,
    "letters": 0.0285,
    "last": 0.1047,
    "stated": 0.0992,
    "latent": 3.673,
    "learned": 0.2799,
}
"""Fitted by a softmax over occupations on 4,000 O*NET 30 titles left out of the index."""

MEANT_WEIGHTS: Final[dict[str, float]] = {
    "meaning_near": 0.5,
    "meaning_nearer": 0.5,
    "meaning_best": 2.0,
}
"""Added to the above where a neural space is active."""

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
        """`(occupations,)` how likely each is meant, adding up to 1; zeros without a word."""
        if not plain_words(title) or not self.index.occupations:
            return np.zeros(self.index.occupations, dtype=np.float32)
        weights = np.array([WEIGHTS[name] for name in EVIDENCE], dtype=np.float32)
        scores = self.index.evidence(title) @ weights + self._meant(title)
        scores[self.index.exact(title)] += EXACT
        scores *= UNKNOWN + (1 - UNKNOWN) * self.index.known(title)
        scores = np.exp(scores - scores.max())
        return np.asarray(scores / scores.sum(), dtype=np.float32)

    def _meant(self, title: str) -> Floats | float:
        """What the neural space adds for each occupation; nothing where it cannot be asked."""
        if self.meanings is None:
            return 0.0
        cosines = self.meanings.cosines("titles", self.index, [" ".join(plain_words(title))])
        if cosines is None:
            return 0.0
        weights = np.array([MEANT_WEIGHTS[name] for name in MEANT], dtype=np.float32)
        return np.asarray(self.index.meant(cosines[0]) @ weights, dtype=np.float32)

    def best(self, title: str, limit: int) -> list[tuple[str, float]]:
        likely = self.chances(title)
        order = [int(place) for place in np.argsort(-likely, kind="stable")[:limit]]
        return [
            (self.index.code(place), float(likely[place])) for place in order if likely[place] > 0
        ]


def ranker(release: Release, index: TitleIndex | None = None) -> Ranker:
    """Ranks the occupations of a release; `index` replaces its own where titles are left out."""
    return Ranker(index or title_index(release), active_meanings(release))


def rank_occupations(title: str, *, limit: int = 5) -> list[tuple[str, float]]:
    """Codes of the active release that a job title may mean, with chances 0 to 1, best first."""
    release = Release.objects.filter(is_active=True).first()
    return ranker(release).best(title, limit) if release else []


def suggest_titles(q: str, limit: int = 8) -> list[TitleHit]:
    """Titles of the active release that fit what was typed so far, best first."""
    release = Release.objects.filter(is_active=True).first()
    return offers(title_index(release), q, limit) if release else []
