"""The connections to Redis: one per process for synchronous code, one per event loop."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from django.conf import settings
from redis import Redis
from redis.asyncio import Redis as AsyncRedis
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff
from redis.retry import Retry

ASYNC_TIMEOUT_S: Final = 10  # longer than a blocking read waits


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
    )
