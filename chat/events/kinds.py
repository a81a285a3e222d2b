"""What the log carries: tokens with their text, and references to what PostgreSQL holds."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import orjson

ENGINE_KINDS: Final = frozenset({"message", "run", "stage", "part", "ended", "operations"})

_declared: set[str] = set(ENGINE_KINDS)


@dataclass(frozen=True)
class Token:
    """A stretch of a reply: where it starts (characters), and under which lease it was made.

    `is_beside`: of a text that grows beside the reply; `message_id` is its part's id then.
    """

    message_id: uuid.UUID
    start: int
    lease: uuid.UUID
    text: str
    is_beside: bool = False

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True)
class ReplyStart:
    """An empty reply as a run begins it: all that a page needs to show it without reading."""

    reply_id: uuid.UUID
    seq: int
    lease: uuid.UUID
    stage: str


@dataclass(frozen=True)
class Reference:
    """Something changed; whoever shows it reads it from PostgreSQL.

    `start` is there where a run has begun a new reply.
    """

    kind: str
    id: str
    version: int = 0
    start: ReplyStart | None = None


Event = Token | Reference

QUEUED: Final = 1  # the version of a reference to a run that was queued just now


def is_queued(event: Event) -> bool:
    """Whether it tells of a run that was queued just now, for which a worker is woken."""
    return isinstance(event, Reference) and (event.kind, event.version) == ("run", QUEUED)


@dataclass(frozen=True, order=True)
class StreamId:
    """A place in a Redis Stream; compares in order."""

    ms: int
    n: int

    @classmethod
    def parse(cls, text: str) -> StreamId:
        """From `ms-n`; ValueError otherwise."""
        ms, _, n = text.partition("-")
        return cls(int(ms), int(n))

    def __str__(self) -> str:
        return f"{self.ms}-{self.n}"


START: Final = StreamId(0, 0)
_CURSOR: Final = re.compile(r"^([0-9a-f]{8,32}):(\d{1,15}-\d{1,10})$")


@dataclass(frozen=True)
class Cursor:
    """How far a reader has read: the incarnation of the log, and the place in it."""

    epoch: str
    id: StreamId

    @classmethod
    def parse(cls, text: str) -> Cursor | None:
        """From `epoch:ms-n`; None for anything else."""
        match = _CURSOR.match(text or "")
        return cls(match[1], StreamId.parse(match[2])) if match else None

    def or_earlier(self, saved: Cursor | None) -> Cursor:
        """The place that the saved text of an answer reaches, where that is before this one."""
        if saved is not None and saved.epoch == self.epoch and saved.id < self.id:
            return saved
        return self

    def __str__(self) -> str:
        return f"{self.epoch}:{self.id}"


@dataclass(frozen=True)
class Entry:
    cursor: Cursor
    event: Event


def declare(kinds: Iterable[str]) -> None:
    """Makes a feature's event kinds known (done when its presenter is registered)."""
    _declared.update(kinds)


def encode(event: Event) -> bytes:
    """The stored form. ValueError for a kind that nobody declared."""
    if isinstance(event, Token):
        token = {"m": event.message_id.hex, "o": event.start, "l": event.lease.hex, "x": event.text}
        return orjson.dumps({**token, "b": 1} if event.is_beside else token)
    if event.kind not in _declared:
        raise ValueError(f"No presenter declares events of kind {event.kind!r}.")
    reference = {"k": event.kind, "i": event.id, "v": event.version}
    return orjson.dumps({**reference, "s": event.start} if event.start else reference)


def decode(stored: str) -> Event:
    raw = orjson.loads(stored)
    if "m" in raw:
        return Token(uuid.UUID(raw["m"]), raw["o"], uuid.UUID(raw["l"]), raw["x"], "b" in raw)
    return Reference(raw["k"], raw["i"], raw["v"], _start(raw["s"]) if "s" in raw else None)


def _start(raw: Mapping[str, Any]) -> ReplyStart:
    lease = uuid.UUID(raw["lease"])
    return ReplyStart(uuid.UUID(raw["reply_id"]), raw["seq"], lease, raw["stage"])
