"""Numbers and ids as forms and addresses hold them."""

from __future__ import annotations

import uuid

import pytest

from futura.parameters import key, whole


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("12", 12), (7, 7), ("999999999", 999_999_999), ("", None), (None, None),
     ("1000000000", None), ("-1", None), ("+1", None), (" 1", None), ("1.0", None), ("٣", None),
     ("²", None), ("1e3", None), ("1_0", None), (b"1", None), ("9" * 5_000, None)],
)  # fmt: skip
def test_a_whole_number_is_digits_only(text, number):
    assert whole(text) == number


def test_fewer_digits_can_be_asked_for():
    assert (whole("999", digits=3), whole("1000", digits=3)) == (999, None)


def test_an_id_is_one_or_none():
    one = uuid.uuid4()
    assert key(str(one)) == key(one) == one
    assert [key(wrong) for wrong in ("", None, "x", str(one)[:-1], 12)] == [None] * 5
