"""The worker of the list is killed while it makes it, or never hears of it: each task is there
once."""

from __future__ import annotations

import pytest

from tests.breaking.gates import gate
from tests.breaking.person import Person, text_of, until

pytestmark = pytest.mark.breaking
SAID = "I write reports, review draft laws and brief journalists. That's everything!"
TASKS = ["Brief journalists", "Review draft laws", "Write reports"]
WRITTEN = "NEW.step = 'done'"
MATCHED = "NEW.status IN ('matched', 'none')"


@pytest.fixture
def person(stack) -> Person:
    """In the talk, after the opening."""
    return Person(stack).start()


def _is_listed_once(person) -> None:
    """Every task once, each looked up, and a page to go on from."""
    until(lambda: _is_done(person))
    status, tasks = person.tasks()
    assert status == "done"
    assert sorted(one["normalizedDescription"] for one in tasks) == TASKS
    assert "Write reports" in text_of(person.page("tasks"))


def _is_done(person) -> bool:
    status, tasks = person.tasks()
    return status == "done" and all(one["matchStatus"] != "pending" for one in tasks)


@pytest.mark.parametrize("stage", ["extraction", "normalisation", "match_selection"])
def test_killed_in_a_call_to_the_model(stack, person, stage):
    stack.scripted.on(stage).stall()
    person.ended(person.say(SAID))
    assert stack.scripted.stalled.wait(30)
    stack.kill("jobs")
    stack.scripted.reset()
    stack.scripted.default_survey()
    stack.start("jobs")
    stack.sweep_jobs()
    _is_listed_once(person)


@pytest.mark.parametrize(
    ("table", "when"), [("tasks_surveyresponse", WRITTEN), ("tasks_taskmatch", MATCHED)]
)
def test_killed_while_it_writes(stack, person, table, when):
    with gate(stack, table, when) as place:
        person.ended(person.say(SAID))
        place.arrived()
        stack.kill("jobs")
    stack.start("jobs")
    stack.sweep_jobs()
    _is_listed_once(person)


def test_the_broker_forgets_the_job(stack, person):
    stack.stop("jobs")
    person.ended(person.say(SAID))
    stack.stop_redis(keep=False)
    stack.start_redis()
    stack.start("jobs")
    stack.sweep_jobs()
    _is_listed_once(person)
