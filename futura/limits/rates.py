"""How often something may be done: named rates of several windows, counted exactly in Redis.

Every window slides: of the uses let through, never more than `uses` lie within any `seconds`.
All windows of all who are counted for one use are looked at and written in one step on Redis, by
its clock, so that machines need not agree on the time; a refused use counts nowhere.
"""

from __future__ import annotations

import hmac
import logging
import math
import secrets
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from django.conf import settings
from django.utils.translation import gettext as _
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from futura.errors import TooMany, Unavailable
from futura.limits.addresses import household

log = logging.getLogger(__name__)

MINUTE_S: Final = 60
HOUR_S: Final = 3_600
DAY_S: Final = 86_400
_US: Final = 1_000_000


@dataclass(frozen=True)
class Window:
    """At most `uses` in any `seconds`."""

    uses: int
    seconds: int


@dataclass(frozen=True)
class Rate:
    """A named limit: windows for one person, and for everybody behind one address.

    `fails_closed` says what happens while Redis is away or the address unknown: refused with
    Unavailable, or let through uncounted.
    """

    name: str
    person: tuple[Window, ...] = ()
    address: tuple[Window, ...] = ()
    fails_closed: bool = False


# KEYS: the uses of each who is counted, by time (µs). ARGV: a new use's name; then for each key
# the number of its windows and, for each of them, uses and length in µs.
# Answer: µs to wait (0: let through).
_COUNT: Final = """
local function whole(number) return string.format('%.0f', number) end
local clock = redis.call('TIME')
local now = tonumber(clock[1]) * 1000000 + tonumber(clock[2])
local wait, at, longest = 0, 2, {}
for k, key in ipairs(KEYS) do
  -- a clock that was set back leaves uses in the future: they are of now at the latest
  for _, use in ipairs(redis.call('ZRANGE', key, '(' .. whole(now), '+inf', 'BYSCORE')) do
    redis.call('ZADD', key, whole(now), use)
  end
  longest[k] = 0
  local windows = tonumber(ARGV[at])
  at = at + 1
  for _ = 1, windows do
    local uses, length = tonumber(ARGV[at]), tonumber(ARGV[at + 1])
    at = at + 2
    longest[k] = math.max(longest[k], length)
    if redis.call('ZCOUNT', key, '(' .. whole(now - length), '+inf') >= uses then
      local last = redis.call('ZRANGE', key, uses - 1, uses - 1, 'REV', 'WITHSCORES')
      wait = math.max(wait, tonumber(last[2]) + length - now)
    end
  end
end
if wait == 0 then
  for k, key in ipairs(KEYS) do
    redis.call('ZADD', key, whole(now), ARGV[1])
    redis.call('ZREMRANGEBYSCORE', key, '-inf', whole(now - longest[k]))
    redis.call('PEXPIRE', key, whole(math.ceil(longest[k] / 1000)))
  end
end
return wait
"""


def check(rate: Rate, *, person: str = "", address: str = "", place: str = "") -> None:
    """Counts one use by `person` (any stable name) from `address`; empty ones are not counted.

    `place` counts apart what happens at different places. Raises TooMany over a window, and
    Unavailable where a rate that fails closed cannot be counted.
    """
    if not settings.RATE_LIMITS:
        return
    counted = _counted(rate, person, household(address), place)
    if not counted:
        return
    try:
        wait_us = _count(counted)
    except RedisError as error:
        if rate.fails_closed:
            raise Unavailable from error
        log.warning("rate %s not counted: Redis does not answer", rate.name)
        return
    if wait_us:
        wait_s = max(1, math.ceil(wait_us / _US))
        raise TooMany(wait_sentence(wait_s), retry_after_s=wait_s)


def _counted(
    rate: Rate, person: str, address: str, place: str
) -> list[tuple[str, tuple[Window, ...]]]:
    who = (("person", person, rate.person), ("address", address, rate.address))
    if rate.fails_closed and any(windows and not name for _kind, name, windows in who):
        raise Unavailable
    return [
        (_key(rate.name, place, kind, name), windows)
        for kind, name, windows in who
        if name and windows
    ]


def _key(*names: str) -> str:
    """Says nothing about person or address to who can read Redis."""
    details = "\x00".join(names).encode()
    return (
        f"rate:{names[0]}:{hmac.digest(settings.SECRET_KEY.encode(), details, 'sha256').hex()[:32]}"
    )


def _count(counted: list[tuple[str, tuple[Window, ...]]]) -> int:
    arguments: list[str | int] = [secrets.token_hex(8)]
    for _name, windows in counted:
        arguments.append(len(windows))
        for window in windows:
            arguments += [window.uses, window.seconds * _US]
    keys = [key for key, _windows in counted]
    wait_us: int = _counter(settings.REDIS_URL)(keys=keys, args=arguments)
    return wait_us


@lru_cache(maxsize=4)
def _counter(url: str) -> Any:
    """The script on a Redis; safe for threads, gives up quickly."""
    client = Redis.from_url(
        url, socket_timeout=1, socket_connect_timeout=0.5, retry=Retry(NoBackoff(), 1)
    )
    return client.register_script(_COUNT)


def clock(seconds: int) -> str:
    """A waiting time as people read it: 0:23, 4:05, 3:00:00."""
    minutes, remaining = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{remaining:02}" if hours else f"{minutes}:{remaining:02}"


def wait_sentence(retry_after_s: int) -> str:
    """The sentence for who has to wait."""
    return _("You can send again in %(time)s.") % {"time": clock(retry_after_s)}
