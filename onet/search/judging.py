"""Judges the few statements that were found: how likely each says what the query says, 0 to 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from onet.lexical.postings import Floats
from onet.search.evidence import TRAITS

CALIBRATION: Final = (-1.845, 1.559, 0.873, 1.455, 0.554, -0.382, 0.183, -1.095)
"""Weights of `TRAITS`, fitted by `onet.search.fitting.fit_judgement` on 222 pairs judged by hand
(`tests/eval/match_pairs.tsv`: short tasks in everyday words, statements of O*NET 30), so that
0.60, 0.45 and 0.30 part what says the same, nearly the same and something related."""

FOREIGN: Final = 0.25
"""The most for a statement about something else: pulling cables is not pulling data."""

ONE_WORD: Final = 0.44
"""The most for a query of one word, whatever it is: a weak match at best."""


def chances(table: Floats, weights: Sequence[float] = CALIBRATION) -> Floats:
    """`(rows,)` chance that the statement says what the query says; `table` has the `TRAITS`."""
    logit = table @ np.array(weights, dtype=np.float32)
    chance = 1 / (1 + np.exp(-logit))
    foreign = table[:, TRAITS.index("covered")] <= 0
    most = np.where(foreign, FOREIGN, np.where(table[:, TRAITS.index("brief")] == 1, ONE_WORD, 1))
    return np.asarray(np.minimum(chance, most), dtype=np.float32)
