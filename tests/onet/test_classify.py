"""Everyday words lead to work activities and their groups."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onet.classify import activities_of, groups_of
from onet.groups import ActivityGroup

INPUT = ActivityGroup.INFORMATION_INPUT
MENTAL = ActivityGroup.MENTAL_PROCESSES
OUTPUT = ActivityGroup.WORK_OUTPUT
OTHERS = ActivityGroup.INTERACTING


@pytest.mark.parametrize(
    ("text", "group"),
    [
        ("stakeholder meetings", OTHERS),
        ("writing product specs", OUTPUT),
        ("reviewing customer feedback", INPUT),
        ("prioritizing the backlog with engineering", MENTAL),
        ("I do a lot of data analysis", MENTAL),
        ("mostly reports", OUTPUT),
        ("pulling data from SQL databases", INPUT),
        ("yes from sql databases", INPUT),
        ("create content calendars", OUTPUT),
        ("analyze engagement metrics", MENTAL),
        ("coordinate with designers on visuals", OTHERS),
        ("respond to customer comments", OTHERS),
        ("I attend planning meetings", OTHERS),
        ("mop the floors", OUTPUT),
        ("drive a truck", OUTPUT),
        ("teach math", OTHERS),
    ],
)
def test_the_first_group_is_the_one_a_person_would_name(text: str, group: ActivityGroup) -> None:
    assert groups_of(text)[0] == group


def test_the_spec_s_dump_covers_output_and_others_twice() -> None:
    dump = [
        "manage our social media accounts",
        "create content calendars",
        "analyze engagement metrics",
        "coordinate with designers on visuals",
        "respond to customer comments",
    ]
    named = [group for task in dump for group in groups_of(task)]
    assert named.count(OUTPUT) >= 2
    assert named.count(OTHERS) >= 2
    assert MENTAL in named


def test_words_that_name_no_work_have_no_group() -> None:
    assert groups_of("") == []
    assert groups_of("hello there") == []
    assert activities_of("<b></b> ???") == []


def test_activities_are_element_ids_best_first() -> None:
    assert activities_of("teach math")[0] == "4.A.4.b.3"
    assert len(activities_of("plan, write, meet, drive, fix, sell, teach")) <= 5


@given(st.text(max_size=300))
def test_any_text_is_classified_without_complaint(text: str) -> None:
    assert len(groups_of(text)) <= 4
