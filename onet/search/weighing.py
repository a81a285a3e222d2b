"""Weights that order statements for a query, and how likely each says what the query says.

Fitted on O*NET's own statements, some left out of the index: such a one is the query, and
statements that share a detailed activity with it are right.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from onet.lexical.postings import Floats
from onet.search.evidence import EVIDENCE, MEANT, TRAITS, Evidence

WEIGHTS: Final[dict[str, float]] = {
    "words": -2.3459,
    "letters": 2.669,
    "covered": 2.5423,
    "covering": 1.1006,
    "verb": 0.8226,
    "linked_near": -0.3958,
    "linked_wide": 0.2872,
    "linked_best": 3.5529,
    "detailed": 0.4967,
    "activity": 0.3121,
}
"""Fitted on 3,000 O*NET 30 statements left out of the index."""

MEANT_WEIGHTS: Final[dict[str, float]] = {
    "meaning": 6.0,
    "linked_meaning": 0.5,
    "linked_meaning_best": 4.0,
}
"""Added to the above where a neural space is active."""

ACTIVITY_WEIGHTS: Final = (0.274, 0.4377, 1.2586)
"""Of unigram model, opening verb and similar statements."""


CALIBRATION: Final = (-1.845, 1.559, 0.873, 1.455, 0.554, -0.382, 0.183, -1.095)
"""Weights of `TRAITS`, a logistic regression over 222 pairs judged by hand
(`tests/eval/match_pairs.tsv`: short tasks in everyday words, statements of O*NET 30), so that
0.60, 0.45 and 0.30 part what says the same, nearly the same and something related."""

FOREIGN: Final = 0.25
"""The most for a statement about something else: pulling cables is not pulling data."""

ONE_WORD: Final = 0.44
"""The most for a query of one word, whatever it is: a weak match at best."""


def weighed(evidence: Evidence) -> Floats:
    """`(places,)` one score each, comparable within one query."""
    weights = np.array([WEIGHTS[name] for name in EVIDENCE], dtype=np.float32)
    scores = evidence.table @ weights
    if evidence.meant is not None:
        by_meaning = np.array([MEANT_WEIGHTS[name] for name in MEANT], dtype=np.float32)
        scores = scores + evidence.meant @ by_meaning
    return np.asarray(scores, dtype=np.float32)


def chances(table: Floats, weights: Sequence[float] = CALIBRATION) -> Floats:
    """`(rows,)` chance that the statement says what the query says; `table` has the `TRAITS`."""
    logit = table @ np.array(weights, dtype=np.float32)
    chance = 1 / (1 + np.exp(-logit))
    foreign = table[:, TRAITS.index("covered")] <= 0
    most = np.where(foreign, FOREIGN, np.where(table[:, TRAITS.index("brief")] == 1, ONE_WORD, 1))
    return np.asarray(np.minimum(chance, most), dtype=np.float32)


def calibrated_by_meaning(meant: Floats, calibration: tuple[float, float, float]) -> Floats:
    """`(places,)` the same chance, from a neural space calibrated on its own."""
    base, by_meaning, by_linked = calibration
    logit = (
        base
        + by_meaning * meant[:, MEANT.index("meaning")]
        + by_linked * meant[:, MEANT.index("linked_meaning_best")]
    )
    return np.asarray(1 / (1 + np.exp(-logit)), dtype=np.float32)


def activity_chances(evidence: Evidence) -> Floats:
    """`(activities,)` how likely each work activity is meant, adding up to 1."""
    if not len(evidence.activities):
        return np.zeros(0, dtype=np.float32)
    scores = evidence.activities @ np.array(ACTIVITY_WEIGHTS, dtype=np.float32)
    chances = np.exp(scores - scores.max())
    return np.asarray(chances / chances.sum(), dtype=np.float32)
