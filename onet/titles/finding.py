"""Ranks occupations for a job title by weighing the evidence of the index."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from onet.candidates import TitleHit
from onet.lexical.postings import Floats
from onet.models import Release
from onet.titles.index import EVIDENCE, TitleIndex
from onet.titles.offers import offers
from onet.titles.source import title_index
from onet.titles.wording import plain_words

WEIGHTS: Final[dict[str, float]] = {
    "prior": 0.4017,
    "letters_near": 0.5489,
    "words_near": 0.6741,
    "words_wide": -0.3768,
    "both_near": -0.1806,
    "letters": -0.0049,
    "letters_rate": 0.0718,
    "words": -0.0218,
    "words_rate": 0.2254,
    "last": 0.1891,
    "described": 0.0322,
    "described_rate": 0.1073,
    "stated": -0.0231,
    "stated_rate": 0.2414,
}
"""Fitted by `onet.titles.fitting` on 3,000 O*NET 30 titles left out of the index."""

EXACT: Final = 3.0
"""Added for an occupation that carries just this title; held-out titles cannot teach this."""


@dataclass(frozen=True, slots=True)
class Ranker:
    """Ranks the occupations of one index. Read-only, safe between threads."""

    index: TitleIndex
    space: str = "lexical"

    def chances(self, title: str) -> Floats:
        """`(occupations,)` how likely each is meant, adding up to 1; zeros without a word."""
        if not plain_words(title) or not self.index.occupations:
            return np.zeros(self.index.occupations, dtype=np.float32)
        weights = np.array([WEIGHTS[name] for name in EVIDENCE], dtype=np.float32)
        scores = self.index.evidence(title) @ weights
        scores[self.index.exact(title)] += EXACT
        scores = np.exp(scores - scores.max())
        return np.asarray(scores / scores.sum(), dtype=np.float32)

    def best(self, title: str, limit: int) -> list[tuple[str, float]]:
        """Codes of the likeliest occupations with their chances, best first."""
        likely = self.chances(title)
        order = [int(place) for place in np.argsort(-likely, kind="stable")[:limit]]
        return [
            (self.index.code(place), float(likely[place])) for place in order if likely[place] > 0
        ]


def ranker(release: Release, index: TitleIndex | None = None) -> Ranker:
    """Ranks the occupations of a release; `index` replaces its own where titles are left out."""
    return Ranker(index or title_index(release))


def rank_occupations(title: str, *, limit: int = 5) -> list[tuple[str, float]]:
    """Codes of the active release that a job title may mean, with chances 0 to 1, best first."""
    release = Release.objects.filter(is_active=True).first()
    return ranker(release).best(title, limit) if release else []


def suggest_titles(q: str, limit: int = 8) -> list[TitleHit]:
    """Titles of the active release that fit what was typed so far, best first."""
    release = Release.objects.filter(is_active=True).first()
    return offers(title_index(release), q, limit) if release else []
