"""How much of many like cases the everyday suite plays: some of them; `-m thorough` plays all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

_LEAST = 10
_is_thorough = False


def configure(config: pytest.Config) -> None:
    """Learns how much this run is to play, before any test is read."""
    global _is_thorough
    _is_thorough = config.option.markexpr == "thorough"
    # how long an example takes tells of the machine, not of a law
    settings.register_profile(
        "futura",
        max_examples=examples(100),
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("futura")


def examples(number: int) -> int:
    """How many examples a law is tried with: all of them when thorough, else a quarter."""
    return number if _is_thorough else max(_LEAST, number // 4)


def include_law(item: pytest.Item) -> None:
    """In a thorough run, laws are among what is played."""
    if _is_thorough and isinstance(item, pytest.Function) and is_hypothesis_test(item.obj):
        item.add_marker(pytest.mark.thorough)


def every(nth: int) -> pytest.MarkDecorator:
    """Gives a test `every`, the step through its cases: this one every day, 1 when thorough.

    @every(4)
    def test_no_text_gives_orders(every):
        for text in TEXTS[::every]: …
    """
    whole = pytest.param(1, marks=pytest.mark.thorough, id="all")
    return pytest.mark.parametrize("every", [pytest.param(nth, id="some"), whole])


def some(cases: Iterable[Any], nth: int) -> list[Any]:
    """Cases of one shape for `parametrize`: every `nth` of them each day, all when thorough."""
    return [
        case
        if place % nth == 0
        else pytest.param(
            *(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.thorough
        )
        for place, case in enumerate(cases)
    ]
