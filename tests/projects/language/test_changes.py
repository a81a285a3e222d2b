"""The grammar of changes: what is wanted, of what, and what must be asked."""

from __future__ import annotations

import datetime as dt
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projects.language.amendments import amendment, is_correction
from projects.language.changes import Ambiguity, ProposedChange, find_changes
from projects.language.cues import relevance, sorted_out
from projects.language.names import name_in
from projects.language.targets import Known, Thing
from projects.language.todos import todos_in

TODAY = dt.date(2026, 11, 21)
TITLES = ("Design wireframes", "Write the copy", "Launch beta", "Test with ten users",
          "Test on old phones")  # fmt: skip
KNOWN = Known(
    "Fitness app", None, dt.date(2027, 3, 31),
    [Thing(uuid.UUID(int=n), title, None, dt.date(2026, 12, 10) if n == 1 else None)
     for n, title in enumerate(TITLES, start=1)],
)  # fmt: skip


def one(text):
    (found,) = find_changes(text, KNOWN, TODAY)
    return found


@pytest.mark.parametrize(
    ("text", "kind", "number", "values"),
    [
        ("push wireframes by two weeks", "task", 1, {"due_date": dt.date(2026, 12, 24)}),
        ("the wireframes slip by a month", "task", 1, {"due_date": dt.date(2027, 1, 10)}),
        ("please move the copy to Friday", "task", 2, {"due_date": dt.date(2026, 11, 27)}),
        ("the copy is due 12 March", "task", 2, {"due_date": dt.date(2027, 3, 12)}),
        ("we have finished the copy", "task", 2, {"status": "completed"}),
        ("scrap the launch beta", "task", 3, {"status": "dropped"}),
        ("the deadline is now 15 April", "project", None, {"end_date": dt.date(2027, 4, 15)}),
        ("the kick-off is on 1 December", "project", None, {"start_date": dt.date(2026, 12, 1)}),
        ("call it FitFriends", "project", None, {"name": "FitFriends"}),
        ("rename the copy to Texts", "task", 2, {"title": "Texts"}),
        ("prioritise the copy", "task", 2, {"priority": "high"}),
        ("archive the project", "project", None, {"status": "archived"}),
        ("delete launch beta", "delete_task", 3, {}),
        ("we need to train the two technicians", "new_task", None,
         {"title": "Train the two technicians"}),
        ("add a task to call Ann by Friday", "new_task", None,
         {"title": "Call Ann", "due_date": dt.date(2026, 11, 27)}),
        ("the copy depends on the wireframes", "task", 2,
         {"depends_on": [str(uuid.UUID(int=1))]}),
    ],
)  # fmt: skip
def test_a_definite_wish_is_one_change(text, kind, number, values):
    found = one(text)
    assert isinstance(found, ProposedChange)
    assert (found.kind, found.id.int if found.id else None) == (kind, number)
    assert dict(found.values) == values
    assert found.said


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("test is done", 2),
        ("move the copy to 12/5", 2),
        ("postpone the launch to end of March", 2),
        ("postpone the copy", 0),
        ("push the copy by a week", 0),
        ("add a task to call Ann on 3/4", 2),
    ],
)
def test_what_is_not_clear_is_asked(text, options):
    found = one(text)
    assert isinstance(found, Ambiguity)
    assert found.question.endswith("?")
    assert len(found.options) == options


def test_several_wishes_in_one_message_keep_their_order():
    found = find_changes(
        "We decided to push the launch date to Q3 and add a mobile app. The copy is done, and "
        "drop the wireframes.", KNOWN, TODAY
    )  # fmt: skip
    assert [change.kind for change in found] == ["project", "new_task", "task", "task"]


@pytest.mark.parametrize("text", ["hello", "what is the status?", "thanks!", "", "ok", "why?"])
def test_small_talk_changes_nothing(text):
    assert find_changes(text, KNOWN, TODAY) == []


@given(st.text(max_size=200))
def test_no_text_breaks_the_grammar(text):
    find_changes(text, KNOWN, TODAY)
    todos_in(text, TODAY)
    sorted_out(text)
    name_in(text)
    amendment(text, {"core_power_resources": "The budget is 8k."})


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("no, the budget is 5k, not 8k", "We have 5k and a van."),
        ("Actually it's 5k instead of 8k", "We have 5k and a van."),
        ("I meant 5k, not 8k", "We have 5k and a van."),
        ("change 8k to 5k", "We have 5k and a van."),
    ],
)
def test_a_correction_exchanges_the_value(said, text):
    found = amendment(said, {"core_power_resources": "We have 8k and a van."})
    assert found is not None
    assert found.text == text


@pytest.mark.parametrize("text", ["No one else", "nobody", "No budget at all", "not much", "no"])
def test_an_answer_that_begins_with_no_is_no_correction(text):
    assert not is_correction(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Building a fitness app for tracking workouts", "Fitness app"),
        ("I want to open a ceramics studio called Kiln House. It is small.", "Kiln House"),
        ("We're renovating the kitchen before the summer", "Renovate the kitchen"),
        ("Plan my sister's wedding in June", "Plan my sister's wedding"),
    ],
)
def test_a_name_is_found(text, name):
    assert name_in(text) == name


def test_relevance_is_six_where_something_is_named_or_usual():
    scores = relevance("A mobile app for bird watchers. I worry about privacy.")
    assert scores["core_trust_safeguards"] >= 6
    assert scores["core_people_bonds"] == 6
    assert scores["core_meaning_identity"] < 6
    assert all(0 <= score <= 10 for score in scores.values())
