"""The worker is killed at every point of a turn: what was shown stays, the rest can be had again.

`HELD` names the points and how the worker is held there; then it is ended as by a power cut.
"""

from __future__ import annotations

import random
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Final

import pytest

from tests.breaking.gates import gate
from tests.breaking.person import Person, text_of, until

pytestmark = pytest.mark.breaking
SAID = "I write reports for the council and review draft laws."
MORE = "I also brief journalists."
ANSWER = " ".join(f"word{number}" for number in range(60)) + " and what else?"
AGAIN = "Thank you, that helps. Who reads these reports?"
NEXT = "That is clear. Which newspapers do you brief?"
TOKENS: Final = sorted(random.Random(20261121).sample(range(1, 62), 4))
Held = Callable[..., AbstractContextManager[None]]


@contextmanager
def at_a_write(stack, say, table: str, when: str) -> Iterator[None]:
    """Holds the worker before a row is written."""
    with gate(stack, table, when) as place:
        say()
        place.arrived()
        yield


@contextmanager
def in_a_call(stack, say, stage: str, after: int = 0) -> Iterator[None]:
    """Holds the worker in a call to the model, `after` so many words."""
    stack.scripted.on(stage).stall(after=after, text=ANSWER).text(AGAIN).text(NEXT)
    say()
    assert stack.scripted.stalled.wait(30)
    yield


CLAIMED = "OLD.status = 'queued' AND NEW.status = 'running'"
STAGED = "OLD.status = 'running' AND OLD.stage = '' AND NEW.stage <> ''"
SAVED = "NEW.status = 'streaming' AND NEW.text <> OLD.text"
ENDED = "NEW.status = 'completed'"


@pytest.fixture
def person(stack) -> Person:
    """In the talk, after the opening; the next answers are ANSWER, AGAIN and NEXT."""
    someone = Person(stack).start()
    stack.scripted.requests.clear()  # of the opening
    stack.scripted.on("response").text(ANSWER, chunk_delay_s=0.04).text(AGAIN).text(NEXT)
    return someone


def _is_cut_off_and_done_again(stack, person, run) -> str:
    """Interrupted with a true beginning, offered again, answered whole; nothing twice."""
    stack.start("turns")
    stack.reap()
    cut = person.ended(run, "interrupted")
    assert ANSWER.startswith(cut.reply)
    assert person.talk()[1:] == [("user", SAID), ("assistant", cut.reply)]
    assert "Cut off on our side. Nothing of yours is lost." in text_of(person.page())
    whole = AGAIN if stack.scripted.of("response") else ANSWER
    again = person.ended(person.retry(run))
    assert again.reply == whole
    assert person.talk()[1:] == [("user", SAID), ("assistant", whole)]
    assert person.counted() == (1, 3, 3)  # opening, cut off, done again
    return str(cut.reply)


def _shown(stack, person) -> str:
    """What open pages have been sent of the answer."""
    text = str(stack.logged(person.session))
    return text if text.startswith("word0") else ""


def _goes_on(stack, person) -> None:
    """The next message is answered, once."""
    asked = len(stack.scripted.of("response"))
    assert person.ended(person.say(MORE)).reply == (NEXT if asked > 1 else AGAIN)
    assert [text for role, text in person.talk() if role == "user"] == [SAID, MORE]


def test_before_the_claim_the_message_is_answered_by_the_next_worker(stack, person):
    run = []
    with at_a_write(stack, lambda: run.append(person.say(SAID)), "chat_run", CLAIMED):
        stack.kill("turns")
    assert person.run(run[0]).status == "queued"
    stack.start("turns")
    stack.sweep()
    assert person.ended(run[0]).reply == ANSWER
    assert person.counted() == (1, 2, 2)
    _goes_on(stack, person)


@pytest.mark.parametrize(
    ("held", "where", "shown"),
    [
        pytest.param(at_a_write, ("chat_run", STAGED), False, id="after the claim"),
        pytest.param(in_a_call, ("message_analysis",), False, id="during a stage"),
        pytest.param(in_a_call, ("response",), False, id="before the first word"),
        pytest.param(at_a_write, ("chat_message", SAVED), True, id="between log and checkpoint"),
        pytest.param(at_a_write, ("chat_run", ENDED), True, id="while finishing"),
        *(pytest.param(in_a_call, ("response", n), True, id=f"at word {n}") for n in TOKENS),
    ],
)
def test_an_answer_is_cut_off_and_can_be_done_again(stack, person, held, where, shown):
    run = []
    with held(stack, lambda: run.append(person.say(SAID)), *where):
        if shown:
            until(lambda: _shown(stack, person))
        stack.kill("turns")
        seen = _shown(stack, person)
    assert bool(seen) == shown
    assert _is_cut_off_and_done_again(stack, person, run[0]) == seen
    _goes_on(stack, person)


def test_after_its_end_the_answer_stands_and_the_next_message_is_not_forgotten(stack, person):
    runs = []
    with gate(stack, "chat_run", ENDED) as place:
        runs.append(person.say(SAID))
        until(lambda: _shown(stack, person))
        runs.append(person.say(MORE))
        place.arrived()
        stack.redis.send_signal(signal.SIGSTOP)  # nobody can be told anything
        place.open()
        until(lambda: person.run(runs[0]).status == "completed")
        stack.kill_at_once("turns")
        stack.redis.send_signal(signal.SIGCONT)
    assert person.run(runs[1]).status == "queued"
    stack.start("turns")
    stack.sweep()
    person.ended(runs[1])
    assert person.talk()[1:] == [
        ("user", SAID), ("assistant", ANSWER), ("user", MORE), ("assistant", AGAIN),
    ]  # fmt: skip
    assert person.counted() == (2, 3, 3)
