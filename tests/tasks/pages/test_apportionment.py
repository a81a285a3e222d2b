"""Shares that add up: the rule behind “Balance time”."""

from decimal import Decimal

from hypothesis import given, strategies as st

from tasks.commands.rating import balanced, largest_remainder

shares = st.lists(st.none() | st.decimals(0, 100, places=2), min_size=1, max_size=40)


@given(shares)
def test_the_result_is_whole_and_adds_up_to_100(given_shares):
    result = balanced(given_shares)
    assert sum(result) == 100
    assert len(result) == len(given_shares)
    assert all(0 <= item <= 100 for item in result)


@given(shares)
def test_what_is_balanced_stays(given_shares):
    whole = balanced(given_shares)
    assert balanced([Decimal(item) for item in whole]) == whole


def test_what_is_left_goes_to_the_tasks_without_a_figure():
    assert balanced([Decimal(50), None, None]) == [50, 25, 25]


def test_thirds_give_the_odd_percent_to_the_first():
    assert balanced([None, None, None]) == [34, 33, 33]


def test_nothing_is_nothing():
    assert largest_remainder([]) == []
