"""Keeps built indexes in the data folder, one folder per release and kind, shared by processes."""

from __future__ import annotations

import fcntl
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from django.conf import settings

from onet.lexical.postings import Arrays

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


def pack_texts(**lists: Sequence[str]) -> Arrays:
    """Lists of texts, each as two arrays that can be memory-mapped: bytes, and where texts end."""
    arrays: Arrays = {}
    for name, texts in lists.items():
        encoded = [text.encode() for text in texts]
        arrays[f"{name}_bytes"] = np.frombuffer(b"".join(encoded), dtype=np.uint8)
        arrays[f"{name}_ends"] = np.cumsum([len(text) for text in encoded], dtype=np.int64)
    return arrays


class Texts:
    """A packed list of texts; each is read when it is asked for."""

    def __init__(self, arrays: Arrays, name: str) -> None:
        self._content, self._ends = arrays[f"{name}_bytes"], arrays[f"{name}_ends"]

    def __len__(self) -> int:
        return len(self._ends)

    def __getitem__(self, place: int) -> str:
        begin = int(self._ends[place - 1]) if place else 0
        return bytes(self._content[begin : int(self._ends[place])]).decode()

    def __iter__(self) -> Iterator[str]:
        return (self[place] for place in range(len(self)))
