"""How many answers stream at once on this machine, everything on it: model, product, readers.

A stream is held when 95 of 100 of its tokens reach the open page within 200 ms of the model's
sending them. The named alternative reads the same model with the bare asynchronous SDK.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
import pytest
from openai import AsyncOpenAI

from tests.bench.model import ModelProcess, pieces_in
from tests.bench.pages import Page
from tests.bench.product import MeasuredStack, cpu_s, percentiles, show

pytestmark = pytest.mark.bench
PIECES = 40
DELAY_MS = 50
HELD_S = 0.2
BURSTS = tuple(int(size) for size in os.environ.get("BURSTS", "10,50,100,200").split(","))


@dataclass
class Stream:
    """One answer as it arrived."""

    turn: str
    begun_at: float
    first_at: float = 0.0
    delays_s: dict[int, float] = field(default_factory=dict)

    def take(self, text: str, at: float) -> None:
        """Notes the pieces that are new; a piece of another answer must not be here."""
        for piece in pieces_in(text):
            if piece.turn == self.turn:
                self.first_at = self.first_at or at
                self.delays_s.setdefault(piece.number, at - piece.sent_at)

    @property
    def is_whole(self) -> bool:
        return sorted(self.delays_s) == list(range(PIECES))

    @property
    def is_held(self) -> bool:
        return float(np.percentile(list(self.delays_s.values()), 95)) < HELD_S


def figures(streams: Sequence[Stream]) -> dict[str, Any]:
    """Of one burst."""
    delays = [delay for stream in streams for delay in stream.delays_s.values()]
    return {
        "held": sum(stream.is_held for stream in streams),
        "whole": sum(stream.is_whole for stream in streams),
        "token_delay": percentiles(delays),
        "first_token": percentiles([stream.first_at - stream.begun_at for stream in streams]),
    }


async def at_page(page: Page, turn: str) -> Stream:
    """Sends a message and reads its answer to the end."""
    stream = Stream(turn, page.say(turn))
    while True:
        frame = await page.frame()
        stream.take(frame.text, frame.at)
        if stream.is_whole and frame.says_done:
            return stream


async def at_sdk(client: AsyncOpenAI, turn: str) -> Stream:
    """Asks the model without Futura."""
    stream = Stream(turn, time.monotonic())
    create = cast("Any", client.responses.create)
    async for event in await create(model="gpt-4o", input=turn, stream=True):
        if event.type == "response.output_text.delta":
            stream.take(event.delta, time.monotonic())
    return stream


async def burst_of_pages(stack: MeasuredStack, size: int) -> list[Stream]:
    """So many people send a message in one moment; what arrived is what the database keeps."""
    people = stack.people(size)
    pages = [await Page.open(stack.port, **person) for person in people]
    turns = [f"burst{size}x{number}" for number in range(size)]
    streams = await asyncio.gather(*map(at_page, pages, turns))
    for page in pages:
        await page.close()
    kept = stack.rows(
        "SELECT session_id::text, text FROM chat_message WHERE role = 'assistant' AND status ="
        " 'complete' AND session_id = ANY(%s::uuid[])",
        [person["session"] for person in people],
    )
    texts = {session: pieces_in(text) for session, text in kept}
    for person, turn in zip(people, turns, strict=True):
        numbers = [(piece.turn, piece.number) for piece in texts[person["session"]]]
        assert numbers == [(turn, number) for number in range(PIECES)]
    return streams


async def burst_of_sdk(model: ModelProcess, size: int) -> list[Stream]:
    """The same without Futura."""
    async with AsyncOpenAI(base_url=model.base_url, api_key="sk-bench", max_retries=0) as client:
        turns = [f"sdk{size}x{number}" for number in range(size)]
        return await asyncio.gather(*(at_sdk(client, turn) for turn in turns))


def shares(before: dict[str, float], after: dict[str, float], took_s: float) -> dict[str, float]:
    """Of one core, while the burst lasted."""
    return {name: round((after[name] - before[name]) / took_s, 2) for name in before}


@pytest.mark.parametrize("size", BURSTS)
async def test_streams_begun_at_once(
    measured: MeasuredStack, model: ModelProcess, size: int
) -> None:
    bare = figures(await burst_of_sdk(model, size))
    begun = time.monotonic()

    def used() -> dict[str, float]:
        mine = {"model": cpu_s(model.pid), "readers": cpu_s(os.getpid())}
        return mine | stack_used(measured)

    before = used()
    streams = await burst_of_pages(measured, size)
    cores = shares(before, used(), time.monotonic() - begun)
    ours = figures(streams)
    show(streams=size, **ours, bare_sdk=bare, cores=cores)
    assert ours["whole"] == size


def stack_used(stack: MeasuredStack) -> dict[str, float]:
    """Processor time of what carries the answers."""
    return {name: used for name, used in stack.cpu_s().items() if name not in {"jobs", "beat"}}
