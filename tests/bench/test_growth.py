"""What a thousand turns in one conversation do to a turn's time and to a prompt's size."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest

from chat import fragments
from chat.actions import send_message, start_session
from chat.memory.shapes import BUDGET
from chat.memory.tokens import count_message
from chat.models import Session
from futura.env import monthly_cap
from tests.bench import remembering
from tests.bench.product import show
from tests.scripted import ScriptedServer

pytestmark = [pytest.mark.bench, pytest.mark.django_db(transaction=True)]
TURNS = 1000
STRETCH = 100
WORDS = (
    "On weekdays I prepare the shift plan for {n} people, check what was delivered, and write down "
    "what was missing; in week {n} the new colleague Anna-{n} asked how we order flour. "
) * 3
ANSWER = "Thank you, that is clear. Which part of ordering takes you most of the morning? " * 4


@pytest.fixture
def unlimited(settings):
    """A thousand messages come within minutes here, and cost more than a month may."""
    settings.RATE_LIMITS = False
    settings.LLM_BUDGETS = {"default": monthly_cap("FUTURA_BUDGET", cap="none")}


@pytest.fixture
def session(unlimited, alice, participant_of) -> Session:
    """An empty conversation."""
    return start_session(
        participant=participant_of(alice), kind=remembering.KIND, state=remembering.Remembered()
    )


def play(session: Session, identity, drain: Callable[[], int]) -> tuple[list[float], list[float]]:
    """Seconds of each turn from sending to its end, summaries included; of a page after it."""
    turns, pages = [], []
    drain()
    for number in range(TURNS):
        begun = time.perf_counter()
        send_message(identity=identity, session=session, text=WORDS.format(n=number))
        drain()
        turns.append(time.perf_counter() - begun)
        if number % 10 == 9:
            begun = time.perf_counter()
            fragments.snapshot(session.pk, "chat")
            pages.append(time.perf_counter() - begun)
    assert session.messages.filter(role="assistant", status="complete").count() == TURNS + 1
    return turns, pages


def medians_ms(values_s: list[float], size: int) -> list[float]:
    """Of each stretch."""
    stretches = np.array(values_s).reshape(-1, size)
    return [round(float(value) * 1000, 1) for value in np.median(stretches, axis=1)]


def growth(medians: list[float]) -> float:
    """The last stretch in terms of the second one, when the window is full but nothing is long."""
    return round(medians[-1] / medians[1], 2)


def test_a_thousand_turns_in_basic_mode(session, alice, identity_for, drain) -> None:
    turns, pages = play(session, identity_for(alice), drain)
    by_turn, by_page = medians_ms(turns, STRETCH), medians_ms(pages, STRETCH // 10)
    show(turns=TURNS, mode="basic", turn_ms=by_turn, growth=growth(by_turn), page_ms=by_page)
    assert growth(by_turn) < 2.5


def test_a_thousand_turns_with_a_model(
    scripted: ScriptedServer, session, alice, identity_for, drain
) -> None:
    scripted.on("*").text(ANSWER)
    turns, pages = play(session, identity_for(alice), drain)
    prompts = [
        sum(count_message(message["content"]) for message in request.messages)
        for request in scripted.requests
        if request.stage == "response"
    ]
    by_turn, by_page = medians_ms(turns, STRETCH), medians_ms(pages, STRETCH // 10)
    by_prompt = [max(prompts[at : at + STRETCH]) for at in range(0, len(prompts), STRETCH)]
    show(
        turns=TURNS,
        mode="scripted model",
        turn_ms=by_turn,
        growth=growth(by_turn),
        page_ms=by_page,
        prompt_tokens=by_prompt,
        told_tokens=count_message(WORDS + ANSWER) * TURNS,
    )
    assert max(prompts) <= BUDGET
    assert growth(by_turn) < 2.5
