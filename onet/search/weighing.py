"""Weights and calibration of the statement search, fitted by `onet.search.fitting`."""

from __future__ import annotations

from typing import Final

import numpy as np

from onet.lexical.postings import Floats
from onet.search.index import EVIDENCE, Evidence

WEIGHTS: Final[dict[str, float]] = dict.fromkeys(EVIDENCE, 1.0)
ACTIVITY_WEIGHTS: Final = (1.0, 1.0, 1.0)
CALIBRATION: Final = (-3.0, 3.0, 3.0, 0.0)
"""Intercept and slopes of words, letters and weighed score: chance that the work is the same."""


def weighed(found: Evidence) -> Floats:
    """`(statements,)` one score each, comparable within one query."""
    weights = np.array([WEIGHTS[name] for name in EVIDENCE], dtype=np.float32)
    return np.asarray(found.statements @ weights, dtype=np.float32)


def calibrated(found: Evidence, score: Floats) -> Floats:
    """`(statements,)` chance, 0 to 1, that statement and query are the same activity."""
    base, by_words, by_letters, by_score = CALIBRATION
    logit = (
        base
        + by_words * found.statements[:, 0]
        + by_letters * found.statements[:, 1]
        + by_score * score
    )
    return np.asarray(1 / (1 + np.exp(-logit)), dtype=np.float32)


def activity_chances(found: Evidence) -> Floats:
    """`(activities,)` how likely each work activity is meant, adding up to 1."""
    if not len(found.activities):
        return np.zeros(0, dtype=np.float32)
    scores = found.activities @ np.array(ACTIVITY_WEIGHTS, dtype=np.float32)
    chances = np.exp(scores - scores.max())
    return np.asarray(chances / chances.sum(), dtype=np.float32)
