"""Judges the few statements that were found: how likely each says what the query says, 0 to 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from onet.lexical.grams import word_hashes
from onet.lexical.postings import Floats
from onet.search.index import EVIDENCE, Evidence, StatementIndex, content

TRAITS: Final = ("base", "covered", "covering", "same_verb", "same_both", "near", "own", "brief")
"""What `traits` says about each statement, in order.

`covered`: share of what the query is about (its words after the first) that the statement has,
`covering`: share of the statement that the query has, rare words counting more in both;
`same_verb`: the statement has the query's first word; `same_both`: that, times `covered`;
`near`: cosine by words and letters; `own`: of the person's occupation; `brief`: the query has
few words, so that sharing them says little. What a statement is linked to is left out on
purpose: a neighbour of the right statement is not yet the right one.
"""

CALIBRATION: Final = (-1.845, 1.559, 0.873, 1.455, 0.554, -0.382, 0.183, -1.095)
"""Fitted by `onet.search.fitting.fit_judgement` on 222 pairs that were judged by hand
(`tests/eval/match_pairs.tsv`: short tasks in everyday words, statements of O*NET 30), so that
0.60, 0.45 and 0.30 part what says the same, nearly the same and something related."""


FOREIGN: Final = 0.25
"""The most for a statement about something else: pulling cables is not pulling data."""

ONE_WORD: Final = 0.44
"""The most for a query of one word, whatever it is: a weak match at best."""


def traits(
    index: StatementIndex,
    query: str,
    evidence: Evidence,
    places: Sequence[int],
    own: npt.NDArray[np.bool_],
) -> Floats:
    """`(len(places), len(TRAITS))`; `own` says of each place whether it is of the occupation."""
    asked = content(query)
    weights = _weights(index, asked)
    about = {stem: weight for stem, weight in weights.items() if stem != asked[0]} or weights
    table = np.zeros((len(places), len(TRAITS)), dtype=np.float32)
    for row, place in enumerate(places):
        said = _weights(index, content(index.text(place)))
        table[row, 1] = _share(about, said)
        table[row, 2] = _share(said, weights)
        table[row, 3] = asked[0] in said
    table[:, 0] = 1.0
    table[:, 4] = table[:, 3] * table[:, 1]
    found = evidence.statements[np.asarray(places, dtype=np.int64)]
    words, letters = EVIDENCE.index("words"), EVIDENCE.index("letters")
    table[:, 5] = (found[:, words] + found[:, letters]) / 2
    table[:, 6] = own
    table[:, 7] = 1.0 / len(weights)
    return table


def chances(table: Floats, weights: Sequence[float] = CALIBRATION) -> Floats:
    """`(rows,)` chance that the statement says what the query says."""
    logit = table @ np.array(weights, dtype=np.float32)
    told = 1 / (1 + np.exp(-logit))
    foreign = table[:, TRAITS.index("covered")] == 0
    most = np.where(foreign, FOREIGN, np.where(table[:, TRAITS.index("brief")] == 1, ONE_WORD, 1))
    return np.asarray(np.minimum(told, most), dtype=np.float32)


def _share(of: Mapping[str, float], by: Mapping[str, float]) -> float:
    """Weight of the words of one that the other has, too."""
    total = sum(of.values())
    return sum(weight for stem, weight in of.items() if stem in by) / total if total else 0.0


def _weights(index: StatementIndex, stems: Sequence[str]) -> dict[str, float]:
    """Stem → how rare it is; the rarest possible for one that no statement has."""
    unique = list(dict.fromkeys(stems))
    hashes = word_hashes([unique])[1]
    vocabulary, idf = index.words.vocabulary, index.words.idf
    found = np.minimum(np.searchsorted(vocabulary, hashes), max(len(vocabulary) - 1, 0))
    return {
        stem: float(idf[place]) if len(vocabulary) and vocabulary[place] == value else index.rarest
        for stem, place, value in zip(unique, found.tolist(), hashes, strict=True)
    }
