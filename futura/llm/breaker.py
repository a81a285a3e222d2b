"""The circuit breaker: a server that keeps failing is left alone, then tried by one call only.

Kept in Redis for all processes, by address and model. Where Redis does not answer, calls pass.
"""

from __future__ import annotations

import hashlib
import logging
import time
import uuid
from typing import Any, Final, Literal

from django.conf import settings

from futura.llm import server, shared
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
STORED_S: Final = 3_600

State = Literal["closed", "open", "half-open", "unknown"]


def enter(model: str, *, longest_s: float) -> str | None:
    """A token to call a model for at most so many seconds; None while its circuit is open. Empty
    where Redis does not answer.

    Once its time is over one call only is let in, the probe: it decides whether the circuit closes.
    """
    _, open_until, probe = _keys(model)
    token = uuid.uuid4().hex

    def ask(redis: Any) -> str | None:
        until_ms = redis.get(open_until)
        if until_ms is None:
            return token
        if _now_ms() < int(until_ms):
            return None
        is_first = redis.set(probe, token, nx=True, px=round(longest_s * 1000) + 1000)
        return token if is_first else None

    without_redis: str | None = ""
    return shared.asked(ask, without_redis)


def leave(model: str, token: str, outcome: Outcome) -> None:
    """Says how the call went: failures of the server's kind add up, an answer clears them."""
    if token:
        shared.asked(lambda redis: _leave(redis, model, token, outcome), None)


def state(model: str) -> State:
    """Whether a model is called now; `half-open` means that the next call is the probe."""
    until_ms = shared.asked(lambda redis: int(redis.get(_keys(model)[1]) or 0), -1)
    if until_ms <= 0:
        return "unknown" if until_ms else "closed"
    return "open" if _now_ms() < until_ms else "half-open"


def _leave(redis: Any, model: str, permit: str, outcome: Outcome) -> None:
    failures, open_until, probe = _keys(model)
    failed, until_ms, token = redis.mget(failures, open_until, probe)
    is_open, is_probe = until_ms is not None, token == permit
    if is_probe:
        redis.delete(probe)
    if outcome in SILENT or (is_open and not is_probe):
        return
    if outcome not in WEIGHTS:
        if failed is not None or is_open:
            redis.delete(failures, open_until)
        if is_open:
            log.info("circuit of model %s closed", model)
        return
    count = redis.incrby(failures, WEIGHTS[outcome])
    redis.expire(failures, WINDOW_S)
    if is_probe or count >= settings.LLM_BREAKER_FAILURES:
        open_ms = round(settings.LLM_BREAKER_OPEN_S * 1000)
        redis.set(open_until, _now_ms() + open_ms, px=STORED_S * 1000 + open_ms)
        if not is_probe:
            log.warning("circuit of model %s opened", model)


def _keys(model: str) -> tuple[str, str, str]:
    """Where the failures, the moment until which it is open, and the probe's token are kept."""
    place = hashlib.sha256(f"{server.current().base_url} {model}".encode()).hexdigest()[:24]
    key = f"futura:breaker:{{{place}}}"
    return f"{key}:failures", f"{key}:open", f"{key}:probe"


def _now_ms() -> int:
    return round(time.time() * 1000)
