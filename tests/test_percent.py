"""How percentages are rounded: half up, whole in the middle, and never 0 or 100 for what is not."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from futura.percent import percent_of, whole_percent


@pytest.mark.parametrize(
    ("share", "told"),
    [
        (0, "0"),
        (1, "100"),
        (Fraction(23, 30), "77"),
        (0.765, "77"),
        (0.125, "13"),
        (Fraction(1, 200), "0.5"),
        (0.9996, "99.9"),
        (Fraction(1, 10_000), "0.1"),
        (1.304, "130.4"),
    ],
)
def test_a_share_is_told_as_people_read_it(share, told):
    assert percent_of(share) == Decimal(told)
    assert str(percent_of(share)) == told


@given(st.integers(1, 5_000), st.integers(1, 5_000))
def test_only_nothing_is_none_of_it_and_only_all_is_all_of_it(part, of):
    share = Fraction(min(part, of), of)
    assert whole_percent(share) > 0
    assert (whole_percent(share) == 100) == (share == 1)
    assert abs(whole_percent(share) - 100 * share) <= 1
