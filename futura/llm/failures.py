"""Reads what the SDK and its HTTP client raise as one of the gateway's outcomes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

import httpx2
from django.utils import timezone

from futura.llm.outcomes import CallFailed, Outcome

if TYPE_CHECKING:
    import openai

BY_STATUS = {
    401: Outcome.UNAUTHORISED,
    403: Outcome.UNAUTHORISED,
    404: Outcome.NOT_FOUND,
    405: Outcome.NOT_FOUND,
    501: Outcome.NOT_FOUND,  # a server that has no such endpoint at all
    408: Outcome.SERVER_ERROR,
    409: Outcome.SERVER_ERROR,
    429: Outcome.RATE_LIMITED,
}
NAME = re.compile(r"[\w.:\[\]-]{1,60}", re.ASCII)
# Codes of `response.failed` and of error events that say: the request is at fault.
REQUEST_AT_FAULT = frozenset({"invalid_prompt", "invalid_request_error", "bio_policy"})


@contextmanager
def read() -> Iterator[None]:
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
    own = [one for one in causes if isinstance(one, aiohttp.ClientError)]
    never_stood = any(isinstance(one, aiohttp.ClientConnectorError) for one in own)
    took_long = any(isinstance(one, TimeoutError) for one in causes)
    broke = own and not never_stood and not took_long
    told = own[0] if own else causes[min(1, len(causes) - 1)]
    outcome = Outcome.CUT if broke else Outcome.UNREACHABLE
    return CallFailed(outcome, type(told).__name__, took_long=took_long)


def of_status(error: openai.APIStatusError) -> CallFailed:
    """What an HTTP error status means."""
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
    """Seconds from a Retry-After header: a number or a date; None when absent or unreadable."""
    if not value:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(0.0, (moment - timezone.now()).total_seconds())
