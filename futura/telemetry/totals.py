"""Sums over tables that only grow, kept up to date by reading what is new since the last look.

A counter must never be read from a whole table of millions of rows every few seconds, nor fall
back when a process starts anew. So the sums up to a mark that nothing can change any more are kept
(in this process, and in Redis for the next one), and only rows after it are read: whoever asks,
whichever process answers, the figure is that of the table.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, cast

import orjson
from redis import Redis
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

Labels = tuple[str, ...]
Sums = dict[Labels, list[float]]
SETTLED_AFTER_S: Final = 15 * 60.0  # longer than any call or run leaves its row open
KEPT_S: Final = 90 * 24 * 3600


@dataclass(frozen=True)
class Source:
    """A table: `sums(after, upto)` reads rows with a mark in (after, upto], None being the end.

    `settled` is a mark before which no row is added or changed any more; `name` changes with the
    form of the sums.
    """

    name: str
    sums: Callable[[float, float | None], Sums]
    settled: Callable[[], float]


@dataclass
class _Kept:
    mark: float = 0.0
    sums: Sums = field(default_factory=dict)


_kept: dict[str, _Kept] = {}


def totals(source: Source, client: Redis) -> Sums:
    """The sums of the whole table. Raises DatabaseError."""
    kept = _kept.get(source.name) or _read(client, source.name) or _Kept()
    settled = source.settled()
    if settled > kept.mark:
        kept = _Kept(settled, added(kept.sums, source.sums(kept.mark, settled)))
        _kept[source.name] = kept
        _write(client, source.name, kept)
    return added(kept.sums, source.sums(kept.mark, None))


def added(one: Mapping[Labels, list[float]], other: Mapping[Labels, list[float]]) -> Sums:
    """The sums of two, label by label."""
    result = {labels: list(values) for labels, values in one.items()}
    for labels, values in other.items():
        before = result.get(labels, [0.0] * len(values))
        result[labels] = [a + b for a, b in zip(before, values, strict=True)]
    return result


def forget() -> None:
    """Reads everything again next time; for tests."""
    _kept.clear()


def _key(name: str) -> str:
    return f"futura:totals:{name}"


def _read(client: Redis, name: str) -> _Kept | None:
    try:
        stored = cast("str | None", client.get(_key(name)))
    except RedisError as error:
        log.warning("totals not read: %s", error)
        return None
    if stored is None:
        return None
    mark, sums = orjson.loads(stored)
    return _Kept(mark, {tuple(labels): values for labels, values in sums})


def _write(client: Redis, name: str, kept: _Kept) -> None:
    stored = orjson.dumps([kept.mark, [[list(key), values] for key, values in kept.sums.items()]])
    try:
        client.set(_key(name), stored, ex=KEPT_S)
    except RedisError as error:
        log.warning("totals not kept: %s", error)
