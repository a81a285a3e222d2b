"""How often one person or address may do something, counted in Redis."""

from __future__ import annotations

import logging
from typing import Any, Final

from redis.exceptions import RedisError

from chat.events.connection import redis
from futura.errors import TooMany

log = logging.getLogger(__name__)

# One address may be a whole school behind one router.
PEOPLE_PER_ADDRESS: Final = 10

_COUNT = """
local n = redis.call('INCR', KEYS[1])
if n == 1 then redis.call('EXPIRE', KEYS[1], ARGV[1]) end
return {n, redis.call('TTL', KEYS[1])}
"""


def check_rate(what: str, who: str, *, limit: int, window_s: int = 60) -> None:
    """Counts one use. Raises TooMany over `limit` uses in a window; lets pass without Redis."""
    try:
        client: Any = redis()
        used, left_s = client.eval(_COUNT, 1, f"rate:{what}:{who}", window_s)
    except RedisError:
        log.warning("rate limit %s not counted: Redis does not answer", what)
        return
    if int(used) > limit:
        raise TooMany(retry_after_s=max(1, int(left_s)))


def check_person(what: str, person: str, address: str, *, limit: int) -> None:
    """One use per minute window by a person, and by everybody behind their address."""
    check_rate(what, person, limit=limit)
    if address:
        check_rate(f"{what}-at", address, limit=limit * PEOPLE_PER_ADDRESS)
