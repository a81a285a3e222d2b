"""Sparse text indexes: hashed features of texts, products with them, the folder that keeps them."""

from __future__ import annotations

import fcntl
import shutil
import tempfile
import threading
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from django.conf import settings

Floats = npt.NDArray[np.float32]
Arrays = dict[str, npt.NDArray[Any]]
Texts = npt.NDArray[np.str_]
"""Each is read when it is asked for, where the array is memory-mapped."""
Table: TypeAlias = "sp.csr_array[Any, tuple[int, int]]"


@dataclass(frozen=True, slots=True)
class Features:
    """Weighted features of some queries: which row has which place of a vocabulary, by row."""

    number: int
    rows: Rows
    places: Rows
    weights: Floats


@dataclass(frozen=True, slots=True)
class Postings:
    """Row `i` of `table` lists the texts that have feature `vocabulary[i]`, with its weights.

    `vocabulary` is sorted; `idf` has one value per feature. Read-only, safe between threads.
    """

    vocabulary: Hashes
    idf: Floats
    table: Table
    size: int

    def queries(self, rows: Rows, features: Hashes, number: int) -> Features:
        """How often each of so many queries has each known feature."""
        places, is_known = located(self.vocabulary, features)
        width = max(len(self.vocabulary), 1)
        keys = rows[is_known] * width + places[is_known]
        unique, counts = np.unique(keys, return_counts=True)
        return Features(number, *np.divmod(unique, width), counts.astype(np.float32))

    def sums(self, queries: Features) -> Floats:
        """`(queries, size)` sum over features of query weight times row weight, in one pass."""
        entries, lengths = entries_of(self.table.indptr.astype(np.int64), queries.places)
        cells = np.repeat(queries.rows * self.size, lengths) + self.table.indices[entries]
        weights = np.repeat(queries.weights, lengths) * self.table.data[entries]
        total = np.bincount(cells, weights, minlength=queries.number * self.size)
        return total.astype(np.float32).reshape(queries.number, self.size)

    def cosines(self, features: Hashes) -> Floats:
        """`(size,)` the same of one query."""
        cosines: Floats = self.cosines_of(np.zeros(len(features), np.int64), features, 1)[0]
        return cosines

    def cosines_of(self, rows: Rows, features: Hashes, number: int) -> Floats:
        """`(queries, size)` cosines with every row, for weights made by `cosine_postings`."""
        queries = self.queries(rows, features, number)
        weights = _unit(queries.rows, queries.weights, self.idf[queries.places], queries.number)
        return self.sums(replace(queries, weights=weights))

    def arrays(self, prefix: str) -> Arrays:
        return {
            f"{prefix}_vocabulary": self.vocabulary,
            f"{prefix}_idf": self.idf,
            f"{prefix}_starts": self.table.indptr,
            f"{prefix}_rows": self.table.indices,
            f"{prefix}_weights": self.table.data,
            f"{prefix}_size": np.array([self.size]),
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays, prefix: str) -> Postings:
        vocabulary = arrays[f"{prefix}_vocabulary"]
        size = int(arrays[f"{prefix}_size"][0])
        parts = tuple(arrays[f"{prefix}_{name}"] for name in ("weights", "rows", "starts"))
        table = sp.csr_array(parts, shape=(len(vocabulary), size), copy=False)
        return cls(vocabulary, arrays[f"{prefix}_idf"], table, size)


@dataclass(frozen=True, slots=True)
class Counts:
    """Feature counts per row, on the way to postings."""

    vocabulary: Hashes
    table: Table

    @property
    def idf(self) -> Floats:
        """Inverse document frequency as BM25 has it; one value per feature."""
        number = self.table.shape[0]
        frequency = np.bincount(self.table.indices, minlength=len(self.vocabulary))
        return np.log1p((number - frequency + 0.5) / (frequency + 0.5)).astype(np.float32)

    def rarer_than(self, share: float) -> Counts:
        """Without the features that more than this share of the rows have.

        They hardly tell rows apart, and their posting lists are what searching waits for.
        """
        frequency = np.bincount(self.table.indices, minlength=len(self.vocabulary))
        stored = np.flatnonzero(frequency <= max(share * self.table.shape[0], 1))
        return Counts(self.vocabulary[stored], sp.csr_array(self.table[:, stored]))

    def grouped(self, owners: sp.csr_array[Any, tuple[int, int]]) -> Counts:
        """Counts per owner: in how many of its rows a feature occurs. `owners` is rows x owners."""
        present = self.table.copy()
        present.data[:] = 1.0
        return Counts(self.vocabulary, sp.csr_array(owners.T @ present))


def count(rows: Rows, features: Hashes, size: int, vocabulary: Hashes | None = None) -> Counts:
    """Counts of features per row; with a vocabulary, other features are passed over."""
    if vocabulary is None:
        vocabulary, places = np.unique(features, return_inverse=True)
    else:
        places, is_known = located(vocabulary, features)
        rows, places = rows[is_known], places[is_known]
    ones = np.ones(len(places), dtype=np.float32)
    table = sp.csr_array((ones, (rows, places)), shape=(size, len(vocabulary)))
    return Counts(vocabulary, table)


def _postings(counts: Counts, weighted: Any, idf: Floats) -> Postings:
    by_feature = sp.csr_array(sp.csr_array(weighted).T.tocsr()).astype(np.float32)
    by_feature.indices = by_feature.indices.astype(np.int32)
    by_feature.indptr = by_feature.indptr.astype(np.int32)
    return Postings(counts.vocabulary, idf, by_feature, counts.table.shape[0])


def cosine_postings(counts: Counts) -> Postings:
    """TF-IDF weights, rows of unit length."""
    idf = counts.idf
    table = counts.table
    rows = np.repeat(np.arange(table.shape[0]), np.diff(table.indptr))
    weights = _unit(rows, table.data, idf[table.indices], table.shape[0])
    unit = sp.csr_array((weights, table.indices, table.indptr), shape=table.shape)
    return _postings(counts, unit, idf)


def _unit(rows: Rows, counts: Floats, idf: Floats, number: int) -> Floats:
    weights = (1 + np.log(counts)) * idf
    lengths = np.sqrt(np.bincount(rows, weights**2, minlength=number))
    return np.asarray(weights / np.maximum(lengths, 1e-9)[rows], dtype=np.float32)


def located(vocabulary: Hashes, features: Hashes) -> tuple[Rows, npt.NDArray[np.bool_]]:
    """Where features stand in a sorted vocabulary, and which of them are in it."""
    if not len(vocabulary):
        return np.zeros(len(features), np.int64), np.zeros(len(features), np.bool_)
    places = np.minimum(np.searchsorted(vocabulary, features), len(vocabulary) - 1)
    return places, vocabulary[places] == features


def entries_of(starts: Any, places: Any) -> tuple[Rows, Rows]:
    """Which entries lists stored end to end have at these places, and how many each has."""
    first = starts[places]
    lengths = starts[places + 1] - first
    return stretches(first, lengths), lengths


def stretches(first: Rows, lengths: Rows) -> Rows:
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    return np.repeat(first - ends + lengths, lengths) + np.arange(total)


def rarity_postings(counts: Counts) -> Postings:
    """Whether a row has a feature, weighted by the feature's idf."""
    idf = counts.idf
    table = counts.table
    present = sp.csr_array((idf[table.indices], table.indices, table.indptr), shape=table.shape)
    return _postings(counts, present, idf)


@dataclass(frozen=True, slots=True)
class Unigrams:
    """Log-likelihood ratios of a Dirichlet-smoothed unigram model of each row.

    `base` has the `(size,)` value to add once per word of the query.
    """

    postings: Postings
    base: Floats

    def likelihood(self, rows: Rows, features: Hashes, lengths: Floats) -> Floats:
        """`(queries, size)` by root of the queries' lengths, which say how many they are."""
        queries = self.postings.queries(rows, features, len(lengths))
        counted = np.bincount(queries.rows, queries.weights, minlength=len(lengths))
        total = self.postings.sums(queries) + np.outer(counted, self.base)
        return np.asarray(total / np.sqrt(lengths).reshape(-1, 1), dtype=np.float32)

    @classmethod
    def from_arrays(cls, arrays: Arrays, name: str) -> Unigrams:
        return cls(Postings.from_arrays(arrays, f"model_{name}"), arrays[f"base_{name}"])


def unigram_arrays(counts: Counts, name: str, *, mass: float) -> Arrays:
    """What `Unigrams.from_arrays` reads; `mass` is the number of imagined words from the whole
    collection (Zhai and Lafferty 2001).
    """
    table = counts.table.copy()
    background = np.asarray(table.sum(axis=0)).ravel() + 0.1
    background /= background.sum()
    lengths = np.asarray(table.sum(axis=1)).ravel()
    table.data = np.log1p(table.data / (mass * background[table.indices]))
    idf = np.ones(len(counts.vocabulary), dtype=np.float32)
    base = np.log(mass / (lengths + mass)).astype(np.float32)
    return _postings(counts, table, idf).arrays(f"model_{name}") | {f"base_{name}": base}


Hashes = npt.NDArray[np.uint64]
Rows = npt.NDArray[np.int64]

SIZES: Final = (3, 4, 5)
"""Lengths of the character n-grams where a caller names none."""
_MIX: Final = np.uint64(0x9E3779B97F4A7C15)
_SHIFT: Final = np.uint64(29)


def character_grams(texts: Sequence[str], sizes: Sequence[int] = SIZES) -> tuple[Rows, Hashes]:
    """Every character n-gram of these lengths of every text, with repeats; none spans two texts.

    Texts are padded with a blank on both sides.
    """
    joined = "\x00".join(f" {text} " for text in texts)
    letters = np.frombuffer(joined.encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)
    breaks = letters == 0
    row_of = np.cumsum(breaks)
    rows: list[Rows] = []
    hashes: list[Hashes] = []
    for size in sizes:
        starts = len(letters) - size + 1
        if starts < 1:
            continue
        value = np.zeros(starts, dtype=np.uint64)
        inside = np.ones(starts, dtype=bool)
        for offset in range(size):
            value = (value ^ letters[offset : offset + starts]) * _MIX
            value ^= value >> _SHIFT
            inside &= ~breaks[offset : offset + starts]
        hashes.append((value * np.uint64(8) + np.uint64(size))[inside])
        rows.append(row_of[:starts][inside].astype(np.int64))
    if not rows:
        return np.empty(0, np.int64), np.empty(0, np.uint64)
    return np.concatenate(rows), np.concatenate(hashes)


def text_hash(text: str) -> int:
    """One 64-bit number for a text, whatever its case, the same in every process."""
    return int.from_bytes(blake2b(text.casefold().encode(), digest_size=8).digest(), "little")


def word_hashes(texts: Sequence[Sequence[str]]) -> tuple[Rows, Hashes]:
    """Every word of every text (given as word lists), with repeats."""
    lengths = [len(text) for text in texts]
    rows = np.repeat(np.arange(len(texts), dtype=np.int64), lengths)
    values = (zlib.crc32(word.encode()) for text in texts for word in text)
    return rows, np.fromiter(values, dtype=np.uint64, count=sum(lengths))


# On disk ------------------------------------------------------------------------------------------
IndexT = TypeVar("IndexT")
_lock = threading.Lock()
_loading = threading.Lock()


def open_index(name: str, build: Callable[[], Arrays]) -> Arrays:
    """The arrays under that name, memory-mapped; built first when they are not there.

    `name` must change with everything that the arrays depend on. Many processes may ask at once:
    one builds, the others wait for it. A folder appears complete or not at all.
    """
    folder = Path(settings.DATA_DIR) / "indexes" / name
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with _lock, (folder.parent / ".lock").open("w") as guard:
            fcntl.flock(guard, fcntl.LOCK_EX)
            if not folder.is_dir():
                _write(folder, build())
    # Plain views: the memmap class costs more on every small slice than the slice itself.
    return {file.stem: np.asarray(np.load(file, mmap_mode="r")) for file in folder.glob("*.npy")}


_shared: dict[str, tuple[str, Any]] = {}


def shared_index(kind: str, name: str, load: Callable[[], IndexT]) -> IndexT:
    """The index of a kind that is in use, once in this process; loaded when `name` is another."""
    existing = _shared.get(kind)
    if existing is None or existing[0] != name:
        with _loading:
            existing = _shared.get(kind)
            if existing is None or existing[0] != name:
                existing = _shared[kind] = name, load()
    index: IndexT = existing[1]
    return index


def _write(folder: Path, arrays: Arrays) -> None:
    """Writes beside the place and moves in one step."""
    beside = Path(tempfile.mkdtemp(prefix=".building-", dir=folder.parent))
    try:
        for name, array in arrays.items():
            np.save(beside / f"{name}.npy", np.ascontiguousarray(array), allow_pickle=False)
        beside.rename(folder)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise
