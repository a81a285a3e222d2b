"""How many of the nine dimensions are described."""

from __future__ import annotations

from projects.dimensions import DIMENSIONS, completeness, covered
from projects.models import ProjectDraft


def test_nine_dimensions_are_told_in_their_order_and_the_described_ones_counted():
    draft = ProjectDraft(core_people_bonds="Ann", core_goals_momentum=" ")
    assert [item.dimension for item in completeness(draft)] == list(DIMENSIONS)
    words = [str(item.word) for item in completeness(draft)]
    assert words == ["empty", "described", *["empty"] * 7]
    assert covered(draft) == 1
