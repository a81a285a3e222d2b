"""What the processes share in Redis: asked quickly, since a person waits, or not at all."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from functools import cache
from typing import Any, Final, TypeVar

from django.conf import settings
from redis import Redis
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

WITHOUT_REDIS_S: Final = 5.0  # how long a silent Redis is not asked again

T = TypeVar("T")
_away_until = 0.0


def asked(question: Callable[[Any], T], otherwise: T) -> T:
    """What Redis answers; `otherwise` where it does not, which is then left alone for a while."""
    global _away_until
    if time.monotonic() < _away_until:
        return otherwise
    try:
        return question(client(settings.REDIS_URL))
    except RedisError as error:
        _away_until = time.monotonic() + WITHOUT_REDIS_S
        log.warning("Redis does not answer, calls pass without what it holds: %s", error)
        return otherwise


@cache
def client(url: str) -> Redis:
    """The process's client; it gives up quickly."""
    return Redis.from_url(
        url, decode_responses=True, socket_timeout=0.5, socket_connect_timeout=0.3
    )
