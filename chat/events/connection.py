"""The connections to Redis: one per process for synchronous code, one per event loop."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import Any, Final

from django.conf import settings
from redis import Redis
from redis.asyncio import Redis as AsyncRedis
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff
from redis.retry import Retry

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
