"""How much of many like cases the everyday suite plays: some of them; `-m thorough` plays all."""

from __future__ import annotations

import pytest


def every(nth: int) -> pytest.MarkDecorator:
    """Gives a test `every`, the step through its cases: this one every day, 1 when thorough.

    @every(4)
    def test_no_text_gives_orders(every):
        for text in TEXTS[::every]: …
    """
    whole = pytest.param(1, marks=pytest.mark.thorough, id="all")
    return pytest.mark.parametrize("every", [pytest.param(nth, id="some"), whole])
