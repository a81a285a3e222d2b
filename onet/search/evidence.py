"""What speaks for the statements nearest to a piece of work, for many pieces in one pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from onet.lexical.grams import Hashes, Rows, character_grams, word_hashes
from onet.lexical.postings import Floats, Postings
from onet.search.index import Places, StatementIndex, content, letters_of

BATCH: Final = 64
"""Queries in one matrix product: the product stays in the processor's cache."""
NEAREST: Final = 400
"""Statements per query, the nearest by words and letters, that are weighed and that vote."""
EVIDENCE: Final = (
    "words", "letters", "covered", "covering", "verb", "linked_near", "linked_wide",
    "linked_best", "detailed", "activity",
)  # fmt: skip
"""What `Evidence.table` says about each statement, in order.

`covered`: share of the query that the statement has, `covering`: share of the statement that the
query has, rare words counting more in both; `linked_…`: what the nearest statements say of the
best of its detailed activities; `detailed`, `activity`: how the query is worded there.
"""
TRAITS: Final = ("base", "covered", "covering", "same_verb", "same_both", "near", "own", "brief")
"""What `Evidence.traits` says about each statement, in order; `onet.search.judging` weighs it.

`covered`: share of what the query is about (its words after the first) that the statement has,
`covering`: share of the statement that the query has, rare words counting more in both;
`same_verb`: the statement has the query's first word; `same_both`: that, times `covered`;
`near`: cosine by words and letters; `own`: of the person's occupation; `brief`: the query has
few words, so that sharing them says little. What a statement is linked to is left out on
purpose: a neighbour of the right statement is not yet the right one.
"""
MEANT: Final = ("meaning", "linked_meaning", "linked_meaning_best")
"""What a neural space adds, in order."""
SUPPORT: Final = ("model", "opening", "support")
"""What `Evidence.activities` says of each work activity: unigram model, opening verb, and how
near the statements are that are linked to it."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one query finds."""

    places: Places
    """The nearest statements, and those of the person's occupation; sorted."""
    own: npt.NDArray[np.bool_]
    """Which of them are of the person's occupation."""
    table: Floats
    """`(places, len(EVIDENCE))`."""
    traits: Floats
    """`(places, len(TRAITS))`."""
    activities: Floats
    """`(activities, len(SUPPORT))`."""
    shares_a_word: bool
    """Whether any statement has a word of the query."""
    meant: Floats | None = None
    """`(places, len(MEANT))` where a neural space is active."""


def evidence_of(
    index: StatementIndex,
    queries: Sequence[str],
    own: Sequence[Places],
    cosines: Floats | None = None,
) -> Iterator[Evidence]:
    """The evidence for each query in order; `own` are places that are weighed in any case.

    `cosines` are `(queries, statements)` of a neural space, whose nearest are weighed, too.
    """
    for start in range(0, len(queries), BATCH):
        batch = _Batch(index, queries[start : start + BATCH])
        for row, places in enumerate(own[start : start + BATCH]):
            yield batch.evidence(row, places, None if cosines is None else cosines[start + row])


class _Batch:
    """The products of some queries with the whole index."""

    def __init__(self, index: StatementIndex, queries: Sequence[str]) -> None:
        self._index = index
        stemmed = [content(query) for query in queries]
        self._lengths = np.maximum([len(one) for one in stemmed], 1).astype(np.float32)
        rows, hashes = word_hashes(stemmed)
        first_rows, first_hashes = word_hashes([one[:1] for one in stemmed])
        letter_rows, letter_hashes = character_grams([letters_of(query) for query in queries])
        self._number = len(queries)
        self.letters = self._cosines(index.letters, letter_rows, letter_hashes)
        self.words = self._cosines(index.words, rows, hashes)
        self.near = np.asarray((self.letters + self.words) / 2, dtype=np.float32)
        self.verb = self._counted(index.verbs, first_rows, first_hashes)
        self.shared = self._present(index.rarity, rows, hashes)
        self.opening = self._present(index.rarity, first_rows, first_hashes)
        self.rarity = self._rarity(stemmed)
        self.first_rarity = self._rarity([one[:1] for one in stemmed])
        self.distinct = [len(set(one)) for one in stemmed]
        self.detailed = self._likelihood("detailed", rows, hashes, self._lengths)
        self.activity = self._likelihood("activity", rows, hashes, self._lengths)
        ones = np.ones(self._number, dtype=np.float32)
        self.opened = self._likelihood("verb", first_rows, first_hashes, ones)
        self.nearest = _nearest(self.near)

    def _cosines(self, postings: Postings, rows: Rows, hashes: Hashes) -> Floats:
        return postings.cosines_of(postings.queries(rows, hashes, self._number))

    def _counted(self, postings: Postings, rows: Rows, hashes: Hashes) -> Floats:
        return postings.sums(postings.queries(rows, hashes, self._number))

    def _present(self, postings: Postings, rows: Rows, hashes: Hashes) -> Floats:
        queries = postings.queries(rows, hashes, self._number)
        return postings.sums(replace(queries, weights=np.ones_like(queries.weights)))

    def _likelihood(self, model: str, rows: Rows, hashes: Hashes, lengths: Floats) -> Floats:
        """Log-likelihood ratio under the unigram models, by root of the query's length."""
        postings = self._index.models[model]
        queries = postings.queries(rows, hashes, self._number)
        counted = np.bincount(queries.rows, queries.weights, minlength=self._number)
        total = postings.sums(queries) + np.outer(counted, self._index.arrays[f"base_{model}"])
        return np.asarray(total / np.sqrt(lengths).reshape(-1, 1), dtype=np.float32)

    def _rarity(self, stemmed: Sequence[Sequence[str]]) -> Floats:
        """`(queries,)` summed rarity of the distinct words of each, unknown ones being rarest."""
        distinct = [list(dict.fromkeys(one)) for one in stemmed]
        rows, hashes = word_hashes(distinct)
        vocabulary = self._index.rarity.vocabulary
        if not len(vocabulary):
            return np.zeros(self._number, dtype=np.float32)
        places = np.minimum(np.searchsorted(vocabulary, hashes), len(vocabulary) - 1)
        is_known = vocabulary[places] == hashes
        idf = np.where(is_known, self._index.rarity.idf[places], self._index.rarest)
        return np.bincount(rows, idf, minlength=self._number).astype(np.float32)

    def evidence(self, row: int, own: Places, cosines: Floats | None) -> Evidence:
        """What one of the queries finds."""
        index = self._index
        nearest = self.nearest[row]
        places = np.union1d(nearest, own) if len(own) else nearest
        if cosines is not None:
            places = np.union1d(places, _nearest(cosines.reshape(1, -1))[0])
        near = self.near[row]
        links = _Votes(index, nearest, near[nearest], "detailed")
        doing = _Votes(index, nearest, near[nearest], "activity")
        worded = self.activity[row] + self.opened[row]
        detailed, detailed_lengths = index.links("detailed", places)
        activity, activity_lengths = index.links("activity", places)
        rarity = max(float(self.rarity[row]), 1e-6)
        shared = self.shared[row, places]
        covering = shared / np.maximum(index.arrays["rarities"][places], 1e-6)

        def linked(values: Floats) -> Floats:
            return _best(values[detailed], detailed_lengths, float(values.min(initial=0)))

        best = np.maximum(linked(links.best), near[places])  # without links: its own likest
        columns = [
            self.words[row, places],
            self.letters[row, places],
            shared / rarity,
            covering,
            self.verb[row, places],
            linked(links.near),
            linked(links.wide),
            best,
            linked(self.detailed[row]),
            _best(worded[activity], activity_lengths, float(worded.min(initial=0))),
        ]
        is_own = np.isin(places, own, assume_unique=True)
        return Evidence(
            places=places,
            own=is_own,
            table=np.stack(columns, axis=1).astype(np.float32),
            traits=self._traits(row, places, covering, is_own),
            activities=np.stack([self.activity[row], self.opened[row], doing.near], axis=1),
            shares_a_word=bool(shared.any()),
            meant=None if cosines is None else _meant(index, places, cosines[places]),
        )

    def _traits(self, row: int, places: Places, covering: Floats, own: Any) -> Floats:
        """`(places, len(TRAITS))`."""
        shared, first = self.shared[row, places], self.opening[row, places]
        distinct = max(self.distinct[row], 1)
        about, spoken = float(self.rarity[row] - self.first_rarity[row]), shared - first
        if distinct == 1:  # of one word there is nothing after the first
            about, spoken = float(self.rarity[row]), shared
        covered = spoken / max(about, 1e-6)
        same_verb = (first > 0).astype(np.float32)
        columns = [
            np.ones(len(places)), covered, covering, same_verb, same_verb * covered,
            self.near[row, places], own, np.full(len(places), 1 / distinct),
        ]  # fmt: skip
        return np.stack(columns, axis=1).astype(np.float32)


def _nearest(likeness: Floats) -> Places:
    """`(queries, at most NEAREST)` places of the likest, sorted by place."""
    number = min(NEAREST, likeness.shape[1])
    top = np.argpartition(-likeness, number - 1, axis=1)[:, :number]
    return np.asarray(np.sort(top, axis=1), dtype=np.int64)


def _meant(index: StatementIndex, places: Places, cosines: Floats) -> Floats:
    """`(places, len(MEANT))` evidence from the cosines of a neural space."""
    likeness = np.maximum(cosines, 0)
    linked, lengths = index.links("detailed", places)
    shared = np.repeat(likeness, lengths)
    size = len(index.detailed)
    best = np.zeros(size, dtype=np.float32)
    np.maximum.at(best, linked, shared)
    summed = _log(np.bincount(linked, shared**12, minlength=size))
    least = float(summed.min(initial=0))
    columns = [cosines, _best(summed[linked], lengths, least), _best(best[linked], lengths, 0.0)]
    return np.stack(columns, axis=1).astype(np.float32)


class _Votes:
    """What the nearest statements say of the activities that they are linked to."""

    def __init__(self, index: StatementIndex, nearest: Places, near: Floats, kind: str) -> None:
        linked, lengths = index.links(kind, nearest)
        size = len(index.detailed if kind == "detailed" else index.activities)
        shared = np.repeat(near, lengths)
        square = shared * shared
        self.near = _log(np.bincount(linked, square * square, minlength=size))
        self.wide = _log(np.bincount(linked, square, minlength=size))
        self.best = np.zeros(size, dtype=np.float32)
        np.maximum.at(self.best, linked, shared)


def _log(total: npt.NDArray[Any]) -> Floats:
    return np.asarray(np.log(total + 1e-3), dtype=np.float32)


def _best(values: Floats, lengths: npt.NDArray[Any], without: float) -> Floats:
    """The largest of each stretch of values; `without` where a stretch is empty."""
    best = np.full(len(lengths), without, dtype=np.float32)
    filled = lengths > 0
    if filled.any():
        starts = (np.cumsum(lengths) - lengths)[filled]
        best[filled] = np.maximum.reduceat(values, starts)
    return best
