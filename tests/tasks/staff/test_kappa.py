"""Cohen's kappa against worked examples."""

from collections import Counter

import pytest
from hypothesis import given, strategies as st

from tasks.staff.second import agreement_of


def test_the_example_of_fifty_proposals():
    """Two readers say yes or no to 50 proposals: 20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no."""
    found = agreement_of({("y", "y"): 20, ("y", "n"): 5, ("n", "y"): 10, ("n", "n"): 15})
    assert (found.number, found.agreeing) == (50, 35)
    assert found.observed == pytest.approx(0.7)
    assert found.expected == pytest.approx(0.5)
    assert found.kappa == pytest.approx(0.4)


def test_the_same_agreement_is_worth_more_where_chance_gives_less():
    """Two tables with 60 % agreement (Sim and Wright, 2005): 0.13 and 0.26."""
    often = agreement_of({("y", "y"): 45, ("y", "n"): 15, ("n", "y"): 25, ("n", "n"): 15})
    rarely = agreement_of({("y", "y"): 25, ("y", "n"): 35, ("n", "y"): 5, ("n", "n"): 35})
    assert often.observed == rarely.observed == pytest.approx(0.6)
    assert often.kappa == pytest.approx(0.1304, abs=1e-4)
    assert rarely.kappa == pytest.approx(0.2593, abs=1e-4)


def test_three_codes_with_one_for_no_match():
    pairs = [("a", "a"), ("a", "b"), ("b", "b"), ("", ""), ("", "a"), ("b", "b")]
    found = agreement_of(Counter(pairs))
    assert found.observed == pytest.approx(4 / 6)
    assert found.expected == pytest.approx((2 * 2 + 2 * 3 + 2 * 1) / 36)
    assert found.kappa == pytest.approx((4 / 6 - 12 / 36) / (1 - 12 / 36))


def test_without_pairs_and_with_one_code_only_it_says_nothing():
    assert agreement_of({}).kappa is None
    assert agreement_of({("a", "a"): 2}).kappa is None
    assert agreement_of({("a", "b"): 2}).kappa == 0


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1))
def test_it_lies_between_minus_one_and_one_and_knows_no_order_of_coders(pairs):
    found = agreement_of(Counter(pairs))
    turned = agreement_of(Counter((b, a) for a, b in pairs))
    assert found == turned
    if found.kappa is not None:
        assert -1 <= found.kappa <= 1
        assert (found.kappa == pytest.approx(1)) == (found.agreeing == found.number)
