"""The one table of retrieval: weights, decay, shortlists, limits (spec 3, sections 5.1 and 5.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Weights:
    """How one source is ranked: shares of words, meaning and recency, and how fast time fades.

    `half_life_months`: after so many months something counts half as recent.
    `undated`: how recent something without a date is held to be.
    """

    words: float
    meaning: float
    recency: float
    half_life_months: float
    undated: float = 0.4


TABLE: Final[dict[str, Weights]] = {
    "projects": Weights(words=0.50, meaning=0.40, recency=0.10, half_life_months=36),
    "resume": Weights(words=0.50, meaning=0.38, recency=0.12, half_life_months=60),
    "profile": Weights(words=0.60, meaning=0.40, recency=0.00, half_life_months=120),
}

LARGEST_TOP_K: Final = 10
"""The clamp per source of a sample."""
ALL_RELEVANT: Final = 50
"""Documents that the sources share when everything relevant is wanted."""
FACET_BOOST: Final = 1.25
"""For resume documents of a facet that the plan names."""
LINKED_BOOST: Final = 1.0
"""Added to projects that are linked to an employer the question names."""

MEANT_AT_LEAST: Final = {"lexical": 0.10, "neural": 0.25}
"""Likeness below which a document without a word of the question is no hit at all."""
