"""Weights that order statements for a query, fitted by `onet.search.fitting`."""

from __future__ import annotations

from typing import Final

import numpy as np

from onet.lexical.postings import Floats
from onet.search.index import EVIDENCE, MEANT, Evidence

WEIGHTS: Final[dict[str, float]] = {
    "words": -3.0025,
    "letters": 5.4134,
    "bm25": 0.156,
    "verb": 1.0346,
    "linked_near": -0.4168,
    "linked_wide": 0.3869,
    "linked_best": 2.6247,
    "detailed": 0.505,
    "activity": 0.2782,
}
"""Fitted on 1,500 O*NET 30 statements left out of the index."""

MEANT_WEIGHTS: Final[dict[str, float]] = {
    "meaning": 6.0,
    "linked_meaning": 0.5,
    "linked_meaning_best": 4.0,
}
"""Added to the above where a neural space is active."""

ACTIVITY_WEIGHTS: Final = (0.2391, 0.4614, 1.2333)
"""Of unigram model, opening verb and similar statements."""


def weighed(found: Evidence, meant: Floats | None = None) -> Floats:
    """`(statements,)` one score each, comparable within one query."""
    weights = np.array([WEIGHTS[name] for name in EVIDENCE], dtype=np.float32)
    scores = found.statements @ weights
    if meant is not None:
        scores = scores + meant @ np.array([MEANT_WEIGHTS[name] for name in MEANT], np.float32)
    return np.asarray(scores, dtype=np.float32)


def calibrated_by_meaning(meant: Floats, calibration: tuple[float, float, float]) -> Floats:
    """`(statements,)` the same chance, told from a neural space calibrated on its own."""
    base, by_meaning, by_linked = calibration
    logit = (
        base
        + by_meaning * meant[:, MEANT.index("meaning")]
        + by_linked * meant[:, MEANT.index("linked_meaning_best")]
    )
    return np.asarray(1 / (1 + np.exp(-logit)), dtype=np.float32)


def activity_chances(found: Evidence) -> Floats:
    """`(activities,)` how likely each work activity is meant, adding up to 1."""
    if not len(found.activities):
        return np.zeros(0, dtype=np.float32)
    scores = found.activities @ np.array(ACTIVITY_WEIGHTS, dtype=np.float32)
    chances = np.exp(scores - scores.max())
    return np.asarray(chances / chances.sum(), dtype=np.float32)
