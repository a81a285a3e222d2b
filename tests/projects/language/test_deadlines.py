"""Days with a month, as quick add reads them: exactly, or left in the title without a date."""

from __future__ import annotations

import datetime as dt

import pytest

from projects.language.quick import parse

NOW = dt.datetime(2026, 11, 23, 9, tzinfo=dt.UTC)  # a Monday
LEADS = ("by", "until", "due", "on", "no later than")
DAYS = (
    ("December 20", dt.date(2026, 12, 20)),
    ("December 20th", dt.date(2026, 12, 20)),
    ("December 20, 2027", dt.date(2027, 12, 20)),
    ("20 December", dt.date(2026, 12, 20)),
    ("20th of December", dt.date(2026, 12, 20)),
    ("the 20th of December", dt.date(2026, 12, 20)),
    ("Dec 20", dt.date(2026, 12, 20)),
    ("March 15", dt.date(2027, 3, 15)),
    ("15 March", dt.date(2027, 3, 15)),
    ("March 15 2028", dt.date(2028, 3, 15)),
    ("May 1st", dt.date(2027, 5, 1)),
)


@pytest.mark.parametrize("lead", LEADS)
@pytest.mark.parametrize(("said", "day"), DAYS)
def test_a_month_with_its_day_is_that_day_and_leaves_the_title(lead, said, day):
    task = parse(f"call the plumber {lead} {said}", now=NOW, projects=())
    assert (task.title, task.due) == ("Call the plumber", day)


@pytest.mark.parametrize(("said", "day"), DAYS)
def test_before_a_day_is_the_day_before_it(said, day):
    task = parse(f"call the plumber before {said}", now=NOW, projects=())
    assert (task.title, task.due) == ("Call the plumber", day - dt.timedelta(1))


@pytest.mark.parametrize(
    "said", ["by December 32", "until March 45", "by February 30", "by December 20 people"]
)
def test_what_is_no_day_sets_no_wrong_date(said):
    task = parse(f"call the plumber {said}", now=NOW, projects=())
    assert task.due is None or (said.endswith("people") and task.due == dt.date(2026, 12, 20))
    assert task.due is not None or said.split()[-1] in task.title


@pytest.mark.parametrize(
    "said",
    ["by the last Friday of June", "on the last Friday of June", "by the first Monday of March"],
)
def test_a_weekday_of_a_month_is_not_read_and_stays_in_the_title(said):
    task = parse(f"call the plumber {said}", now=NOW, projects=())
    assert (task.title, task.due) == (f"Call the plumber {said}", None)


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("by end of next week", dt.date(2026, 12, 6)),
        ("two weeks from Monday", dt.date(2026, 12, 7)),
        ("until the end of March", dt.date(2027, 3, 31)),
    ],
)
def test_lengths_and_ends_are_read(said, day):
    task = parse(f"call the plumber {said}", now=NOW, projects=())
    assert (task.title, task.due) == ("Call the plumber", day)
