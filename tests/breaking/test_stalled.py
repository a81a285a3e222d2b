"""A worker that stops breathing for longer than the reaper waits writes nothing when it wakes."""

from __future__ import annotations

import pytest

from tests.breaking.person import Person, until

pytestmark = pytest.mark.breaking
SAID = "I write reports for the council and review draft laws."
ANSWER = " ".join(f"word{number}" for number in range(60)) + " and what else?"
AGAIN = "Thank you, that helps. Who reads these reports?"


def test_a_stalled_worker_finds_its_run_taken_away_and_leaves_everything_alone(product):
    person = Person(product).start()
    product.scripted.on("response").text(ANSWER, chunk_delay_s=0.2).text(AGAIN)
    run = person.say(SAID)
    until(lambda: "word5" in product.logged(person.session))
    product.pause("turns")
    try:
        cut = person.ended(run, "interrupted")  # the reaper's own patience, by its own clock
        logged = product.logged(person.session)
        assert ANSWER.startswith(cut.reply)
        assert cut.reply == logged
    finally:
        product.resume("turns")
    until(lambda: f"run {run} was taken away" in product.logs("turns"))
    assert person.run(run) == cut
    assert product.logged(person.session) == logged
    assert person.ended(person.retry(run)).reply == AGAIN
    assert person.counted() == (1, 3, 3)


def test_a_run_delivered_many_times_is_done_once(product):
    person = Person(product).start()
    product.scripted.on("response").text(ANSWER, chunk_delay_s=0.02).text(AGAIN)
    run = person.say(SAID)
    for _ in range(20):
        product.send_job("chat.perform_run", str(run), queue="turns")
    assert person.ended(run).reply == ANSWER
    for _ in range(5):
        product.send_job("chat.perform_run", str(run), queue="turns")
    second = person.ended(person.say("I also brief journalists."))
    assert second.reply == AGAIN
    assert person.run(run).reply == ANSWER
    assert person.counted() == (2, 3, 3)
    assert len(product.scripted.of("response")) == 3  # the opening's, and one for each message
