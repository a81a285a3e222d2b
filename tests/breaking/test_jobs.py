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
_METHODS = """
SELECT DISTINCT method FROM tasks_taskmatch AS match
JOIN tasks_worktask AS task ON task.id = match.task_id WHERE task.response_id = '{}'
"""


@pytest.fixture
def person(product) -> Person:
    """In the talk, after the opening."""
    return Person(product).start()


def _is_listed_once(person) -> None:
    """Every task once, each looked up, and a page to go on from."""
    until(lambda: _is_done(person))
    status, tasks = person.tasks()
    assert status == "done"
    assert sorted(task["normalizedDescription"] for task in tasks) == TASKS
    assert "Write reports" in text_of(person.page("tasks"))


def _is_done(person) -> bool:
    status, tasks = person.tasks()
    return status == "done" and all(task["matchStatus"] != "pending" for task in tasks)


@pytest.mark.parametrize("stage", ["extraction", "normalisation", "match_selection"])
def test_killed_in_a_call_to_the_model(product, person, stage):
    product.scripted.on(stage).stall()
    person.ended(person.say(SAID))
    person.finish()  # with a model its words alone only offer the end
    assert product.scripted.stalled.wait(30)
    product.kill("jobs")
    product.scripted.reset()
    product.scripted.default_survey()
    product.start("jobs")
    product.sweep_jobs()
    _is_listed_once(person)


@pytest.mark.parametrize(
    ("table", "when"), [("tasks_surveyresponse", WRITTEN), ("tasks_taskmatch", MATCHED)]
)
def test_killed_while_it_writes(product, person, table, when):
    with gate(product, table, when) as place:
        person.ended(person.say(SAID))
        person.finish()  # with a model its words alone only offer the end
        place.arrived()
        product.kill("jobs")
    product.start("jobs")
    product.sweep_jobs()
    _is_listed_once(person)


def test_the_broker_forgets_the_job(product, person):
    product.stop("jobs")
    person.ended(person.say(SAID))
    person.finish()  # with a model its words alone only offer the end
    product.stop_redis(keep=False)
    product.start_redis()
    product.start("jobs")
    product.sweep_jobs()
    _is_listed_once(person)


def test_killed_while_the_model_has_no_room_for_matches(product, person):
    product.scripted.on("match_selection").status(429)
    person.ended(person.say(SAID))
    person.finish()  # with a model its words alone only offer the end
    until(lambda: len(product.scripted.of("match_selection")) >= 3 * len(TASKS))
    product.kill("jobs")
    product.scripted.reset()
    product.scripted.default_survey()
    product.start("jobs")
    product.sweep_jobs()
    _is_listed_once(person)
    assert product.rows(_METHODS.format(person.session)) == [("model",)]
