"""Dates in running text, resolved against a day."""

from __future__ import annotations

import datetime as dt
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projects.language.dates import find_dates, find_span, shifted

TODAY = dt.date(2025, 3, 12)  # a Wednesday


def resolved(text):
    return [str(one.date) for one in find_dates(text, TODAY)]


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2025-09-01", "2025-09-01"),
        ("12 April", "2025-04-12"),
        ("April 12th, 2026", "2026-04-12"),
        ("the 3rd of May", "2025-05-03"),
        ("12 January", "2026-01-12"),
        ("29 February", "2028-02-29"),
        ("tomorrow", "2025-03-13"),
        ("the day after tomorrow", "2025-03-14"),
        ("Friday", "2025-03-14"),
        ("next Friday", "2025-03-21"),
        ("on Monday", "2025-03-17"),
        ("in two weeks", "2025-03-26"),
        ("in a month", "2025-04-12"),
        ("three days from now", "2025-03-15"),
        ("two weeks ago", "2025-02-26"),
        ("next week", "2025-03-23"),
        ("next month", "2025-04-30"),
        ("end of the month", "2025-03-31"),
        ("end of next month", "2025-04-30"),
        ("end of March", "2025-03-31"),
        ("beginning of April", "2025-04-01"),
        ("mid-May", "2025-05-16"),
        ("in January", "2026-01-31"),
        ("Q3", "2025-09-30"),
        ("Q1", "2025-03-31"),
        ("Q2 2026", "2026-06-30"),
        ("the third quarter", "2025-09-30"),
        ("next quarter", "2025-06-30"),
        ("H2", "2025-12-31"),
        ("by summer", "2025-08-31"),
        ("end of the year", "2025-12-31"),
        ("by 2027", "2027-12-31"),
        ("the 15th", "2025-03-15"),
        ("the 5th", "2025-04-05"),
        ("12.5.", "2025-05-12"),
        ("25/12", "2025-12-25"),
        ("12/25", "2025-12-25"),
        ("5/5", "2025-05-05"),
    ],
)
def test_a_date_is_resolved(text, date):
    assert resolved(f"push it to {text}, please") == [date]


@pytest.mark.parametrize(
    "text",
    [
        "I may do it", "we march on", "it takes 3.5 days", "version 2.0", "24/7", "1/2 of it",
        "31 April", "in the first 3 months", "fall back on it", "the sun is out", "99/99",
        "2025-13-40", "May I ask", "second to none", "room 12", "1000 users",
    ],
)  # fmt: skip
def test_what_is_no_date_is_left_alone(text):
    assert resolved(text) == []


def test_a_day_that_can_be_read_twice_keeps_both_readings():
    (found,) = find_dates("move it to 12/5", TODAY)
    assert found.kind == "ambiguous"
    assert found.date is None
    assert [str(one) for one in found.options] == ["2025-05-12", "2025-12-05"]


def test_a_period_knows_its_first_day_and_its_place():
    text = "The pilot starts in Q2 and ends in Q3."
    first, second = find_dates(text, TODAY)
    assert (str(first.first), str(second.date)) == ("2025-04-01", "2025-09-30")
    assert [text[one.start : one.end] for one in (first, second)] == ["Q2", "Q3"]


def test_the_longer_reading_counts():
    assert resolved("by the end of May 2026") == ["2026-05-31"]


def test_months_are_added_by_the_calendar():
    assert shifted(dt.date(2025, 1, 31), 1) == dt.date(2025, 2, 28)
    assert shifted(dt.date(2025, 11, 30), 3) == dt.date(2026, 2, 28)
    assert find_span("by two weeks")[2] == dt.timedelta(days=14)
    assert find_span("by a quarter")[2] == 3


@given(st.dates(dt.date(2000, 1, 1), dt.date(2090, 12, 31)), st.text(max_size=80))
def test_no_text_breaks_it_and_places_never_overlap(today, text):
    found = find_dates(f"{text} 12/5 next Friday {text}", today)
    assert all(a.end <= b.start for a, b in pairwise(found))


@given(st.dates(dt.date(2000, 1, 1), dt.date(2090, 12, 31)))
def test_a_written_day_is_read_back(day):
    assert find_dates(f"due {day.isoformat()}", dt.date(2025, 3, 12))[0].date == day
    assert find_dates(f"due {day:%-d %B %Y}", dt.date(2025, 3, 12))[0].date == day
