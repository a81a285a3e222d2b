"""How an attempt at a model call can end, and how what the SDK raises is read as such an end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import httpx2
from django.db import models
from django.utils.translation import gettext, gettext_lazy as _

from futura.errors import ModelUnavailable

if TYPE_CHECKING:
    import openai


class Outcome(models.TextChoices):
    """The end of one attempt, as the ledger keeps it."""

    OK = "ok", _("answered")
    UNSUPPORTED = "unsupported", _("parameter refused; sent again without it")
    REFUSED = "refused", _("the model refused")
    EMPTY = "empty", _("empty answer")
    TRUNCATED = "truncated", _("answer longer than its limit")
    WRONG_SCHEMA = "wrong_schema", _("answer in the wrong format")
    MALFORMED = "malformed", _("unreadable answer")
    TOO_LARGE = "too_large", _("answer far too large")
    CUT = "cut", _("stream ended early")
    FAILED = "failed", _("server error")
    INCOMPLETE = "incomplete", _("answer interrupted by the server")
    FIRST_TOKEN_TIMEOUT = "first_token_timeout", _("no answer in time")
    IDLE_TIMEOUT = "idle_timeout", _("the stream stalled")
    TOTAL_TIMEOUT = "total_timeout", _("the answer took too long")
    UNREACHABLE = "unreachable", _("no connection")
    RATE_LIMITED = "rate_limited", _("rate limit of the provider")
    OUT_OF_QUOTA = "out_of_quota", _("the provider's quota is used up")
    UNAUTHORISED = "unauthorised", _("the key was refused")
    NOT_FOUND = "not_found", _("no such model or address")
    BAD_REQUEST = "bad_request", _("the request was refused")
    SERVER_ERROR = "server_error", _("error of the server")
    CANCELLED = "cancelled", _("stopped on request")
    BAD_CALL = "bad_call", _("invalid tool call")
    OVER_BUDGET = "over_budget", _("not sent: the month's budget is used up")
    CIRCUIT_OPEN = "circuit_open", _("not sent: the server has failed repeatedly")


# Trying the same again may help: the cause lies outside the request.
PASSING: Final = frozenset(
    {
        Outcome.MALFORMED,
        Outcome.CUT,
        Outcome.FAILED,
        Outcome.FIRST_TOKEN_TIMEOUT,
        Outcome.IDLE_TIMEOUT,
        Outcome.UNREACHABLE,
        Outcome.RATE_LIMITED,
        Outcome.SERVER_ERROR,
    }
)
# Another model may answer what this one did not.
MODEL_RELATED: Final = PASSING | {
    Outcome.NOT_FOUND,
    Outcome.REFUSED,
    Outcome.EMPTY,
    Outcome.INCOMPLETE,
    Outcome.TRUNCATED,
    Outcome.WRONG_SCHEMA,
    Outcome.CIRCUIT_OPEN,
}


@dataclass(eq=False)
class CallFailed(Exception):
    """One attempt gave nothing usable. Never leaves the gateway.

    `detail` is safe to keep and log: codes and places, never text of a prompt or an answer.
    `server_says` may quote the prompt: for learning from a refusal, never logged above DEBUG.
    """

    outcome: Outcome
    detail: str = ""
    status: int | None = None
    param: str = ""
    server_says: str = ""
    retry_after_s: float | None = None
    took_long: bool = False

    def __str__(self) -> str:
        return f"{self.outcome.value} {self.detail}".strip()

    def __repr__(self) -> str:
        return f"CallFailed({self})"

    @property
    def broken_off(self) -> ModelUnavailable:
        """The same where words have been shown already: that is what the person is told."""
        return ModelUnavailable(
            gettext("The reply was interrupted. What was written is saved; you can try again."),
            reason=self.outcome.value,
        )

    @property
    def unavailable(self) -> ModelUnavailable:
        return ModelUnavailable(reason=self.outcome.value)


BY_STATUS: Final = {
    401: Outcome.UNAUTHORISED,
    403: Outcome.UNAUTHORISED,
    404: Outcome.NOT_FOUND,
    405: Outcome.NOT_FOUND,
    501: Outcome.NOT_FOUND,  # a server that has no such endpoint at all
    408: Outcome.SERVER_ERROR,
    409: Outcome.SERVER_ERROR,
    429: Outcome.RATE_LIMITED,
}
NAME: Final = re.compile(r"[\w.:\[\]-]{1,60}", re.ASCII)
# Codes of `response.failed` and of error events that say: the request is at fault.
REQUEST_AT_FAULT: Final = frozenset({"invalid_prompt", "invalid_request_error", "bio_policy"})


@contextmanager
def sdk_errors_read() -> Iterator[None]:
    """Turns errors of the SDK inside the block into CallFailed."""
    import openai  # loaded already: the client exists (see futura/llm/loop.py)

    try:
        yield
    except openai.APIStatusError as error:
        raise of_status(error) from error
    except (openai.APIError, httpx2.RequestError, httpx2.StreamError) as error:
        raise _of_connection(error) from error
    except UnicodeDecodeError as error:
        raise CallFailed(Outcome.MALFORMED, "not UTF-8") from error


def _of_connection(error: BaseException) -> CallFailed:
    """What became of a connection. The transport below the SDK knows best: what is made of its
    errors on the way up calls a server that hung up a timeout of connecting."""
    import aiohttp  # comes with the SDK's client

    causes = [error]
    while causes[-1].__cause__ is not None:
        causes.append(causes[-1].__cause__)
    of_transport = [cause for cause in causes if isinstance(cause, aiohttp.ClientError)]
    never_stood = any(isinstance(cause, aiohttp.ClientConnectorError) for cause in of_transport)
    took_long = any(isinstance(cause, TimeoutError) for cause in causes)
    broke = of_transport and not never_stood and not took_long
    first = of_transport[0] if of_transport else causes[min(1, len(causes) - 1)]
    outcome = Outcome.CUT if broke else Outcome.UNREACHABLE
    return CallFailed(outcome, type(first).__name__, took_long=took_long)


def of_status(error: openai.APIStatusError) -> CallFailed:
    status = error.status_code
    outcome = BY_STATUS.get(status, Outcome.SERVER_ERROR if status >= 500 else Outcome.BAD_REQUEST)
    if error.code == "insufficient_quota":
        outcome = Outcome.OUT_OF_QUOTA
    codes = [error.type, error.code, error.param]
    return CallFailed(
        outcome,
        " ".join([f"HTTP {status}", *(str(code) for code in codes if is_name(code))]),
        status=status,
        param=str(error.param or ""),
        server_says=str(error.message),
        retry_after_s=retry_after(error.response.headers.get("retry-after")),
    )


def is_name(code: object) -> bool:
    """Whether a server's code is one: some put sentences there, which may quote the prompt."""
    return NAME.fullmatch(str(code or "")) is not None


def reported(code: object, message: object) -> CallFailed:
    """A failure that the server reported inside its answer."""
    name = str(code) if is_name(code) else ""
    if name == "rate_limit_exceeded":
        return CallFailed(Outcome.RATE_LIMITED, name)
    outcome = Outcome.BAD_REQUEST if name in REQUEST_AT_FAULT else Outcome.FAILED
    return CallFailed(outcome, name, server_says=str(message or ""))


def retry_after(value: str | None) -> float | None:
    """Seconds from a Retry-After header; None where it is absent, or no number."""
    try:
        return max(0.0, float(value or ""))
    except ValueError:
        return None
