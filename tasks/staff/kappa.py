"""How far two coders agree, beyond what chance would give: Cohen's kappa."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Agreement:
    """Of `number` pairs: the share that agree, the share chance would give, and kappa.

    Shares are from 0 to 1; kappa is 1 for full agreement, 0 for what chance gives, and None where
    it says nothing: without a pair, or when both used one and the same code throughout.
    """

    number: int
    agreeing: int
    observed: float
    expected: float
    kappa: float | None


def agreement(pairs: Iterable[tuple[str, str]]) -> Agreement:
    """The agreement of pairs of codes, one pair for each thing that both coded."""
    return agreement_of(Counter(pairs))


def agreement_of(counts: Mapping[tuple[str, str], int]) -> Agreement:
    """The same from how often each pair occurs (J. Cohen, 1960, Educ. Psychol. Meas. 20, 37-46)."""
    number = sum(counts.values())
    if not number:
        return Agreement(0, 0, 0.0, 0.0, None)
    first: Counter[str] = Counter()
    second: Counter[str] = Counter()
    for (one, other), times in counts.items():
        first[one] += times
        second[other] += times
    agreeing = sum(times for (one, other), times in counts.items() if one == other)
    by_chance = sum(times * second[code] for code, times in first.items())
    observed, expected = agreeing / number, by_chance / number**2
    has_two_codes = by_chance < number**2
    kappa = (observed - expected) / (1 - expected) if has_two_codes else None
    return Agreement(number, agreeing, observed, expected, kappa)


def in_words(kappa: float) -> str:
    """The usual name of a strength (Landis and Koch, 1977, Biometrics 33, 159-174)."""
    bounds = ((0.81, "almost perfect"), (0.61, "substantial"), (0.41, "moderate"), (0.21, "fair"))
    return next(
        (word for least, word in bounds if kappa >= least), "slight" if kappa > 0 else "none"
    )
