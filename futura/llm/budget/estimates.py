"""What a call may cost before it is made, and has cost when it broke off without a word of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

import orjson

from futura.llm.outcomes import Outcome
from futura.llm.prices import cost_usd, price_of
from futura.llm.transport import TOKEN_LIMITS, Exchange
from futura.llm.wires.shapes import Usage

# English has about four bytes to a token; other scripts have fewer. Rather too dear than too cheap.
BYTES_PER_TOKEN = 3
IMAGE_TOKENS: Final = 1_600  # of a picture of at most 1,024 pixels a side
_IMAGE: Final = re.compile(rb"data:image/[^\"]+")
# The request never reached a model, so that it has cost nothing.
FREE = frozenset(
    {
        Outcome.UNSUPPORTED,
        Outcome.UNREACHABLE,
        Outcome.RATE_LIMITED,
        Outcome.OUT_OF_QUOTA,
        Outcome.UNAUTHORISED,
        Outcome.NOT_FOUND,
        Outcome.BAD_REQUEST,
        Outcome.SERVER_ERROR,
    }
)


def beforehand(body: Mapping[str, Any]) -> Decimal | None:
    """The most that a request can cost, in US dollars; None where the price is not known."""
    written = next((int(body[name]) for name in TOKEN_LIMITS if name in body), 0)
    return cost_usd(str(body.get("model", "")), Usage(input_tokens(body), 0, written, 0))


def afterwards(exchange: Exchange, outcome: Outcome) -> tuple[Decimal | None, Decimal | None]:
    """The cost of an attempt, and an estimate in its place where the server gave no usage."""
    answer, asked = exchange.answer, str(exchange.body.get("model", ""))
    known = cost_usd(answer.model or asked, answer.usage)
    if known is not None or (answer.usage is None and outcome in FREE):
        return known or Decimal(0), None
    if answer.usage is not None or price_of(asked) is None:
        return None, None
    said = len(answer.text.encode()) // BYTES_PER_TOKEN
    return None, cost_usd(asked, Usage(input_tokens(exchange.body), 0, said, 0))


def input_tokens(body: Mapping[str, Any]) -> int:
    """Tokens of a request's words and pictures, rather too many; 0 for recordings."""
    words = [body[name] for name in ("input", "messages", "tools") if name in body]
    written, pictures = _IMAGE.subn(b"", orjson.dumps(words) if words else b"")
    return len(written) // BYTES_PER_TOKEN + pictures * IMAGE_TOKENS
