"""What the engine adds before the first token, against the bare SDK on the same server.

The machine may be at other work: several rounds are played and the quietest is reported.
"""

from __future__ import annotations

import asyncio
import http.client
import time
from collections.abc import Iterator
from typing import Any, cast
from urllib.parse import urlencode

import pytest
from openai import OpenAI

from tests.bench.model import ModelProcess, pieces_in
from tests.bench.pages import Page, says_done
from tests.bench.product import MeasuredStack, percentiles, show

pytestmark = pytest.mark.bench
PIECES = 8
DELAY_MS = 5
ROUNDS = 4
TURNS = 60
WARM_UP = 8
STOPS = 20


@pytest.fixture
def sdk(model: ModelProcess) -> Iterator[OpenAI]:
    """The named alternative."""
    with OpenAI(base_url=model.base_url, api_key="sk-bench", max_retries=0) as client:
        yield client


def by_sdk(client: OpenAI, turn: str) -> float:
    """Seconds to the first text of a streamed answer; the rest is read as well."""
    begun, first_at = time.monotonic(), 0.0
    create = cast("Any", client.responses.create)
    for event in create(model="gpt-4o", input=turn, stream=True):
        if event.type == "response.output_text.delta":
            first_at = first_at or time.monotonic()
    return first_at - begun


async def by_engine(page: Page, turn: str) -> float:
    """Seconds from sending a message to the first text of its answer at the open page."""
    sent_at, first_at = page.say(turn), 0.0
    seen: set[int] = set()
    while True:
        frame = await page.frame()
        seen |= {piece.number for piece in pieces_in(frame.text) if piece.turn == turn}
        first_at = first_at or (frame.at if seen else 0.0)
        if len(seen) == PIECES and says_done(frame):
            return first_at - sent_at


async def play(page: Page, client: OpenAI, name: str) -> tuple[list[float], list[float]]:
    """One round, the two sides taking turns."""
    ours, theirs = [], []
    for number in range(WARM_UP + TURNS):
        theirs.append(by_sdk(client, f"sdk{name}x{number}"))
        ours.append(await by_engine(page, f"turn{name}x{number}"))
    return ours[WARM_UP:], theirs[WARM_UP:]


async def test_first_token_beside_the_bare_sdk(measured: MeasuredStack, sdk: OpenAI) -> None:
    rounds = []
    for number, person in enumerate(measured.people(ROUNDS)):
        page = await Page.open(measured.port, **person)
        ours, theirs = await play(page, sdk, str(number))
        await page.close()
        added = percentiles([mine - other for mine, other in zip(ours, theirs, strict=True)])
        rounds.append({"added": added, "engine": percentiles(ours), "sdk": percentiles(theirs)})
        assert min(ours) > 0
    best = min(rounds, key=lambda item: item["added"]["p95_ms"])
    show(
        first_token="best of the rounds",
        turns=TURNS,
        **best,
        times_sdk_p50=round(best["engine"]["p50_ms"] / best["sdk"]["p50_ms"], 1),
        added_p95_of_each_round=[item["added"]["p95_ms"] for item in rounds],
    )


def stop(stack: MeasuredStack, person: dict[str, str]) -> None:
    """Presses the button."""
    token = "b" * 32
    web = http.client.HTTPConnection("127.0.0.1", stack.port, timeout=10)
    headers = {
        "Host": f"localhost:{stack.port}",
        "Cookie": f"{person['cookie']}; csrftoken={token}",
        "X-CSRFToken": token,
        "Content-Type": "application/x-www-form-urlencoded",
        "Accept": "application/json",
    }
    web.request("POST", f"/chat/sessions/{person['session']}/stop", urlencode({}), headers)
    assert web.getresponse().status == 202
    web.close()


async def test_stop_closes_the_model_stream(measured: MeasuredStack, model: ModelProcess) -> None:
    (person,) = measured.people(1)
    page = await Page.open(measured.port, **person)
    taken, shown = [], []
    for number in range(STOPS):
        page.say(f"stop{number} stall")
        while not any(
            piece.turn == f"stop{number}" for piece in pieces_in((await page.frame()).text)
        ):
            pass
        pressed_at = time.monotonic()
        await asyncio.to_thread(stop, measured, person)
        while not says_done(frame := await page.frame()):
            pass
        shown.append(frame.at - pressed_at)
        taken.append(await asyncio.to_thread(model.hung_up_at) - pressed_at)
    await page.close()
    show(
        stop="to the model's stream closed", n=STOPS, **percentiles(taken), shown=percentiles(shown)
    )
    assert min(taken) > 0
