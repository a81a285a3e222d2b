"""Which documents belong to an enumeration: what its question names, not what is only near it."""

from __future__ import annotations

import pytest

from projects.portfolio.visitors.pipeline import answer
from projects.portfolio.visitors.state import VisitState
from tests.portfolio.visitors.conftest import index

pytestmark = pytest.mark.django_db

WORKS = (
    {"doc_id": "nest", "title": "Nest", "summary": "Counting nests.", "started": "2020-01",
     "ended": "2021-01", "languages": ["Go", "Python"], "tags": ["field work", "remote sensing"]},
    {"doc_id": "atlas", "title": "Atlas", "summary": "We typed field books.", "started": "2022-01",
     "languages": ["Python"], "tags": ["archives"]},
    {"doc_id": "gauge", "title": "Gauge", "summary": "A gauge for the tide.", "started": "2023-01",
     "languages": ["R"], "tags": ["developer tools"]},
)  # fmt: skip
JOB = {"doc_id": "job", "company": "Shore Office", "title": "Ranger", "started": "2019-01",
       "ended": "2021-06", "experience_type": "full_time"}  # fmt: skip
OTHER = {"doc_id": "other", "company": "Museum", "title": "Guide", "started": "2018-01",
         "ended": "2018-06", "experience_type": "internship"}  # fmt: skip


@pytest.fixture
def shore(portfolio, make):
    """Three pieces of work, of which one was made in a job."""
    here = {"portfolio": portfolio.pk}
    rows = [make("portfolio_entry", slug=one["doc_id"], status="published", **one, **here)
            for one in WORKS]  # fmt: skip
    rows += [make("portfolio_experience", **one, **here) for one in (JOB, OTHER)]
    index(portfolio, rows, {"job": ["nest"]})
    return portfolio


@pytest.mark.parametrize(
    ("question", "projects", "positions"),
    [
        ("Which field work projects have you done?", {"nest"}, set()),
        ("Which remote sensing projects have you done?", {"nest"}, set()),
        ("What developer tools projects are there?", {"gauge"}, set()),
        ("Which projects have you used go on?", {"nest"}, set()),
        ("What r projects have you done?", {"gauge"}, set()),
        ("Which projects use both Python and Go?", {"nest"}, set()),
        ("Which projects are in Python or R?", {"nest", "atlas", "gauge"}, set()),
        ("Which projects are finished?", {"nest"}, set()),
        ("List your side projects.", {"atlas", "gauge"}, set()),
        ("Which roles were full-time?", set(), {"job"}),
        ("Which roles were part-time?", set(), set()),
    ],
)
def test_what_is_named_is_shown_and_nothing_that_is_only_near(shore, question, projects, positions):
    found = answer(shore, question)
    assert set(found.record.ui.show_projects) == projects
    assert set(found.record.ui.show_experiences) == positions


def test_which_of_them_asks_for_the_kind_that_was_listed(shore):
    state = VisitState(portfolio_id=str(shore.pk))
    first = "Which projects did you do at the Shore Office?"
    told = answer(shore, first, state=state)
    said = [("user", first), ("assistant", told.message)]
    found = answer(shore, "Which of them have ended?", said, state=state)
    assert found.record.ui.show_projects == ["nest"]
    assert found.record.ui.show_experiences == []


def test_which_won_a_prize_are_those_that_an_award_names(shore, make):
    make(
        "portfolio_award", portfolio=shore.pk, doc_id="prize", title="Prize of the Shore",
        summary="For Atlas.",
    )  # fmt: skip
    index(shore)
    found = answer(shore, "Which projects won a prize?")
    assert found.record.ui.show_projects == ["atlas"]
