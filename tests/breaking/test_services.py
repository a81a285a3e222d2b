"""The database or Redis goes away for a while: answers are made all the same, nothing is lost."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from tests.breaking.person import Person, text_of, until

pytestmark = pytest.mark.breaking
SAID = "I write reports for the council and review draft laws."
MORE = "I also brief journalists."
ANSWER = " ".join(f"word{number}" for number in range(60)) + " and what else?"
NEXT = "That is clear. Which newspapers do you brief?"
PATIENCE_S = 8.0  # for a message to be taken while nobody can be told of it


@pytest.fixture
def person(product) -> Person:
    """In the talk, after the opening; the next answer takes three seconds."""
    someone = Person(product).start()
    someone.page()
    product.scripted.on("response").text(ANSWER, chunk_delay_s=0.05).text(NEXT)
    return someone


def _is_whole(person, run) -> None:
    assert person.ended(run).reply == ANSWER
    assert person.talk()[1:] == [("user", SAID), ("assistant", ANSWER)]
    assert "word59 and what else?" in text_of(person.page())
    assert person.counted() == (1, 2, 2)


def test_an_answer_is_made_and_shown_while_redis_is_away(product, person):
    run = person.say(SAID)
    until(lambda: person.run(run).status == "running")
    product.stop_redis(keep=False)
    _is_whole(person, run)
    product.start_redis()
    assert person.ended(person.say(MORE)).reply == NEXT


def test_a_message_is_taken_while_redis_is_away_and_answered_when_it_is_back(product, person):
    product.stop_redis()
    began_at = time.monotonic()
    run = person.say(SAID)
    assert time.monotonic() - began_at < PATIENCE_S
    assert person.run(run).status == "queued"
    assert SAID in text_of(person.page())
    product.start_redis()
    product.sweep()
    _is_whole(person, run)


def test_an_answer_that_ends_while_postgresql_is_away_is_kept_when_it_is_back(product, person):
    hurry = Event()
    slow = product.scripted.on("response").text(ANSWER, chunk_delay_s=0.3, hurry=hurry)
    slow.text(NEXT)
    run = person.say(SAID)
    until(lambda: "word10" in product.logged(person.session))
    product.stop_postgres()
    hurry.set()
    until(lambda: f"run {run} goes on unsaved" in product.logs("turns"))
    product.start_postgres()
    _is_whole(person, run)
    assert person.ended(person.say(MORE)).reply == NEXT


def test_a_restart_of_postgresql_between_messages_costs_nobody_an_error(product, person):
    for _ in range(3):
        assert person.page()
    product.stop_postgres()
    product.start_postgres()
    assert person.page()
    _is_whole(person, person.say(SAID))


def test_while_postgresql_is_away_pages_and_programs_are_told_that_it_comes_back(product, person):
    product.stop_postgres()
    asked = (
        (f"/survey/{person.session}/tasks", {}, "This page reloads by itself"),
        ("/survey", {"HX-Request": "true"}, "Nothing is lost"),
        (f"/api/survey/{person.session}/tasks", {}, '"retry": true'),
    )
    with ThreadPoolExecutor() as at_once:  # each waits for a connection as long as it may
        told = [at_once.submit(person.ask, "GET", at, headers=given) for at, given, _ in asked]
    for (address, _, words), answer in zip(asked, told, strict=True):
        status, text = answer.result()
        assert (status, words in text) == (503, True), (address, text[:500])
    product.start_postgres()
    assert person.page()
