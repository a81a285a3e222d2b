"""How long a stop takes, from the press to the model's server seeing its stream closed."""

from __future__ import annotations

import statistics
import time
from functools import partial

import pytest

from tests.breaking.person import Person, until

pytestmark = pytest.mark.breaking
LIMIT_S = 0.3
ENDLESS = " ".join(f"word{number}" for number in range(3000))


def _has_begun(product, session: str) -> bool:
    return "word5" in product.logged(session)


def test_a_stop_reaches_the_model_within_three_hundred_milliseconds(product):
    took_s, other_s = [], []
    for number in range(5):
        person = Person(product).start()
        product.scripted.on("response").text(ENDLESS, chunk_delay_s=0.02)
        person.page()  # the token for forms
        run = person.say("I write reports for the council and review draft laws.")
        until(partial(_has_begun, product, person.session))
        pressed_at = time.monotonic()
        person.stop(run)
        assert product.scripted.wait_for_hang_ups(number + 1)
        took_s.append(time.monotonic() - pressed_at)
        stopped = person.ended(run, "stopped")
        assert ENDLESS.startswith(stopped.reply)
        pressed_at = time.monotonic()
        assert person.stop(run)["status"] == "stopped"  # pressed again, nothing more happens
        other_s.append(time.monotonic() - pressed_at)
        product.scripted.on("response").text("Welcome. What do you do all day?")
    # a busy machine delays every press alike, the one that changes nothing too
    assert statistics.median(took_s) < LIMIT_S + 2 * statistics.median(other_s), (took_s, other_s)
