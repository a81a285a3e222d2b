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
from tests.scripted.survey import survey_answer

pytestmark = pytest.mark.breaking
SAID = "I write reports for the council and review draft laws."
MORE = "I also brief journalists."
ANSWER = " ".join(f"word{number}" for number in range(60)) + " and what else?"
AGAIN = "Thank you, that helps. Who reads these reports?"
NEXT = "That is clear. Which newspapers do you brief?"
TOKENS: Final = sorted(random.Random(20261121).sample(range(1, 62), 2))
Held = Callable[..., AbstractContextManager[None]]


@contextmanager
def at_a_write(product, say, table: str, when: str) -> Iterator[None]:
    """Holds the worker before a row is written."""
    with gate(product, table, when) as place:
        say()
        place.arrived()
        yield


@contextmanager
def in_a_call(product, say, stage: str, after: int = 0) -> Iterator[None]:
    """Holds the worker in a call to the model, `after` so many words."""
    script = product.scripted.on(stage).stall(after=after, text=ANSWER)
    if stage == "response":
        script.text(AGAIN).text(NEXT)
    else:  # the next time it does what it is asked
        script.text(survey_answer)
    say()
    assert product.scripted.stalled.wait(30)
    yield


CLAIMED = "OLD.status = 'queued' AND NEW.status = 'running'"
STAGED = "OLD.status = 'running' AND OLD.stage = '' AND NEW.stage <> ''"
SAVED = "NEW.status = 'streaming' AND NEW.text <> OLD.text"
ENDED = "NEW.status = 'completed'"


@pytest.fixture
def person(product) -> Person:
    """In the talk, after the opening; the next answers are ANSWER, AGAIN and NEXT."""
    someone = Person(product).start()
    product.scripted.requests.clear()  # of the opening
    product.scripted.on("response").text(ANSWER, chunk_delay_s=0.04).text(AGAIN).text(NEXT)
    return someone


def _is_cut_off_and_done_again(product, person, run) -> str:
    """Interrupted with a true beginning, offered again, answered whole; nothing twice."""
    product.start("turns")
    product.reap()
    cut = person.ended(run, "interrupted")
    assert ANSWER.startswith(cut.reply)
    assert person.talk()[1:] == [("user", SAID), ("assistant", cut.reply)]
    assert "Interrupted by a problem on our side. Nothing is lost." in text_of(person.page())
    whole = AGAIN if product.scripted.of("response") else ANSWER
    again = person.ended(person.retry(run))
    assert again.reply == whole
    assert person.talk()[1:] == [("user", SAID), ("assistant", whole)]
    assert person.counted() == (1, 3, 3)  # opening, cut off, done again
    return str(cut.reply)


def _shown(product, person) -> str:
    """What open pages have been sent of the answer."""
    text = str(product.logged(person.session))
    return text if text.startswith("word0") else ""


def _goes_on(product, person) -> None:
    """The next message is answered, once."""
    asked = len(product.scripted.of("response"))
    assert person.ended(person.say(MORE)).reply == (NEXT if asked > 1 else AGAIN)
    assert [text for role, text in person.talk() if role == "user"] == [SAID, MORE]


def test_before_the_claim_the_message_is_answered_by_the_next_worker(product, person):
    run = []
    with at_a_write(product, lambda: run.append(person.say(SAID)), "chat_run", CLAIMED):
        product.kill("turns")
    assert person.run(run[0]).status == "queued"
    product.start("turns")
    product.sweep()
    assert person.ended(run[0]).reply == ANSWER
    assert person.counted() == (1, 2, 2)
    _goes_on(product, person)


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
def test_an_answer_is_cut_off_and_can_be_done_again(product, person, held, where, shown):
    run = []
    with held(product, lambda: run.append(person.say(SAID)), *where):
        if shown:
            until(lambda: _shown(product, person))
        product.kill("turns")
        seen = _shown(product, person)
    assert bool(seen) == shown
    assert _is_cut_off_and_done_again(product, person, run[0]) == seen
    _goes_on(product, person)


def test_after_its_end_the_answer_stands_and_the_next_message_is_not_forgotten(product, person):
    runs = []
    with gate(product, "chat_run", ENDED) as place:
        runs.append(person.say(SAID))
        until(lambda: _shown(product, person))
        runs.append(person.say(MORE))
        place.arrived()
        product.redis.send_signal(signal.SIGSTOP)  # nobody can be told anything
        try:
            place.open()
            until(lambda: person.run(runs[0]).status == "completed")
            product.kill_at_once("turns")
        finally:
            product.redis.send_signal(signal.SIGCONT)
    assert person.run(runs[1]).status == "queued"
    product.start("turns")
    product.sweep()
    person.ended(runs[1])
    assert person.talk()[1:] == [
        ("user", SAID), ("assistant", ANSWER), ("user", MORE), ("assistant", AGAIN),
    ]  # fmt: skip
    assert person.counted() == (2, 3, 3)
