"""Turns texts into hashed features: character n-grams and words, as (row, 64-bit hash) pairs."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

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


def word_hashes(texts: Sequence[Sequence[str]]) -> tuple[Rows, Hashes]:
    """Every word of every text (given as word lists), with repeats."""
    lengths = [len(text) for text in texts]
    rows = np.repeat(np.arange(len(texts), dtype=np.int64), lengths)
    values = (zlib.crc32(word.encode()) for text in texts for word in text)
    return rows, np.fromiter(values, dtype=np.uint64, count=sum(lengths))
