"""How far a dimension is described, judged from its text."""

from __future__ import annotations

import pytest

from projects.dimensions import DIMENSIONS, Level, completeness, covered, standing
from projects.models import ProjectDraft


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("", Level.OPEN),
        ("  \n\n- \n", Level.OPEN),
        ("Five hours a week back at the bench, where the work is.", Level.START),
        ("Paper stays as a fallback. Nothing is sent without a second look.", Level.PARTLY),
        (
            (
                "- Pilot with one reservoir from 1 April 2027\n"
                "- A spreadsheet with one row per sample, sent every Friday by 15:00\n"
                "- All eight sampling points by the end of June"
            ),
            Level.COMPLETE,
        ),
        (
            (
                "Two technicians, two relief technicians, one contact at the health office, and "
                "everybody who reads the weekly sheet. Who signs off in the holidays is still open."
            ),
            Level.COMPLETE,
        ),
    ],
)
def test_the_level_follows_what_the_text_says(text, level):
    assert standing(DIMENSIONS[0], text).level == level


def test_more_of_the_same_never_lowers_the_level():
    sentence = "We measure every reservoir twice a week and write it down at the tap."
    levels = [standing(DIMENSIONS[0], " ".join([sentence] * n)).level for n in range(5)]
    assert levels == sorted(levels)
    assert levels[-1] == Level.COMPLETE


def test_nine_dimensions_are_told_in_their_order_and_the_described_ones_counted():
    draft = ProjectDraft(core_people_bonds="Ann", core_goals_momentum=" ")
    assert [item.dimension for item in completeness(draft)] == list(DIMENSIONS)
    assert covered(draft) == 1
