"""Following logs as they grow: one reader per web process, shared by all its sockets."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final
from weakref import WeakKeyDictionary

from redis.exceptions import RedisError

from chat.events.connection import async_redis
from chat.events.kinds import Cursor, Entry, StreamId
from chat.events.log import Replay, end_of, entries_of, replay, stream_key

log = logging.getLogger(__name__)

BUFFER: Final = 500  # entries a slow reader may fall behind before it gets a snapshot
BLOCK_MS: Final = 5_000
BREATH_S: Final = 0.005  # with many sessions: gather a little instead of reading each entry alone


@dataclass(frozen=True)
class Batch:
    """What came since the last one; `is_lost` means: take a snapshot and `seek` its cursor."""

    entries: Sequence[Entry] = ()
    is_lost: bool = False


class Subscription:
    """One reader's place in the log of one session."""

    def __init__(self, feed: _Feed, reader: _Reader) -> None:
        self.feed = feed
        self._reader = reader
        self._buffer: deque[Entry] = deque()
        self._came = asyncio.Event()
        self._is_lost = True
        self._last: Cursor | None = None

    @property
    def cursor(self) -> str:
        """The place after the last entry handed out; empty when lost."""
        return str(self._last or "")

    async def seek(self, after: Cursor | None) -> None:
        """Reads on after a cursor; when the log does not know it, the next batch is lost."""
        self._is_lost = True
        if after is None:
            self._came.set()
            return
        try:
            found = await self._read_from(after)
        except (RedisError, OSError) as error:
            log.warning("log of session %s not read: %s", self.feed.session_id, error)
            found = None
        if found is not None:
            self._place(after, found.entries, found.cursor)
        self._came.set()

    async def seek_end(self) -> None:
        """Reads only what comes from now on."""
        try:
            await self.seek(await end_of(self._reader.client, self.feed.session_id))
        except (RedisError, OSError):
            await self.seek(None)

    async def _read_from(self, after: Cursor) -> Replay | None:
        found = await replay(self._reader.client, self.feed.session_id, after)
        at = self.feed.at
        if found is None or at is None or at <= found.cursor.id:
            return found
        # the feed was begun by another reader, further on than we have read
        more = await replay(self._reader.client, self.feed.session_id, found.cursor)
        return more and Replay([*found.entries, *more.entries], more.cursor)

    def _place(self, after: Cursor, entries: Sequence[Entry], end: Cursor) -> None:
        newer = [entry for entry in self._buffer if entry.cursor.id > end.id]
        self._buffer = deque([*entries, *newer])
        self._last = after
        self._is_lost = False
        self._reader.follow(self.feed, end.id)

    def push(self, entry: Entry) -> None:
        """From the reader: the next entry of the session."""
        if len(self._buffer) >= BUFFER:
            self.lose()
        self._buffer.append(entry)
        self._came.set()

    def lose(self) -> None:
        """The place is gone; a snapshot has to follow."""
        self._buffer.clear()
        self._is_lost = True
        self._came.set()

    async def batch(self, timeout_s: float) -> Batch:
        """Waits for entries, at most so long; an empty batch when none came."""
        self._came.clear()
        if not self._buffer and not self._is_lost:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._came.wait(), timeout_s)
        if self._is_lost:
            return Batch(is_lost=True)
        entries = list(self._buffer)
        self._buffer.clear()
        if self._last and any(entry.cursor.epoch != self._last.epoch for entry in entries):
            self.lose()
            return Batch(is_lost=True)
        if entries:
            self._last = entries[-1].cursor
        return Batch(entries)


@dataclass
class _Feed:
    """One session's log as this process follows it, from `at` on (None: not yet)."""

    session_id: uuid.UUID
    at: StreamId | None = None
    readers: set[Subscription] = field(default_factory=set)


class _Reader:
    """Tails the logs of all sessions that anybody in this event loop follows."""

    def __init__(self) -> None:
        self.client: Any = async_redis()
        self.feeds: dict[uuid.UUID, _Feed] = {}
        self._wake_key = f"chat:wake:{uuid.uuid4()}"
        self._wake_at = "0-0"
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False

    @property
    def is_idle(self) -> bool:
        return not self.feeds

    def join(self, session_id: uuid.UUID) -> Subscription:
        feed = self.feeds.setdefault(session_id, _Feed(session_id))
        subscription = Subscription(feed, self)
        feed.readers.add(subscription)
        return subscription

    def leave(self, subscription: Subscription) -> None:
        feed = subscription.feed
        feed.readers.discard(subscription)
        if not feed.readers:
            self.feeds.pop(feed.session_id, None)

    def follow(self, feed: _Feed, at: StreamId) -> None:
        """Begins tailing a feed that nobody tails yet."""
        if feed.at is not None:
            return
        feed.at = at
        if self._task is None:
            self._task = asyncio.create_task(self._work(), name="log reader")
        else:
            self._waking = asyncio.create_task(self._wake())

    async def _wake(self) -> None:
        """Makes the blocked read return, so that it takes up new sessions."""
        with suppress(RedisError, OSError):
            await self.client.xadd(self._wake_key, {"w": "1"}, maxlen=1)
            await self.client.expire(self._wake_key, 3600)

    async def _work(self) -> None:
        delay_s = 0.1
        while not self._is_closed:
            try:
                await self._read()
                delay_s = 0.1
            except (RedisError, OSError) as error:
                log.warning("logs not read: %s", error)
                await asyncio.sleep(delay_s)
                delay_s = min(delay_s * 2, 2.0)
                self._lose_all()

    def _lose_all(self) -> None:
        """What happened while Redis was away is known only by PostgreSQL."""
        for feed in self.feeds.values():
            feed.at = None
            for subscription in feed.readers:
                subscription.lose()

    async def _read(self) -> None:
        feeds = {stream_key(feed.session_id): feed for feed in self.feeds.values() if feed.at}
        places: dict[Any, Any] = {key: str(feed.at) for key, feed in feeds.items()}
        places[self._wake_key] = self._wake_at
        found: Any = await self.client.xread(places, count=200, block=BLOCK_MS)
        pairs = found.items() if isinstance(found, dict) else found or ()
        for key, items in pairs:
            flat = (
                items[0] if items and items[0] and isinstance(items[0][0], list | tuple) else items
            )
            self._hand_out(key, feeds.get(key), flat)
        if len(feeds) > 8:
            await asyncio.sleep(BREATH_S)

    def _hand_out(self, key: str, feed: _Feed | None, items: Sequence[Any]) -> None:
        if key == self._wake_key:
            self._wake_at = items[-1][0]
            return
        if feed is None or not items:
            return
        entries = entries_of(items)
        feed.at = entries[-1].cursor.id
        for subscription in feed.readers:
            for entry in entries:
                subscription.push(entry)

    async def close(self) -> None:
        """Ends the reading task and the connections."""
        self._is_closed = True
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        with suppress(RedisError, OSError):
            await self.client.delete(self._wake_key)
        await self.client.aclose()


_readers: WeakKeyDictionary[asyncio.AbstractEventLoop, _Reader] = WeakKeyDictionary()


@asynccontextmanager
async def follow(session_id: uuid.UUID) -> AsyncIterator[Subscription]:
    """A place in a session's log; `seek` a cursor first, or begin with a snapshot."""
    loop = asyncio.get_running_loop()
    reader = _readers.get(loop)
    if reader is None:
        reader = _readers[loop] = _Reader()
    subscription = reader.join(session_id)
    try:
        yield subscription
    finally:
        reader.leave(subscription)
        if reader.is_idle:
            _readers.pop(loop, None)
            await reader.close()
