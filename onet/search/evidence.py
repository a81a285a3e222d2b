"""What speaks for the statements nearest to a piece of work, for many pieces in one pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from onet.lexical.postings import Floats, Hashes, Postings, Rows, word_hashes
from onet.search.index import Places, StatementIndex, content, letters_of

BATCH: Final = 32
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
"""What `Evidence.traits` says about each statement, in order; `onet.search.weighing` weighs it.

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
        batch = slice(start, start + BATCH)
        likeness = _Likeness(index, queries[batch])
        yield from _weighed_up(likeness, own[batch], None if cosines is None else cosines[batch])


class _Likeness:
    """The products of some queries with the whole index: one row a query."""

    def __init__(self, index: StatementIndex, queries: Sequence[str]) -> None:
        self.index = index
        stemmed = [content(query) for query in queries]
        first = [item[:1] for item in stemmed]
        lengths = np.maximum([len(item) for item in stemmed], 1).astype(np.float32)
        rows, hashes = word_hashes(stemmed)
        first_rows, first_hashes = word_hashes(first)
        letter_rows, letter_hashes = letters_of(queries)
        self.number = len(queries)
        self.letters = self._cosines(index.letters, letter_rows, letter_hashes)
        self.words = self._cosines(index.words, rows, hashes)
        self.near = np.asarray((self.letters + self.words) / 2, dtype=np.float32)
        self.verb = self._counted(index.verbs, first_rows, first_hashes)
        self.shared = self._present(index.rarity, rows, hashes)
        self.opening = self._present(index.rarity, first_rows, first_hashes)
        self.rarity = self._rarity(stemmed)
        self.first_rarity = self._rarity(first)
        self.distinct = np.maximum([len(set(item)) for item in stemmed], 1)
        self.detailed = self._likelihood("detailed", rows, hashes, lengths)
        self.activity = self._likelihood("activity", rows, hashes, lengths)
        ones = np.ones(self.number, dtype=np.float32)
        self.opened = self._likelihood("verb", first_rows, first_hashes, ones)

    def _cosines(self, postings: Postings, rows: Rows, hashes: Hashes) -> Floats:
        return postings.cosines_of(postings.queries(rows, hashes, self.number))

    def _counted(self, postings: Postings, rows: Rows, hashes: Hashes) -> Floats:
        return postings.sums(postings.queries(rows, hashes, self.number))

    def _present(self, postings: Postings, rows: Rows, hashes: Hashes) -> Floats:
        queries = postings.queries(rows, hashes, self.number)
        return postings.sums(replace(queries, weights=np.ones_like(queries.weights)))

    def _likelihood(self, model: str, rows: Rows, hashes: Hashes, lengths: Floats) -> Floats:
        """Log-likelihood ratio under the unigram models, by root of the query's length."""
        postings = self.index.models[model]
        queries = postings.queries(rows, hashes, self.number)
        counted = np.bincount(queries.rows, queries.weights, minlength=self.number)
        total = postings.sums(queries) + np.outer(counted, self.index.arrays[f"base_{model}"])
        return np.asarray(total / np.sqrt(lengths).reshape(-1, 1), dtype=np.float32)

    def _rarity(self, stemmed: Sequence[Sequence[str]]) -> Floats:
        """`(queries,)` summed rarity of the distinct words of each, unknown ones being rarest."""
        distinct = [list(dict.fromkeys(item)) for item in stemmed]
        rows, hashes = word_hashes(distinct)
        vocabulary = self.index.rarity.vocabulary
        if not len(vocabulary):
            return np.zeros(self.number, dtype=np.float32)
        places = np.minimum(np.searchsorted(vocabulary, hashes), len(vocabulary) - 1)
        is_known = vocabulary[places] == hashes
        idf = np.where(is_known, self.index.rarity.idf[places], self.index.rarest)
        return np.bincount(rows, idf, minlength=self.number).astype(np.float32)


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Queries with the statements that are weighed for them: all in one row, sorted."""

    rows: Places
    places: Places

    @classmethod
    def of(cls, keys: Places, size: int) -> _Pairs:
        """`keys`: number of the query times number of statements, plus place."""
        return cls(*np.divmod(keys, size))

    def linked(self, index: StatementIndex, kind: str) -> _Links:
        size = len(index.detailed if kind == "detailed" else index.activities)
        numbers, lengths = index.links(kind, self.places)
        return _Links(numbers + np.repeat(self.rows * size, lengths), lengths, self.rows, size)


@dataclass(frozen=True, slots=True)
class _Links:
    """Links of pairs, as places in a flat table of queries by activities."""

    at: Places
    lengths: Places
    rows: Places
    size: int

    def best(self, values: Floats) -> Floats:
        """`(pairs,)` the largest of each pair's values, of `(queries, activities)`.

        A pair without a link gets the least of its query's values, or 0 if that is less.
        """
        least = np.minimum(values.min(axis=1, initial=0), 0)
        best = np.asarray(least[self.rows], dtype=np.float32)
        filled = self.lengths > 0
        if filled.any():
            starts = (np.cumsum(self.lengths) - self.lengths)[filled]
            best[filled] = np.maximum.reduceat(values.ravel()[self.at], starts)
        return best

    def logged(self, likeness: Floats, number: int) -> Floats:
        """`(queries, activities)` log of what the pairs add up to for each activity."""
        shared = np.repeat(likeness, self.lengths)
        total = np.bincount(self.at, shared, minlength=number * self.size)
        return np.asarray(np.log(total + 1e-3), dtype=np.float32).reshape(number, self.size)

    def likest(self, likeness: Floats, number: int) -> Floats:
        """`(queries, activities)` the likest pair of each activity."""
        best = np.zeros(number * self.size, dtype=np.float32)
        np.maximum.at(best, self.at, np.repeat(likeness, self.lengths))
        return best.reshape(number, self.size)


def _weighed_up(
    like: _Likeness, own: Sequence[Places], cosines: Floats | None
) -> Iterator[Evidence]:
    index = like.index
    size = index.size
    firsts = np.arange(like.number) * size
    nearest = _nearest(like.near) + firsts.reshape(-1, 1)
    own_keys = np.concatenate([some + first for some, first in zip(own, firsts, strict=True)])
    meant_keys = [] if cosines is None else [_nearest(cosines) + firsts.reshape(-1, 1)]
    keys = np.unique(np.concatenate([item.ravel() for item in (nearest, own_keys, *meant_keys)]))
    is_own = np.zeros(len(keys), dtype=bool)
    is_own[np.searchsorted(keys, own_keys)] = True
    pairs = _Pairs.of(keys, size)
    near = like.near.ravel()[keys]
    nearest_pairs = _Pairs.of(nearest.ravel(), size)
    square = like.near.ravel()[nearest.ravel()] ** 2
    links = nearest_pairs.linked(index, "detailed")
    doing = nearest_pairs.linked(index, "activity").logged(square * square, like.number)
    detailed, activity = pairs.linked(index, "detailed"), pairs.linked(index, "activity")
    shared = like.shared.ravel()[keys]
    covering = shared / np.maximum(index.arrays["rarities"][pairs.places], 1e-6)
    columns = [
        like.words.ravel()[keys],
        like.letters.ravel()[keys],
        shared / np.maximum(like.rarity, 1e-6)[pairs.rows],
        covering,
        like.verb.ravel()[keys],
        detailed.best(links.logged(square * square, like.number)),
        detailed.best(links.logged(square, like.number)),
        # without links: its own likest
        np.maximum(detailed.best(links.likest(np.sqrt(square), like.number)), near),
        detailed.best(like.detailed),
        activity.best(like.activity + like.opened),
    ]
    table = np.stack(columns, axis=1).astype(np.float32)
    traits = _traits(like, pairs, keys, covering, is_own)
    activities = np.stack([like.activity, like.opened, doing], axis=2)
    meant = None if cosines is None else _meant(pairs, detailed, cosines)
    ends = np.searchsorted(keys, firsts + size).tolist()
    for row, (start, end) in enumerate(zip([0, *ends], ends, strict=False)):
        some = slice(start, end)
        yield Evidence(
            places=pairs.places[some],
            own=is_own[some],
            table=table[some],
            traits=traits[some],
            activities=activities[row],
            shares_a_word=bool(shared[some].any()),
            meant=None if meant is None else meant[some],
        )


def _traits(like: _Likeness, pairs: _Pairs, keys: Places, covering: Floats, own: Any) -> Floats:
    shared, first = like.shared.ravel()[keys], like.opening.ravel()[keys]
    # of one word there is nothing after the first
    is_longer = like.distinct > 1
    about = np.maximum(like.rarity - like.first_rarity * is_longer, 1e-6)
    covered = (shared - first * is_longer[pairs.rows]) / about[pairs.rows]
    same_verb = (first > 0).astype(np.float32)
    columns = [
        np.ones(len(keys)), covered, covering, same_verb, same_verb * covered,
        like.near.ravel()[keys], own, (1 / like.distinct)[pairs.rows],
    ]  # fmt: skip
    return np.stack(columns, axis=1).astype(np.float32)


def _nearest(likeness: Floats) -> Places:
    """`(queries, at most NEAREST)` places of the likest, sorted by place."""
    number = min(NEAREST, likeness.shape[1])
    top = np.argpartition(-likeness, number - 1, axis=1)[:, :number]
    return np.asarray(np.sort(top, axis=1), dtype=np.int64)


def _meant(pairs: _Pairs, linked: _Links, cosines: Floats) -> Floats:
    """`(pairs, len(MEANT))` evidence from the cosines of a neural space."""
    cosine = cosines[pairs.rows, pairs.places]
    likeness = np.maximum(cosine, 0)
    number = len(cosines)
    summed, best = linked.logged(likeness**12, number), linked.likest(likeness, number)
    columns = [cosine, linked.best(summed), linked.best(best)]
    return np.stack(columns, axis=1).astype(np.float32)
