"""One attempt over HTTP, on the private loop: deadlines, light parsing, the terminal event."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from futura.llm import failures, loop
from futura.llm.outcomes import CallFailed, Outcome
from futura.llm.pace import Paced
from futura.llm.stages import Stage
from futura.llm.wires.parsing import Events
from futura.llm.wires.shapes import Answer, Endpoint, StreamReader

if TYPE_CHECKING:  # the SDK is loaded with the first call (futura/llm/loop.py)
    from openai import AsyncAPIResponse, AsyncOpenAI

# After the terminal event the connection may close; usage may still come (chat completions).
GRACE_S = 1.0
# An event is about so many times larger than what it carries (arguments of a tool call).
FRAMING = 50
# No language has so many letters to a token; a server that goes on all the same keeps no limit.
CHARS_PER_TOKEN = 10
SHORTEST_LIMIT_CHARS = 2_000
TOKEN_LIMITS = ("max_output_tokens", "max_tokens", "max_completion_tokens")
STAGE_HEADER = "X-Futura-Stage"


@dataclass
class Exchange:
    """One attempt's request, and what has been seen of its answer so far."""

    stage: Stage
    endpoint: Endpoint
    body: Mapping[str, Any]
    ends_at: float
    answer: Answer = field(default_factory=Answer)
    client: AsyncOpenAI = field(default_factory=loop.client, repr=False)
    began_at: float = field(default_factory=time.monotonic)
    first_text_at: float | None = None

    @property
    def largest_text(self) -> int:
        """Characters after which a text is no answer any more: what its token limit may hold."""
        limits = [int(self.body[name]) for name in TOKEN_LIMITS if name in self.body]
        if not limits:
            return self.endpoint.largest_bytes
        most = max(SHORTEST_LIMIT_CHARS, CHARS_PER_TOKEN * max(limits))
        return min(self.endpoint.largest_bytes, most)

    @property
    def headers(self) -> dict[str, str]:
        """Names the stage, for proxies and for the scripted server."""
        return {STAGE_HEADER: self.stage.name}


async def whole(exchange: Exchange) -> Answer:
    """An answer in one piece. Raises CallFailed."""
    try:
        async with asyncio.timeout_at(_on_loop(exchange.ends_at)):
            with failures.read():
                payload = await _read_all(exchange)
    except TimeoutError as error:
        raise CallFailed(Outcome.TOTAL_TIMEOUT) from error
    exchange.first_text_at = time.monotonic()
    exchange.endpoint.read_whole(payload, exchange.answer)
    if len(exchange.answer.text) > exchange.largest_text:
        raise CallFailed(Outcome.TOO_LARGE)
    return exchange.answer


async def stream(exchange: Exchange, reader: StreamReader, emit: Callable[[str], None]) -> Answer:
    """An answer as it comes; `emit` gets each stretch of text, none where a call grew.

    Raises CallFailed.
    """
    alarm = _Alarm(exchange)
    try:
        async with asyncio.timeout_at(alarm.due) as timer:
            alarm.timer = timer
            with failures.read():
                await _read_stream(exchange, reader, emit, alarm)
    except TimeoutError as error:
        if not exchange.answer.end:
            raise CallFailed(alarm.meaning) from error
    except CallFailed:
        if not exchange.answer.end:
            raise
    if not exchange.answer.end:
        raise CallFailed(Outcome.CUT, "no terminal event")
    return exchange.answer


async def _read_all(exchange: Exchange) -> bytes:
    sent = exchange.endpoint.send(exchange.client, exchange.body, exchange.headers)
    async with sent as response:
        _note_id(exchange, response)
        received = bytearray()
        async for chunk in response.iter_bytes():
            received += chunk
            if len(received) > exchange.endpoint.largest_bytes:
                raise CallFailed(Outcome.TOO_LARGE)
        return bytes(received)


async def _read_stream(
    exchange: Exchange, reader: StreamReader, emit: Callable[[str], None], alarm: _Alarm
) -> None:
    sent = exchange.endpoint.send(exchange.client, exchange.body, exchange.headers)
    async with sent as response, Paced() as pace:
        _note_id(exchange, response)
        events, size, largest = Events(), 0, exchange.largest_text
        async for chunk in response.iter_bytes():
            read = _Stretch(reader, events.feed(chunk))
            text, is_over = read.text[: largest - size], len(read.text) > largest - size
            size += len(text) if text else len(chunk) // FRAMING
            if text:
                exchange.first_text_at = exchange.first_text_at or time.monotonic()
                exchange.answer.text += text
                exchange.answer.has_begun = True
                emit(text)
            elif exchange.answer.drafting:
                emit("")
            if read.failure is not None:
                raise read.failure
            if is_over or size > largest:
                raise CallFailed(Outcome.TOO_LARGE)
            alarm.heard()
            if exchange.answer.has_begun:
                await pace.rest()


class _Stretch:
    """Events that came together: their text up to the one, if any, that ended it as a failure."""

    def __init__(self, reader: StreamReader, events: Iterable[bytes]) -> None:
        self.failure: CallFailed | None = None
        parts = []
        try:
            for event in events:
                parts.append(reader.read(event))  # noqa: PERF401 (what was read before it fails)
        except CallFailed as failure:
            self.failure = failure
        self.text = "".join(parts)


class _Alarm:
    """The next moment at which the stream counts as dead, and what that would mean."""

    def __init__(self, exchange: Exchange) -> None:
        self.exchange = exchange
        self.meaning = Outcome.FIRST_TOKEN_TIMEOUT
        self.timer: asyncio.Timeout | None = None
        self.total_at = _on_loop(exchange.ends_at)
        first_at = asyncio.get_running_loop().time() + exchange.stage.first_token_s
        self.due = self._earlier(first_at, Outcome.FIRST_TOKEN_TIMEOUT)

    def _earlier(self, moment: float, meaning: Outcome) -> float:
        self.meaning = meaning if moment < self.total_at else Outcome.TOTAL_TIMEOUT
        return min(moment, self.total_at)

    def heard(self) -> None:
        """Something came: the idle time starts anew once the answer has begun."""
        if self.timer is None or not self.exchange.answer.has_begun:
            return
        wait_s = GRACE_S if self.exchange.answer.end else self.exchange.stage.idle_s
        moment = asyncio.get_running_loop().time() + wait_s
        self.timer.reschedule(self._earlier(moment, Outcome.IDLE_TIMEOUT))


def _on_loop(moment: float) -> float:
    """A `time.monotonic` moment on the running loop's clock."""
    return asyncio.get_running_loop().time() + moment - time.monotonic()


def _note_id(exchange: Exchange, response: AsyncAPIResponse[Any]) -> None:
    exchange.answer.request_id = str(response.headers.get("x-request-id") or "")
