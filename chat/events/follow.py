"""Following logs as they grow: one listener per web process, shared by all its sockets."""

from __future__ import annotations

import asyncio
import logging
import math
import time
import uuid
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Hashable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar
from weakref import WeakKeyDictionary

from redis.exceptions import RedisError

from chat.events.kinds import START, Cursor, Entry, StreamId
from chat.events.log import Replay, async_redis, end_of, line, published_entries, replay, stream_key

log = logging.getLogger(__name__)
T = TypeVar("T")

BUFFER: Final = 200  # entries a slow reader may fall behind before it gets a snapshot
SHARED: Final = 4  # readings of one session that its readers share
TUNED_IN_S: Final = 2.0  # longest wait until a session's channel is heard
PING_S: Final = 4.0  # a line on which nothing moves is not known to be alive
SILENT_S: Final = 10.0  # one that does not even answer pings is dead


@dataclass(frozen=True)
class Batch:
    """What came since the last one; `is_lost` means: take a snapshot and `seek` its cursor."""

    entries: Sequence[Entry] = ()
    is_lost: bool = False


class Subscription:
    def __init__(self, feed: _Feed, listener: _Listener) -> None:
        self.feed = feed
        self._listener = listener
        self._buffer: deque[Entry] = deque()
        self._came = asyncio.Event()
        self._is_lost = True
        self._losses = 0
        self._last: Cursor | None = None
        self._end: StreamId = START

    @property
    def cursor(self) -> str:
        """The place after the last entry handed out; empty when lost."""
        return str(self._last or "")

    async def seek(self, after: Cursor | None) -> None:
        """Reads on after a cursor; when the log does not know it, the next batch is lost."""
        self._is_lost = True
        if after is not None and await self._listener.hears(self.feed):
            losses = self._losses
            result = await self._replay(after)
            if result is not None and losses == self._losses:
                self._place(after, result)
        self._came.set()

    async def seek_end(self) -> None:
        """Reads only what comes from now on."""
        try:
            await self.seek(await end_of(self._listener.client, self.feed.session_id))
        except (RedisError, OSError):
            await self.seek(None)

    async def _replay(self, after: Cursor) -> Replay | None:
        try:
            return await replay(self._listener.client, self.feed.session_id, after)
        except (RedisError, OSError) as error:
            log.warning("log of session %s not read: %s", self.feed.session_id, error)
            return None

    def _place(self, after: Cursor, replayed: Replay) -> None:
        """Goes on with what the log had, then with what was heard since it was asked."""
        self._end = replayed.cursor.id
        newer = [entry for entry in self._buffer if entry.cursor.id > self._end]
        self._buffer = deque([*replayed.entries, *newer])
        if newer:
            self._end = newer[-1].cursor.id
        self._last = after
        self._is_lost = False

    def push(self, entry: Entry) -> None:
        """From the listener: the next entry of the session."""
        if not self._is_lost and entry.cursor.id <= self._end:
            return  # the replay had it
        if len(self._buffer) >= BUFFER:
            self.lose()
        self._buffer.append(entry)
        self._end = entry.cursor.id
        self._came.set()

    def lose(self) -> None:
        """The place is gone; a snapshot has to follow."""
        self._buffer.clear()
        self._is_lost = True
        self._losses += 1
        self._came.set()

    async def batch(self, timeout_s: float) -> Batch:
        """Waits for entries, at most so long; an empty batch when none came."""
        if not self._buffer and not self._is_lost and timeout_s > 0:
            await self._until_it_came(timeout_s)
        self._came.clear()
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

    async def once(self, key: Hashable, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """What `work` gives, done once for all readers of the session in this process that ask for
        the same: the key says what, and for which place in the log.
        """
        shared = self.feed.shared
        task = shared.get(key)
        if task is None:
            if len(shared) >= SHARED:
                shared.clear()
            task = shared[key] = asyncio.create_task(work(), name="shared")
        result: T = await asyncio.shield(task)
        return result

    async def _until_it_came(self, timeout_s: float) -> None:
        """Waits so long at most. A timer that only wakes costs half of one that cancels."""
        self._came.clear()
        timer = asyncio.get_running_loop().call_later(timeout_s, self._came.set)
        try:
            await self._came.wait()
        finally:
            timer.cancel()


@dataclass
class _Feed:
    """One session's log as this process follows it; `tuned_in` once its channel is heard.

    `pending` counts the requests for the channel that have not been confirmed yet.
    """

    session_id: uuid.UUID
    pending: int = 0
    tuned_in: asyncio.Event = field(default_factory=asyncio.Event)
    readers: set[Subscription] = field(default_factory=set)
    shared: dict[Hashable, asyncio.Task[Any]] = field(default_factory=dict)


class _Listener:
    """Hears the logs of all sessions that anybody in this event loop follows."""

    def __init__(self) -> None:
        self.client: Any = async_redis()
        self.feeds: dict[str, _Feed] = {}
        self._line: Any = None  # the connection, while it stands
        self._task: asyncio.Task[None] | None = None
        self._sending: set[asyncio.Task[None]] = set()
        self._heard_at = 0.0

    @property
    def is_idle(self) -> bool:
        return not any(feed.readers for feed in self.feeds.values())

    def join(self, session_id: uuid.UUID) -> Subscription:
        channel = stream_key(session_id)
        feed = self.feeds.setdefault(channel, _Feed(session_id))
        if not feed.readers:
            feed.pending += 1
            self._say("SUBSCRIBE", channel)
        if self._task is None:
            self._task = asyncio.create_task(self._work(), name="log listener")
        subscription = Subscription(feed, self)
        feed.readers.add(subscription)
        return subscription

    def leave(self, subscription: Subscription) -> None:
        feed = subscription.feed
        feed.readers.discard(subscription)
        if not feed.readers:
            feed.tuned_in.clear()
            self._say("UNSUBSCRIBE", stream_key(feed.session_id))

    async def hears(self, feed: _Feed) -> bool:
        """Waits until the session's channel is tuned in; False when that takes too long."""
        if not feed.tuned_in.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(TUNED_IN_S):
                    await feed.tuned_in.wait()
        return feed.tuned_in.is_set()

    def _say(self, *command: str) -> None:
        """Sends on the standing line; a new line tunes in to everything by itself."""
        if self._line is not None:
            task = asyncio.create_task(self._send(self._line, command), name="tune in")
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)

    async def _send(self, connection: Any, command: Sequence[str]) -> None:
        with suppress(RedisError, OSError):
            if connection is self._line and connection.is_connected:
                await connection.send_command(*command, check_health=False)

    async def _work(self) -> None:
        delay_s = 0.1
        while True:
            try:
                async with line(self.client) as self._line:
                    await self._listen(self._line)
            except (RedisError, OSError) as error:
                log.warning("logs not heard: %s", error)
                was_tuned_in = any(feed.tuned_in.is_set() for feed in self.feeds.values())
                delay_s = 0.1 if was_tuned_in else min(delay_s * 2, 2.0)
            finally:
                self._line = None
                self._lose_all()
            await asyncio.sleep(delay_s)

    def _lose_all(self) -> None:
        """What happened while Redis was away is known only by PostgreSQL."""
        self.feeds = {channel: feed for channel, feed in self.feeds.items() if feed.readers}
        for feed in self.feeds.values():
            feed.pending = 1
            feed.tuned_in.clear()
            for subscription in feed.readers:
                subscription.lose()

    async def _listen(self, connection: Any) -> None:
        if self.feeds:
            await connection.send_command("SUBSCRIBE", *self.feeds, check_health=False)
        pinging = asyncio.create_task(self._ping(connection), name="ping")
        try:
            while True:
                # without a timeout of its own for each of many messages: see _ping
                self._hear(await connection.read_response(timeout=math.inf))
                self._heard_at = time.monotonic()
        finally:
            pinging.cancel()
            with suppress(asyncio.CancelledError):
                await pinging

    async def _ping(self, connection: Any) -> None:
        """Keeps answers coming, and cuts a line that stays silent all the same."""
        self._heard_at = time.monotonic()
        while time.monotonic() - self._heard_at < SILENT_S:
            await asyncio.sleep(PING_S)
            await self._send(connection, ("PING",))
        log.warning("logs not heard: the line to Redis has been silent for long")
        await connection.disconnect(nowait=True)

    def _hear(self, message: Sequence[Any]) -> None:
        kind, channel, *payload = message
        feed = self.feeds.get(channel)
        if feed is None:
            return
        if kind == "message":
            for entry in published_entries(payload[0]):
                for subscription in feed.readers:
                    subscription.push(entry)
        elif kind == "subscribe":
            feed.pending -= 1
            if not feed.pending and feed.readers:
                feed.tuned_in.set()
        elif kind == "unsubscribe" and not feed.readers and not feed.pending:
            del self.feeds[channel]

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        await asyncio.gather(*self._sending, return_exceptions=True)
        await self.client.aclose()


_listeners: WeakKeyDictionary[asyncio.AbstractEventLoop, _Listener] = WeakKeyDictionary()


@asynccontextmanager
async def follow(session_id: uuid.UUID) -> AsyncIterator[Subscription]:
    """A place in a session's log; `seek` a cursor first, or begin with a snapshot."""
    loop = asyncio.get_running_loop()
    listener = _listeners.get(loop)
    if listener is None:
        listener = _listeners[loop] = _Listener()
    subscription = listener.join(session_id)
    try:
        yield subscription
    finally:
        listener.leave(subscription)
        if listener.is_idle:
            _listeners.pop(loop, None)
            await listener.close()
