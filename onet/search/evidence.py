"""What speaks for the statements nearest to a piece of work, for many in one pass, and its weight.

Weights are fitted on O*NET's own statements, some left out of the index: such a one is the query,
and statements that share a detailed activity with it are right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from onet.lexical import Floats, Hashes, Postings, Rows, located, word_hashes
from onet.search.index import Places, StatementIndex, content, letters_of

BATCH: Final = 32
"""Queries in one matrix product: the product stays in the processor's cache."""
NEAREST: Final = 400
"""Statements per query, the nearest by words and letters, that are weighed and that vote."""
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
"""What `Evidence.table` says about each statement, in order, with its weight: fitted on 3,000 O*NET
30 statements left out of the index.

`covered`: share of the query that the statement has, `covering`: share of the statement that the
query has, rare words counting more in both; `linked_…`: what the nearest statements say of the
best of its detailed activities; `detailed`, `activity`: how the query is worded there.
"""
TRAITS: Final = ("base", "covered", "covering", "same_verb", "same_both", "near", "own", "brief")
"""What `Evidence.traits` says about each statement, in order; `chances` weighs it.

`covered`: share of what the query is about (its words after the first) that the statement has,
`covering`: share of the statement that the query has, rare words counting more in both;
`same_verb`: the statement has the query's first word; `same_both`: that, times `covered`;
`near`: cosine by words and letters; `own`: of the person's occupation; `brief`: the query has
few words, so that sharing them says little. What a statement is linked to is left out on
purpose: a neighbour of the right statement is not yet the right one.
"""
MEANT_WEIGHTS: Final[dict[str, float]] = {
    "meaning": 6.0,
    "linked_meaning": 0.5,
    "linked_meaning_best": 4.0,
}
"""What a neural space adds, in order, with its weight."""
ACTIVITY_WEIGHTS: Final = (0.274, 0.4377, 1.2586)
"""What counts of `Evidence.activities` for each work activity: unigram model, opening verb, and
how near the statements are that are linked to it."""


@dataclass(frozen=True, slots=True)
class Evidence:
    places: Places
    """The nearest statements, and those of the person's occupation; sorted."""
    own: npt.NDArray[np.bool_]
    """Which of them are of the person's occupation."""
    table: Floats
    """`(places, len(WEIGHTS))`."""
    traits: Floats
    """`(places, len(TRAITS))`."""
    activities: Floats
    """`(activities, len(ACTIVITY_WEIGHTS))`."""
    shares_a_word: bool
    """Whether any statement has a word of the query."""
    meant: Floats | None = None
    """`(places, len(MEANT_WEIGHTS))` where a neural space is active."""


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
        self.letters = index.letters.cosines_of(letter_rows, letter_hashes, self.number)
        self.words = index.words.cosines_of(rows, hashes, self.number)
        self.near = np.asarray((self.letters + self.words) / 2, dtype=np.float32)
        self.verb = index.verbs.sums(index.verbs.queries(first_rows, first_hashes, self.number))
        self.shared = self._present(index.rarity, rows, hashes)
        self.opening = self._present(index.rarity, first_rows, first_hashes)
        self.rarity = self._rarity(stemmed)
        self.first_rarity = self._rarity(first)
        self.distinct = np.maximum([len(set(item)) for item in stemmed], 1)
        self.detailed = index.models["detailed"].likelihood(rows, hashes, lengths)
        self.activity = index.models["activity"].likelihood(rows, hashes, lengths)
        ones = np.ones(self.number, dtype=np.float32)
        self.opened = index.models["verb"].likelihood(first_rows, first_hashes, ones)

    def _present(self, postings: Postings, rows: Rows, hashes: Hashes) -> Floats:
        queries = postings.queries(rows, hashes, self.number)
        return postings.sums(replace(queries, weights=np.ones_like(queries.weights)))

    def _rarity(self, stemmed: Sequence[Sequence[str]]) -> Floats:
        """`(queries,)` summed rarity of the distinct words of each, unknown ones being rarest."""
        rows, hashes = word_hashes([list(dict.fromkeys(item)) for item in stemmed])
        places, is_known = located(self.index.rarity.vocabulary, hashes)
        idf = np.append(self.index.rarity.idf, self.index.rarest)
        rarity = idf[np.where(is_known, places, len(idf) - 1)]
        return np.bincount(rows, rarity, minlength=self.number).astype(np.float32)


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
    """`(pairs, len(MEANT_WEIGHTS))` evidence from the cosines of a neural space."""
    cosine = cosines[pairs.rows, pairs.places]
    likeness = np.maximum(cosine, 0)
    number = len(cosines)
    summed, best = linked.logged(likeness**12, number), linked.likest(likeness, number)
    columns = [cosine, linked.best(summed), linked.best(best)]
    return np.stack(columns, axis=1).astype(np.float32)


# Weighing ---------------------------------------------------------------------------------------
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
    scores = evidence.table @ np.array(list(WEIGHTS.values()), dtype=np.float32)
    if evidence.meant is not None:
        by_meaning = np.array(list(MEANT_WEIGHTS.values()), dtype=np.float32)
        scores = scores + evidence.meant @ by_meaning
    return np.asarray(scores, dtype=np.float32)


def chances(table: Floats) -> Floats:
    """`(rows,)` chance that the statement says what the query says; `table` has the `TRAITS`."""
    logit = table @ np.array(CALIBRATION, dtype=np.float32)
    chance = 1 / (1 + np.exp(-logit))
    foreign = table[:, TRAITS.index("covered")] <= 0
    most = np.where(foreign, FOREIGN, np.where(table[:, TRAITS.index("brief")] == 1, ONE_WORD, 1))
    return np.asarray(np.minimum(chance, most), dtype=np.float32)


def calibrated_by_meaning(meant: Floats, calibration: tuple[float, float, float]) -> Floats:
    """`(places,)` the same chance, from a neural space calibrated on its own."""
    base, by_meaning, by_linked = calibration
    meaning, _linked, linked_best = meant.T
    logit = base + by_meaning * meaning + by_linked * linked_best
    return np.asarray(1 / (1 + np.exp(-logit)), dtype=np.float32)


def activity_chances(evidence: Evidence) -> Floats:
    """`(activities,)` how likely each work activity is meant, adding up to 1."""
    if not len(evidence.activities):
        return np.zeros(0, dtype=np.float32)
    scores = evidence.activities @ np.array(ACTIVITY_WEIGHTS, dtype=np.float32)
    chances = np.exp(scores - scores.max())
    return np.asarray(chances / chances.sum(), dtype=np.float32)
