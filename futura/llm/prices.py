"""What a call costs, by the dated price table beside this file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path

from futura.llm.wires.shapes import Usage

MILLION = Decimal(1_000_000)
DATED = re.compile(r"-\d{4}-\d{2}-\d{2}$")


@dataclass(frozen=True)
class Price:
    """US dollars per million tokens."""

    input: Decimal
    cached_input: Decimal
    output: Decimal

    @property
    def is_free(self) -> bool:
        """Whether nothing is charged, however much is used."""
        return not (self.input or self.cached_input or self.output)


@cache
def prices() -> Mapping[str, Price]:
    """The price table by model name."""
    content = tomllib.loads((Path(__file__).parent / "prices.toml").read_text(encoding="utf-8"))
    return {
        name: Price(**{key: Decimal(value) for key, value in row.items()})
        for name, row in content["models"].items()
    }


def price_of(model: str) -> Price | None:
    """The price of a model, a dated name included; None where it is not known."""
    return prices().get(model) or prices().get(DATED.sub("", model))


def cost_usd(model: str, usage: Usage | None) -> Decimal | None:
    """The cost of a call; None when the price or the usage is unknown (unknown is not free)."""
    price = price_of(model)
    if price is not None and price.is_free:
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
