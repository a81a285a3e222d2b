"""Calls to the model and the embedder: made again after a pause, and in the end told as codes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, TypeVar

from futura.errors import ModelUnavailable, Unavailable
from projects.portfolio.preprocess.config import Retries
from projects.portfolio.preprocess.failures import Code, PreprocessError, Skipped

T = TypeVar("T")

TIMEOUTS: Final = frozenset({"first_token_timeout", "idle_timeout", "total_timeout"})
LIMITED: Final = frozenset({"rate_limited"})
REFUSED: Final = frozenset({"refused"})
# the gateway has had it repaired once by then, which is the one retry of the spec
INVALID: Final = frozenset({"wrong_schema", "malformed", "empty", "truncated", "too_large"})
# a server that is not there, or in trouble, may be back in a moment
PASSING: Final = frozenset({"unreachable", "server_error", "cut", "failed", "circuit_open"})


def understood(what: str, call: Callable[[], T], retries: Retries) -> T:
    """A model's answer. Raises Skipped when it refused, PreprocessError when there is none."""
    try:
        return _again(call, retries)
    except ModelUnavailable as error:
        raise _of_model(what, error.reason, retries) from error


def embedded(call: Callable[[], T], retries: Retries) -> T:
    """Vectors. Raises PreprocessError when there are none."""
    try:
        return _again(call, retries)
    except ModelUnavailable as error:
        raise _of_embedder(error.reason, retries) from error
    except Unavailable as error:
        raise PreprocessError(Code.EMBED_UNAVAILABLE, str(error)) from error


def _again(call: Callable[[], T], retries: Retries) -> T:
    pause_s = retries.retry_delay_ms / 1000
    for _ in range(retries.max_retries):
        try:
            return call()
        except ModelUnavailable as error:
            if error.reason not in TIMEOUTS | LIMITED | PASSING:
                raise
        time.sleep(pause_s)
        pause_s *= retries.retry_backoff_multiplier
    return call()


def _of_model(what: str, reason: str, retries: Retries) -> Skipped | PreprocessError:
    if reason in REFUSED:
        return Skipped(Code.LLM_REFUSED, f"the model refused to read {what}.")
    if reason in LIMITED:
        code, told = Code.LLM_RATE_LIMIT, "the model's provider limits the rate"
    elif reason in TIMEOUTS:
        code, told = Code.LLM_TIMEOUT, "the model did not answer in time"
    elif reason in INVALID:
        code, told = (
            Code.LLM_INVALID_RESPONSE,
            "the model's answer could not be used, repaired once",
        )
        return PreprocessError(code, f"{what}: {told}.")
    else:
        code, told = Code.LLM_UNAVAILABLE, f"the model cannot be used ({reason})"
    tried = (
        f" after {retries.max_retries} retries" if reason in TIMEOUTS | LIMITED | PASSING else ""
    )
    return PreprocessError(code, f"{what}: {told}{tried}. Run it again later.", retry_helps=True)


def _of_embedder(reason: str, retries: Retries) -> PreprocessError:
    if reason in LIMITED:
        code, told = Code.EMBED_RATE_LIMIT, "the provider limits the rate"
    elif reason in TIMEOUTS:
        code, told = Code.EMBED_TIMEOUT, "no vectors came in time"
    else:
        code, told = Code.EMBED_UNAVAILABLE, f"the embedding model cannot be used ({reason})"
    return PreprocessError(
        code, f"{told} after {retries.max_retries} retries. Run it again later.", retry_helps=True
    )
