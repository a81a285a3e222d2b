"""What a call costs by the dated price table beside this file: at most beforehand, and in fact."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, Final

import orjson

from futura.llm.outcomes import Outcome
from futura.llm.protocols.shapes import Answer, Usage
from futura.llm.transport import TOKEN_LIMITS

MILLION: Final = Decimal(1_000_000)
# English has about four bytes to a token; other scripts have fewer. Rather too dear than too cheap.
BYTES_PER_TOKEN: Final = 3
IMAGE_TOKENS: Final = 1_600  # of a picture of at most 1,024 pixels a side
# The request never reached a model, so that it has cost nothing.
FREE: Final = frozenset(
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
_DATED: Final = re.compile(r"-\d{4}-\d{2}-\d{2}$")
_IMAGE: Final = re.compile(rb"data:image/[^\"]+")


@dataclass(frozen=True)
class Price:
    """US dollars per million tokens."""

    input: Decimal
    cached_input: Decimal
    output: Decimal


@cache
def prices() -> Mapping[str, Price]:
    content = tomllib.loads((Path(__file__).parent / "prices.toml").read_text(encoding="utf-8"))
    return {
        name: Price(**{key: Decimal(value) for key, value in row.items()})
        for name, row in content["models"].items()
    }


def cost_usd(model: str, usage: Usage | None) -> Decimal | None:
    """The cost of a call; None when the price or the usage is unknown (unknown is not free).

    A dated name of a model has the price of the undated one.
    """
    price = prices().get(model) or prices().get(_DATED.sub("", model))
    if price is not None and not (price.input or price.cached_input or price.output):
        return Decimal(0)
    if price is None or usage is None:
        return None
    fresh = max(0, usage.input_tokens - usage.cached_input_tokens)
    total = (
        fresh * price.input
        + usage.cached_input_tokens * price.cached_input
        + usage.output_tokens * price.output
    )
    return total / MILLION


def most_usd(body: Mapping[str, Any]) -> Decimal | None:
    """The most that a request can cost; None where the price is not known."""
    written = next((int(body[name]) for name in TOKEN_LIMITS if name in body), 0)
    return cost_usd(str(body.get("model", "")), Usage(_input_tokens(body), output_tokens=written))


def spent_usd(
    body: Mapping[str, Any], answer: Answer, outcome: Outcome
) -> tuple[Decimal | None, Decimal | None]:
    """The cost of an attempt, and an estimate in its place where the server gave no usage."""
    text = str(body.get("model", ""))
    existing = cost_usd(answer.model or text, answer.usage)
    if existing is not None or (answer.usage is None and outcome in FREE):
        return existing or Decimal(0), None
    if answer.usage is not None:
        return None, None
    written = len(answer.text.encode()) // BYTES_PER_TOKEN
    return None, cost_usd(text, Usage(_input_tokens(body), output_tokens=written))


def _input_tokens(body: Mapping[str, Any]) -> int:
    """Tokens of a request's words and pictures, rather too many; 0 for recordings."""
    words = [body[name] for name in ("input", "messages", "tools") if name in body]
    written, pictures = _IMAGE.subn(b"", orjson.dumps(words) if words else b"")
    return len(written) // BYTES_PER_TOKEN + pictures * IMAGE_TOKENS
