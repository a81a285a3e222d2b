"""Percentages as people read them: one way to round, on every page."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Final

_WHOLE: Final = Decimal(1)
_TENTH: Final = Decimal("0.1")


def percent_of(share: Fraction | Decimal | float) -> Decimal:
    """A share of 0 to 1 in per cent, rounded half up: whole from 1 to 99, else to tenths.

    Only nothing is 0 and only all is 100.
    """
    exact = _exact(share)
    if exact in {0, 100}:
        return exact.quantize(_WHOLE)
    if 1 <= exact <= 99:
        return exact.quantize(_WHOLE, ROUND_HALF_UP)
    tenths = exact.quantize(_TENTH, ROUND_HALF_UP)
    return min(max(tenths, _TENTH), 100 - _TENTH) if 0 < exact < 100 else tenths


def whole_percent(share: Fraction | Decimal | float) -> int:
    """The same in whole numbers: 1 for less than one, 99 for more than 99, unless it is all."""
    exact = _exact(share)
    whole = int(exact.quantize(_WHOLE, ROUND_HALF_UP))
    return min(max(whole, 1), 99) if 0 < exact < 100 else whole


def _exact(share: Fraction | Decimal | float) -> Decimal:
    """A hundred times the share, of a float what it says and not its binary fraction."""
    if isinstance(share, Fraction):
        return 100 * Decimal(share.numerator) / Decimal(share.denominator)
    return 100 * Decimal(str(share))
