"""A worker that stops breathing for longer than the reaper waits writes nothing when it wakes."""

from __future__ import annotations

import pytest

from tests.breaking.person import Person, until

pytestmark = pytest.mark.breaking
SAID = "I write reports for the council and review draft laws."
ANSWER = " ".join(f"word{number}" for number in range(60)) + " and what else?"
AGAIN = "Thank you, that helps. Who reads these reports?"


def test_a_stalled_worker_finds_its_run_taken_away_and_leaves_everything_alone(stack):
    person = Person(stack).start()
    stack.scripted.on("response").text(ANSWER, chunk_delay_s=0.05).text(AGAIN)
    run = person.say(SAID)
    until(lambda: "word5" in stack.logged(person.session))
    stack.pause("turns")
    try:
        cut = person.ended(run, "interrupted")  # the reaper's own patience, by its own clock
        logged = stack.logged(person.session)
        assert ANSWER.startswith(cut.reply)
        assert cut.reply == logged
    finally:
        stack.resume("turns")
    until(lambda: f"run {run} was taken away" in stack.logs("turns"))
    assert person.run(run) == cut
    assert stack.logged(person.session) == logged
    assert person.ended(person.retry(run)).reply == AGAIN
    assert person.counted() == (1, 3, 3)


def test_a_run_delivered_many_times_is_done_once(stack):
    person = Person(stack).start()
    stack.scripted.on("response").text(ANSWER, chunk_delay_s=0.02).text(AGAIN)
    run = person.say(SAID)
    for _ in range(20):
        stack.send_job("chat.perform_run", str(run), queue="turns")
    assert person.ended(run).reply == ANSWER
    for _ in range(5):
        stack.send_job("chat.perform_run", str(run), queue="turns")
    second = person.ended(person.say("I also brief journalists."))
    assert second.reply == AGAIN
    assert person.run(run).reply == ANSWER
    assert person.counted() == (2, 3, 3)
    assert len(stack.scripted.of("response")) == 3  # the opening's, and one for each message
