"""Turns time shares into whole percents that add up to 100."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

WHOLE = 100


def balanced(shares: Sequence[Decimal | None]) -> list[int]:
    """Whole percents in the same order, sum 100 (or nothing for no tasks).

    Proportions that were given are kept. Tasks without a figure divide what is left to 100
    evenly; when nothing is left they count like the average of the others.
    """
    return largest_remainder(_weights(shares))


def _weights(shares: Sequence[Decimal | None]) -> list[Decimal]:
    given = [share for share in shares if share is not None]
    missing = len(shares) - len(given)
    total = sum(given, Decimal(0))
    if not missing:
        return given
    rest = Decimal(WHOLE) - total
    filler = rest / missing if rest > 0 else total / len(given)
    return [filler if share is None else share for share in shares]


def largest_remainder(weights: Sequence[Decimal], whole: int = WHOLE) -> list[int]:
    """Whole numbers in proportion to the weights that add up to `whole`.

    Everyone gets the whole part; what remains goes to the largest fractions, earlier ones first
    (Hamilton's method). Without any weight everyone counts the same.
    """
    if not weights:
        return []
    total = sum(weights, Decimal(0))
    exact = [w * whole / total if total else Decimal(whole) / len(weights) for w in weights]
    floors = [int(value) for value in exact]
    order = sorted(range(len(exact)), key=lambda i: floors[i] - exact[i])
    for index in order[: whole - sum(floors)]:
        floors[index] += 1
    return floors
