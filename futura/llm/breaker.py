"""The circuit breaker: a server that keeps failing is left alone, then tried by one call only.

Kept in Redis for all processes, by address and model. Where Redis does not answer, calls pass.
"""

from __future__ import annotations

import hashlib
import logging
import time
import uuid
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal

from django.conf import settings
from redis import Redis
from redis.exceptions import RedisError

from futura.llm.outcomes import Outcome

log = logging.getLogger(__name__)

# Failures of the server's making, with their weight: who is not there at all is found out sooner.
WEIGHTS: Final = {
    Outcome.SERVER_ERROR: 1,
    Outcome.FAILED: 1,
    Outcome.CUT: 1,
    Outcome.MALFORMED: 1,
    Outcome.FIRST_TOKEN_TIMEOUT: 1,
    Outcome.IDLE_TIMEOUT: 1,
    Outcome.TOTAL_TIMEOUT: 1,
    Outcome.UNREACHABLE: 2,
}
# What says nothing about the server's health: a probe that ends so leaves the question open.
SILENT: Final = frozenset({Outcome.CANCELLED, Outcome.OVER_BUDGET, Outcome.CIRCUIT_OPEN})
WINDOW_S: Final = 60  # failures further apart are not repeated ones
WITHOUT_REDIS_S: Final = 5.0  # how long a silent Redis is not asked again
KEEP_MS: Final = 3_600_000

# KEYS: state (hash: failures, open_until), probe. ARGV: now ms, token, how long a probe may take.
_ENTER: Final = """
local until_ms = tonumber(redis.call('HGET', KEYS[1], 'open_until') or 0)
if until_ms == 0 then return 'closed' end
if tonumber(ARGV[1]) < until_ms then return 'open' end
if redis.call('SET', KEYS[2], ARGV[2], 'NX', 'PX', ARGV[3]) then return 'probe' end
return 'open'
"""
# ARGV: now ms, token, weight (0 for an answer), limit, open for ms, window s, keep ms.
_LEAVE: Final = """
local is_probe = redis.call('GET', KEYS[2]) == ARGV[2]
local is_open = redis.call('HEXISTS', KEYS[1], 'open_until') == 1
if is_probe then redis.call('DEL', KEYS[2]) end
if ARGV[3] == '-1' or (is_open and not is_probe) then return 'same' end
if ARGV[3] == '0' then
  redis.call('DEL', KEYS[1])
  return is_open and 'closed' or 'same'
end
local count = redis.call('HINCRBY', KEYS[1], 'failures', ARGV[3])
if is_probe or count >= tonumber(ARGV[4]) then
  redis.call('HSET', KEYS[1], 'open_until', tonumber(ARGV[1]) + tonumber(ARGV[5]))
  redis.call('PEXPIRE', KEYS[1], ARGV[7])
  return is_probe and 'same' or 'opened'
end
redis.call('EXPIRE', KEYS[1], ARGV[6])
return 'same'
"""


@dataclass(frozen=True)
class Pass:
    """The right to make one call; a probe decides whether the circuit closes again."""

    model: str
    kind: Literal["closed", "probe", "unknown"]
    token: str = ""


_away_until = 0.0


@cache
def _redis(url: str) -> Redis:
    """The process's client; it gives up quickly, since a person waits."""
    return Redis.from_url(
        url, decode_responses=True, socket_timeout=0.5, socket_connect_timeout=0.3
    )


def enter(model: str, *, longest_s: float) -> Pass | None:
    """The right to call a model for at most so many seconds; None while its circuit is open."""
    token = uuid.uuid4().hex
    found = _ask(_ENTER, model, [_now_ms(), token, round(longest_s * 1000) + 1000])
    if found == "open":
        return None
    if found is None:
        return Pass(model, "unknown")
    return Pass(model, "probe" if found == "probe" else "closed", token)


def leave(given: Pass, outcome: Outcome) -> None:
    """Says how the call went: failures of the server's kind add up, an answer clears them."""
    if given.kind == "unknown":
        return
    weight = -1 if outcome in SILENT else WEIGHTS.get(outcome, 0)
    change = _ask(
        _LEAVE,
        given.model,
        [
            _now_ms(),
            given.token,
            weight,
            settings.LLM_BREAKER_FAILURES,
            round(settings.LLM_BREAKER_OPEN_S * 1000),
            WINDOW_S,
            KEEP_MS + round(settings.LLM_BREAKER_OPEN_S * 1000),
        ],
    )
    if change in {"opened", "closed"}:
        level = logging.WARNING if change == "opened" else logging.INFO
        log.log(level, "circuit of model %s %s", given.model, change)


def state(model: str) -> Literal["closed", "open", "half-open", "unknown"]:
    """Whether a model is called now; `half-open` means that the next call is the probe."""
    try:
        until_ms: Any = _redis(settings.REDIS_URL).hget(_keys(model)[0], "open_until")
    except RedisError:
        return "unknown"
    if not until_ms:
        return "closed"
    return "open" if _now_ms() < int(float(until_ms)) else "half-open"


def _keys(model: str) -> list[str]:
    place = hashlib.sha256(f"{settings.OPENAI_BASE_URL} {model}".encode()).hexdigest()[:24]
    return [f"futura:breaker:{{{place}}}", f"futura:breaker:{{{place}}}:probe"]


def _ask(script: str, model: str, values: list[Any]) -> str | None:
    """What a script answers; None where Redis does not, which is then left alone for a while."""
    global _away_until
    if time.monotonic() < _away_until:
        return None
    try:
        client: Any = _redis(settings.REDIS_URL)
        return str(client.eval(script, 2, *_keys(model), *values))
    except RedisError as error:
        _away_until = time.monotonic() + WITHOUT_REDIS_S
        log.warning("calls pass without a circuit breaker: %s", error)
        return None


def _now_ms() -> int:
    return round(time.time() * 1000)
