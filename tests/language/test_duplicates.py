"""Doubles by rules: each statement in one result, stable order, doing it twice changes nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from futura.language.duplicates import deduplicated, is_duplicate
from tests.extent import examples

VERBS = st.sampled_from("Review Write Check Prepare Clean Wash Coordinate".split(" "))
OBJECTS = st.sampled_from(
    ["code", "code documentation", "reports", "quarterly reports", "quarterly reports for leaders",
     "with clients", "with team members", "the floors", "floors"]
)  # fmt: skip
STATEMENTS = st.lists(
    st.one_of(st.tuples(VERBS, OBJECTS).map(" ".join), st.text(max_size=40)), max_size=12
)


@given(STATEMENTS)
@settings(max_examples=examples(300), deadline=None)
def test_every_statement_is_in_exactly_one_result(statements):
    members = [index for result in deduplicated(statements) for index in result.members]
    assert sorted(members) == list(range(len(statements)))


@given(STATEMENTS)
@settings(max_examples=examples(300), deadline=None)
def test_order_is_of_first_mention_and_the_statement_is_one_of_its_own(statements):
    results = deduplicated(statements)
    firsts = [result.members[0] for result in results]
    assert firsts == sorted(firsts)
    for result in results:
        assert result.statement in [statements[index] for index in result.members]
        assert bool(result.reason) == (len(result.members) > 1)


@given(STATEMENTS)
@settings(max_examples=examples(300), deadline=None)
def test_doing_it_twice_changes_nothing(statements):
    once = [result.statement for result in deduplicated(statements)]
    assert [result.statement for result in deduplicated(once)] == once


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("Review code", "Write code", False),
        ("Review code", "Review code documentation", False),
        ("Coordinate with clients", "Coordinate with team members", False),
        ("Write technical documentation", "Write marketing copy", False),
        ("Write emails", "Respond to customer inquiries", False),
        ("Prepare quarterly reports", "Prepare quarterly reports for leadership", True),
        ("Schedule team meetings", "Organize team meetings", True),
        ("Write reports", "Prepare reports", True),
        ("Clean the floors", "Wash floors", True),
        ("Sell bread", "sell bread", True),
        ("", "", True),
    ],
)
def test_two_statements_are_one_only_with_the_same_doing_and_thing(left, right, same):
    assert is_duplicate(left, right) is same
    assert is_duplicate(right, left) is same
