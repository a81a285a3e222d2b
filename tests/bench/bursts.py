"""Answers that stream at once: how late their tokens come, at whoever's pages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from tests.bench.chainlit.process import ChainlitPage, ChainlitProcess
from tests.bench.model import pieces_in
from tests.bench.pages import Page, says_done
from tests.bench.product import MeasuredStack

HELD_MS = 200


@dataclass
class Stream:
    """One answer as it arrived."""

    turn: str
    begun_at: float
    pieces: int
    first_at: float = 0.0
    delays_s: dict[int, float] = field(default_factory=dict)

    def take(self, text: str, at: float) -> None:
        """Notes the pieces that are new; a piece of another answer must not be here."""
        for piece in pieces_in(text):
            assert piece.turn == self.turn, (piece.turn, self.turn)
            self.first_at = self.first_at or at
            self.delays_s.setdefault(piece.number, at - piece.sent_at)

    @property
    def is_whole(self) -> bool:
        return sorted(self.delays_s) == list(range(self.pieces))


@dataclass(frozen=True)
class Burst:
    """What a number of answers begun at once came to, in milliseconds."""

    size: int
    token_p50: float
    token_p95: float
    first_p50: float
    first_p95: float
    whole: int

    @classmethod
    def of(cls, streams: Sequence[Stream]) -> Burst:
        """The figures of its streams: of all tokens together, and of all first ones."""
        delays = [delay for stream in streams for delay in stream.delays_s.values()]
        first = [stream.first_at - stream.begun_at for stream in streams]
        return cls(
            len(streams),
            _ms(delays, 50),
            _ms(delays, 95),
            _ms(first, 50),
            _ms(first, 95),
            sum(stream.is_whole for stream in streams),
        )

    @property
    def is_held(self) -> bool:
        return self.token_p95 < HELD_MS


def _ms(values_s: Sequence[float], percent: int) -> float:
    return round(float(np.percentile(values_s, percent)) * 1000)


async def of_pages(
    stack: MeasuredStack,
    size: int,
    pieces: int,
    *,
    when_open: Callable[[], object] = lambda: None,
) -> Burst:
    """So many people send a message in one moment; what arrived is what the database keeps."""
    people = stack.people(size)
    pages = [await Page.open(stack.port, **person) for person in people]
    when_open()
    turns = [f"burst{number}" for number in range(size)]
    streams = await asyncio.gather(
        *(_at_page(page, turn, pieces) for page, turn in zip(pages, turns, strict=True))
    )
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
        assert numbers == [(turn, number) for number in range(pieces)]
    return Burst.of(streams)


async def _at_page(page: Page, turn: str, pieces: int) -> Stream:
    """Sends a message and reads its answer to the end."""
    stream = Stream(turn, page.say(turn), pieces)
    while True:
        frame = await page.frame()
        stream.take(frame.text, frame.at)
        if stream.is_whole and says_done(frame):
            return stream


async def of_chainlit(chainlit: ChainlitProcess, size: int, pieces: int) -> Burst:
    """The same at pages of Chainlit."""
    pages = [await ChainlitPage.open(chainlit.port) for _ in range(size)]
    streams = await asyncio.gather(
        *(_at_chainlit(page, f"chainlit{number}", pieces) for number, page in enumerate(pages))
    )
    for page in pages:
        await page.close()
    return Burst.of(streams)


async def _at_chainlit(page: ChainlitPage, turn: str, pieces: int) -> Stream:
    stream = Stream(turn, page.say(turn), pieces)
    while True:
        frame, name = await page.event()
        if name in {"stream_start", "stream_token"}:
            stream.take(frame.text, frame.at)
        elif name == "task_end":
            assert stream.is_whole, stream
            return stream
