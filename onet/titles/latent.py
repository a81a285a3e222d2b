"""Words and occupations in one space: near are words that the same occupations use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import scipy.sparse as sp

from futura.text import STOP_WORDS, stems, words
from onet.lexical.postings import Arrays, Counts, Floats, Hashes, count, located, word_hashes

DIMENSIONS: Final = 300
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
    top = np.argsort(-values, kind="stable")[:DIMENSIONS]
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
