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
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
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


@dataclass(frozen=True)
class Standing:
    """Where one window stands after a use was let through or refused; whole seconds."""

    window: Window
    remaining: int
    reset_s: int

    def headers(self) -> dict[str, str]:
        return {
            "RateLimit-Limit": str(self.window.uses),
            "RateLimit-Remaining": str(self.remaining),
            "RateLimit-Reset": str(self.reset_s),
            "RateLimit-Policy": f"{self.window.uses};w={self.window.seconds}",
        }


# KEYS: the uses of each who is counted, by time (µs). ARGV: a new use's name; then for each key
# the number of its windows and, for each of them, uses and length in µs.
# Answer: µs to wait (0: let through), then for each window what is left and µs until more is.
_COUNT: Final = """
local function whole(number) return string.format('%.0f', number) end
local clock = redis.call('TIME')
local now = tonumber(clock[1]) * 1000000 + tonumber(clock[2])
local wait, told, at, longest = 0, {}, 2, {}
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
    local since = '(' .. whole(now - length)
    local used = redis.call('ZCOUNT', key, since, '+inf')
    local reset = length
    if used >= uses then
      local last = redis.call('ZRANGE', key, uses - 1, uses - 1, 'REV', 'WITHSCORES')
      reset = tonumber(last[2]) + length - now
      wait = math.max(wait, reset)
    elseif used > 0 then
      local first = redis.call('ZRANGE', key, since, '+inf', 'BYSCORE', 'LIMIT', 0, 1, 'WITHSCORES')
      reset = tonumber(first[2]) + length - now
    end
    told[#told + 1] = math.max(uses - used, 0)
    told[#told + 1] = reset
  end
end
if wait == 0 then
  for k, key in ipairs(KEYS) do
    redis.call('ZADD', key, whole(now), ARGV[1])
    redis.call('ZREMRANGEBYSCORE', key, '-inf', whole(now - longest[k]))
    redis.call('PEXPIRE', key, whole(math.ceil(longest[k] / 1000)))
  end
end
table.insert(told, 1, wait)
return told
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
        wait_us, *values = _count(counted)
    except RedisError as error:
        if rate.fails_closed:
            raise Unavailable from error
        log.warning("rate %s not counted: Redis does not answer", rate.name)
        return
    _judge(wait_us, _standings(counted, values, admitted=not wait_us))


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


def _count(counted: list[tuple[str, tuple[Window, ...]]]) -> list[int]:
    arguments: list[str | int] = [secrets.token_hex(8)]
    for _name, windows in counted:
        arguments.append(len(windows))
        for window in windows:
            arguments += [window.uses, window.seconds * _US]
    details: list[int] = _counter(settings.REDIS_URL)(
        keys=[key for key, _windows in counted], args=arguments
    )
    return details


@lru_cache(maxsize=4)
def _counter(url: str) -> Any:
    """The script on a Redis; safe for threads, gives up quickly."""
    client = Redis.from_url(
        url, socket_timeout=1, socket_connect_timeout=0.5, retry=Retry(NoBackoff(), 1)
    )
    return client.register_script(_COUNT)


def _standings(
    counted: list[tuple[str, tuple[Window, ...]]], counts: list[int], *, admitted: bool
) -> list[Standing]:
    windows = [window for _key, windows in counted for window in windows]
    pairs = zip(counts[::2], counts[1::2], strict=True)
    return [
        Standing(window, left - admitted, max(1, math.ceil(reset_us / _US)))
        for window, (left, reset_us) in zip(windows, pairs, strict=True)
    ]


def _judge(wait_us: int, standings: list[Standing]) -> None:
    """Keeps the window that stands worst for the answer. Raises TooMany."""
    worst = min(standings, key=lambda standing: (standing.remaining, -standing.reset_s))
    seen = _seen.get()
    if seen is not None:
        seen.append(worst)
    if wait_us:
        wait_s = max(1, math.ceil(wait_us / _US))
        raise TooMany(wait_sentence(wait_s), retry_after_s=wait_s)


_seen: ContextVar[list[Standing] | None] = ContextVar("standings", default=None)


@contextmanager
def noting() -> Iterator[list[Standing]]:
    """Collects the standings of what is counted inside, in threads started there too."""
    standings: list[Standing] = []
    token = _seen.set(standings)
    try:
        yield standings
    finally:
        _seen.reset(token)


def clock(seconds: int) -> str:
    """A waiting time as people read it: 0:23, 4:05, 3:00:00."""
    minutes, remaining = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{remaining:02}" if hours else f"{minutes}:{remaining:02}"


def wait_sentence(retry_after_s: int) -> str:
    """The sentence for who has to wait."""
    return _("You can send again in %(time)s.") % {"time": clock(retry_after_s)}
