"""The event log of a session: a capped Redis Stream that can be lost without losing anything."""

from __future__ import annotations

import logging
import secrets
import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from django.conf import settings
from redis import Redis
from redis.asyncio import Redis as AsyncRedis
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff
from redis.exceptions import NoScriptError, RedisError
from redis.retry import Retry

from chat.events.kinds import START, Cursor, Entry, Event, StreamId, Token, decode, encode

ASYNC_TIMEOUT_S: Final = 10  # longer than the pause between two signs of life on a line


@lru_cache(maxsize=1)
def redis() -> Redis:
    """The process's client (safe for threads); gives up after two seconds, tries twice."""
    return Redis.from_url(
        settings.REDIS_URL,
        decode_responses=True,
        socket_timeout=2,
        socket_connect_timeout=1,
        retry=Retry(NoBackoff(), 1),
    )


def async_redis() -> AsyncRedis:
    """A new client for the running event loop; whoever asks for it closes it."""
    return AsyncRedis.from_url(
        settings.REDIS_URL,
        decode_responses=True,
        socket_timeout=ASYNC_TIMEOUT_S,
        socket_connect_timeout=1,
        retry=AsyncRetry(NoBackoff(), 1),
        protocol=2,  # what is told on a channel comes as a plain list, which costs least to read
    )


@asynccontextmanager
async def line(client: AsyncRedis) -> AsyncIterator[Any]:
    """One connection to send on and read from at once; nothing restores it behind one's back."""
    pool: Any = client.connection_pool
    connection = pool.make_connection()
    await connection.connect()
    try:
        yield connection
    finally:
        await connection.disconnect(nowait=True)


log = logging.getLogger(__name__)

LENGTH: Final = 4000  # entries kept per session, about ten long turns
LIFETIME_S: Final = 24 * 3600  # after the last append
REPLAY_MAX: Final = 1500  # a reader further behind gets a snapshot, which is cheaper

# Epoch and stream live and expire together, so a known epoch vouches for what the stream holds.
# Whoever follows the log hears the new entries on the channel of the stream's name.
APPEND: Final = """
local epoch = redis.call('GET', KEYS[2]) or ARGV[1]
redis.call('SET', KEYS[2], epoch, 'EX', ARGV[2])
local told = {epoch}
for i = 4, #ARGV do
  local id = redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[3], '*', 'e', epoch, 'd', ARGV[i])
  told[#told + 1] = id
  told[#told + 1] = ARGV[i]
end
redis.call('EXPIRE', KEYS[1], ARGV[2])
redis.call('PUBLISH', KEYS[1], table.concat(told, '\\n'))
return epoch .. ':' .. told[#told - 1]
"""
_TAIL: Final = """
local epoch = redis.call('GET', KEYS[2])
if not epoch then
  epoch = ARGV[1]
  redis.call('SET', KEYS[2], epoch, 'EX', ARGV[2])
end
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
return epoch .. ':' .. (last[1] and last[1][1] or '0-0')
"""
_append_sha = ""


@dataclass(frozen=True)
class Replay:
    """Everything after a cursor, and the cursor after it."""

    entries: Sequence[Entry]
    cursor: Cursor


def stream_key(session_id: uuid.UUID) -> str:
    """The session's stream; the braces keep its keys on one node of a cluster."""
    return f"chat:{{{session_id}}}:log"


def epoch_key(session_id: uuid.UUID) -> str:
    """The session's epoch: a random mark of one incarnation of its stream."""
    return f"chat:{{{session_id}}}:epoch"


def _keys(session_id: uuid.UUID) -> tuple[str, str]:
    return stream_key(session_id), epoch_key(session_id)


def append_or_raise(session_id: uuid.UUID, *events: Event) -> Cursor:
    """Appends events in order, at once. Raises RedisError; ValueError for unknown kinds."""
    arguments = _arguments(session_id, events)
    client: Any = redis()
    try:
        return _placed(client.execute_command("EVALSHA", _sha(client), *arguments))
    except NoScriptError:
        return _placed(client.eval(APPEND, *arguments))


def forget(session_id: uuid.UUID) -> None:
    """Deletes the log of a session that is gone; with Redis away it goes within a day by itself."""
    try:
        redis().delete(*_keys(session_id))
    except RedisError as error:
        log.warning("the log of session %s is left to expire: %s", session_id, error)


def _arguments(session_id: uuid.UUID, events: Sequence[Event]) -> tuple[Any, ...]:
    stored = [encode(event) for event in events]
    return (2, *_keys(session_id), secrets.token_hex(8), LIFETIME_S, LENGTH, *stored)


def _sha(client: Any) -> str:
    global _append_sha
    if not _append_sha:
        _append_sha = str(client.script_load(APPEND))
    return _append_sha


def _placed(answer: object) -> Cursor:
    cursor = Cursor.parse(str(answer))
    if cursor is None:
        raise RedisError(f"unexpected answer to an append: {answer!r}")
    return cursor


def append(session_id: uuid.UUID, *events: Event) -> Cursor | None:
    """Appends events; without Redis it logs and returns None, since PostgreSQL has the truth.

    Call it after the commit of what the events refer to.
    """
    try:
        return append_or_raise(session_id, *events)
    except RedisError as error:
        log.warning("events of session %s not logged: %s", session_id, error)
        return None


def tail(session_id: uuid.UUID) -> Cursor | None:
    """The end of the log right now; None without Redis. Read it before PostgreSQL."""
    try:
        client: Any = redis()
        place = client.eval(_TAIL, 2, *_keys(session_id), secrets.token_hex(8), LIFETIME_S)
    except RedisError as error:
        log.warning("log of session %s not read: %s", session_id, error)
        return None
    return Cursor.parse(str(place))


async def end_of(client: Any, session_id: uuid.UUID) -> Cursor | None:
    """`tail` for asynchronous code. Raises RedisError."""
    place = await client.eval(_TAIL, 2, *_keys(session_id), secrets.token_hex(8), LIFETIME_S)
    return Cursor.parse(str(place))


def published_entries(message: str) -> list[Entry]:
    epoch, *remaining = message.split("\n")
    places = zip(remaining[::2], remaining[1::2], strict=True)
    return [Entry(Cursor(epoch, StreamId.parse(place)), decode(stored)) for place, stored in places]


def entries_of(items: Sequence[tuple[str, Mapping[str, str]]]) -> list[Entry]:
    return [
        Entry(Cursor(fields["e"], StreamId.parse(place)), decode(fields["d"]))
        for place, fields in items
    ]


async def replay(client: AsyncRedis, session_id: uuid.UUID, after: Cursor) -> Replay | None:
    """Everything after a cursor; None when only a snapshot can help: the cursor is of another
    incarnation, trimmed away, or too far behind. Raises RedisError.
    """
    stream, epoch_of_stream = _keys(session_id)
    async with client.pipeline(transaction=True) as pipe:
        pipe.get(epoch_of_stream)
        pipe.xlen(stream)
        pipe.xrange(stream, count=1)
        pipe.xrange(stream, min=f"({after.id}", count=REPLAY_MAX + 1)
        epoch, length, first, items = await pipe.execute()
    if epoch != after.epoch or len(items) > REPLAY_MAX:
        return None
    if length >= LENGTH and StreamId.parse(first[0][0]) > after.id:
        return None
    if length == 0 and after.id != START:
        return None
    entries = entries_of(items)
    return Replay(entries, entries[-1].cursor if entries else after)


def text_after(session_id: uuid.UUID, message_id: uuid.UUID, lease: uuid.UUID, text: str) -> str:
    """`text` continued with what the log holds of the same message; as it is without Redis."""
    try:
        items: Any = redis().xrange(stream_key(session_id))
    except RedisError as error:
        log.warning("text of message %s not recovered: %s", message_id, error)
        return text
    for entry in entries_of(items):
        event = entry.event
        if not isinstance(event, Token) or event.message_id != message_id or event.lease != lease:
            continue
        if event.start <= len(text) < event.end:
            text += event.text[len(text) - event.start :]
    return text
