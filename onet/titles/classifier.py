"""What the titles of a release teach: which occupations words and letters mean, which are near.

A softmax over the mean of learned vectors of features (Joulin and others 2016, "Bag of tricks for
efficient text classification"), trained by AdaGrad when the index is built: about 15 seconds of
one processor for O*NET's 50,000 titles. Beside it words and occupations in one space: near are
words that the same occupations use.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from futura.text import STOP_WORDS, stems, words
from onet.lexical import (
    Arrays,
    Counts,
    Floats,
    Hashes,
    Table,
    character_grams,
    count,
    located,
    stretches,
    word_hashes,
)

DIMENSIONS: Final = 96
EPOCHS: Final = 8
BATCH: Final = 256
RATE: Final = 0.6
LEFT_OUT: Final = 0.4
"""Share of a title's features that a step does not see, so that none is relied on alone."""
RARE: Final = 2
"""Features of fewer titles are not learned."""
PIECE: Final = 6
"""Words of a description that are learned as one title."""

Places = npt.NDArray[np.int64]


def features(keys: Sequence[str], stemmed: Sequence[Sequence[str]]) -> tuple[Places, Hashes]:
    """Rows and hashes: words, pairs of words, first and last word, letters of each title."""
    sequences = [[*own, *map(" ".join, pairwise(["^", *own, "$"]))] for own in stemmed]
    rows, hashes = zip(word_hashes(sequences), character_grams(keys), strict=True)
    return np.concatenate(rows), np.concatenate(hashes)


def pieces(descriptions: Sequence[str]) -> tuple[list[str], list[int]]:
    """Descriptions cut into texts as short as titles, and the occupation of each."""
    texts, owners = [], []
    for place, description in enumerate(descriptions):
        content = [word for word in words(description) if word not in STOP_WORDS]
        for start in range(0, len(content), PIECE):
            texts.append(" ".join(content[start : start + PIECE]))
            owners.append(place)
    return texts, owners


def learned_arrays(
    rows: Places, hashes: Hashes, owners: Sequence[Sequence[int]], occupations: int
) -> Arrays:
    """Vectors of the features and of the occupations; `owners` has those of each row."""
    counts = count(rows, hashes, len(owners))
    frequency = np.bincount(counts.table.indices, minlength=len(counts.vocabulary))
    stored = np.flatnonzero(frequency >= RARE)
    table = sp.csr_array(counts.table[:, stored])
    table.data[:] = 1.0
    vectors, weights, base = _train(table, owners, occupations)
    return {
        "learned_vocabulary": counts.vocabulary[stored],
        "learned_features": vectors.astype(np.float16),
        "learned_occupations": weights,
        "learned_base": base,
    }


def learned_chances(arrays: Arrays, hashes: Hashes) -> Floats:
    """`(occupations,)` log of how likely each is meant; unknown features speak for none."""
    existing = np.unique(hashes)
    places, is_known = located(arrays["learned_vocabulary"], existing)
    rows = arrays["learned_features"][places[is_known]].astype(np.float32)
    scores = rows.sum(axis=0) / max(len(existing), 1) @ arrays["learned_occupations"]
    scores = scores + arrays["learned_base"]
    scores -= scores.max(initial=0.0)
    return np.asarray(scores - np.log(np.exp(scores).sum()), dtype=np.float32)


def _train(
    table: Table, owners: Sequence[Sequence[int]], occupations: int
) -> tuple[Floats, Floats, Floats]:
    """Vectors of features, vectors of occupations, and how common each occupation is."""
    chance = np.random.default_rng(0)
    size, wide = table.shape
    spread = 0.5 / np.sqrt(DIMENSIONS)
    vectors = chance.uniform(-spread, spread, (wide, DIMENSIONS)).astype(np.float32)
    weights = np.zeros((DIMENSIONS, occupations), np.float32)
    base = np.zeros(occupations, np.float32)
    seen = [np.full(shape, 1e-6, np.float32) for shape in (wide, weights.shape, base.shape)]
    lengths = np.array([len(own) for own in owners], dtype=np.int64)
    starts = np.cumsum(lengths) - lengths
    flat = np.array([place for own in owners for place in own], dtype=np.int64)
    steps = [
        order[start : start + BATCH]
        for order in (chance.permutation(size) for _ in range(EPOCHS))
        for start in range(0, size, BATCH)
    ]
    for number, batch in enumerate(steps):
        rate = RATE * (1 - number / len(steps)) + 1e-3
        columns, shares = _without_some(sp.csr_array(table[batch]), chance)
        inner = shares @ vectors[columns]
        at = np.repeat(np.arange(len(batch)), lengths[batch])
        right = flat[stretches(starts[batch], lengths[batch])]
        wrong = _error(inner @ weights + base, at, right)
        change = shares.T @ (wrong @ weights.T)
        _descend(weights, inner.T @ wrong, seen[1], rate)
        _descend(base, wrong.sum(axis=0), seen[2], rate)
        seen[0][columns] += (change * change).mean(axis=1)
        vectors[columns] -= rate * change / np.sqrt(seen[0][columns])[:, None]
    return vectors, weights, base


def _without_some(rows: Table, chance: np.random.Generator) -> tuple[Places, Table]:
    """The features of some rows, and their shares in each row, some of them left out."""
    rows.data *= chance.random(len(rows.data)) > LEFT_OUT
    sums = np.maximum(rows.sum(axis=1), 1e-6)
    shares = (rows.data / np.repeat(sums, np.diff(rows.indptr))).astype(np.float32)
    columns, places = np.unique(rows.indices, return_inverse=True)
    narrow = (rows.shape[0], len(columns))
    return columns.astype(np.int64), sp.csr_array((shares, places, rows.indptr), shape=narrow)


def _error(scores: Floats, at: Places, right: Places) -> Floats:
    """Chances less those that are right; occupations of one title share by their chances."""
    chances = np.exp(scores - scores.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    share = chances[at, right] + 1e-9
    chances[at, right] -= share / np.bincount(at, share, minlength=len(chances))[at]
    return np.asarray(chances, dtype=np.float32)


def _descend(values: Floats, slope: Floats, seen: Floats, rate: float) -> None:
    """One step of AdaGrad, in place."""
    seen += slope * slope
    values -= rate * slope / np.sqrt(seen)


# Latent -------------------------------------------------------------------------------------------
LATENT_DIMENSIONS: Final = 300
STATED: Final = 0.5
"""What a word of the statements counts beside one of the titles and the description."""


def latent_arrays(named: Counts, descriptions: Sequence[str], texts: Sequence[str]) -> Arrays:
    """Latent semantic analysis (Deerwester and others 1990) of what occupations are told with.

    `named` has the words of the titles of each occupation. The words' vectors hold their rarity.
    """
    size = len(descriptions)
    described, stated = (word_hashes([_content(text) for text in some])
                         for some in (descriptions, texts))  # fmt: skip
    vocabulary = np.unique(np.concatenate([named.vocabulary, described[1], stated[1]]))
    wide = (size, len(vocabulary))
    titles = named.table.tocoo()
    columns = np.searchsorted(vocabulary, named.vocabulary)[titles.col]
    table = (
        sp.csr_array((titles.data, (titles.row, columns)), shape=wide)
        + count(*described, size, vocabulary).table
        + STATED * count(*stated, size, vocabulary).table
    )
    table = sp.csr_array(table).astype(np.float64)
    owners = np.bincount(table.indices, minlength=len(vocabulary))
    rarity = np.log1p(size / np.maximum(owners, 1))
    table.data = np.log1p(table.data) * rarity[table.indices]
    table = sp.csr_array(sp.diags_array(1 / _lengths(np.sqrt((table**2).sum(axis=1)))) @ table)
    values, vectors = np.linalg.eigh((table @ table.T).toarray())
    top = np.argsort(-values, kind="stable")[:LATENT_DIMENSIONS]
    top = top[values[top] > 1e-9]
    singular = np.sqrt(values[top])
    own = vectors[:, top] * singular
    spoken = (table.T @ vectors[:, top]) / singular * rarity.reshape(-1, 1)
    return {
        "latent_vocabulary": vocabulary,
        "latent_words": spoken.astype(np.float32),
        "latent_occupations": (own / _lengths(np.linalg.norm(own, axis=1)).reshape(-1, 1)).astype(
            np.float32
        ),
    }


def latent_likeness(arrays: Arrays, hashes: Hashes) -> Floats:
    """`(occupations,)` cosine of a title's words with each occupation; zeros for unknown ones."""
    places, is_known = located(arrays["latent_vocabulary"], hashes)
    vector = arrays["latent_words"][places[is_known]].sum(axis=0)
    length = max(float(np.linalg.norm(vector)), 1e-9)
    return np.asarray(arrays["latent_occupations"] @ (vector / length), dtype=np.float32)


def _content(text: str) -> list[str]:
    return stems([word for word in words(text) if word not in STOP_WORDS])


def _lengths(values: Any) -> Any:
    return np.maximum(values, 1e-9)
