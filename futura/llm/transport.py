"""One attempt over HTTP, on the private loop: deadlines, light parsing, the terminal event."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Self, cast

import httpx2

from futura.llm import loop
from futura.llm.models import ModelCall
from futura.llm.outcomes import CallFailed, Outcome, sdk_errors_read
from futura.llm.protocols.shapes import Answer, Endpoint, Events, is_unmarked

if TYPE_CHECKING:  # the SDK is loaded with the first call (futura/llm/loop.py)
    from openai import AsyncOpenAI

    from futura.llm.calls import Plan

# After the terminal event the connection may close; usage may still come (chat completions).
GRACE_S: Final = 1.0
# An event is about so many times larger than what it carries (arguments of a tool call).
FRAMING: Final = 50
# No language has so many letters to a token; a server that goes on all the same keeps no limit.
CHARS_PER_TOKEN: Final = 10
SHORTEST_LIMIT_CHARS: Final = 2_000
TOKEN_LIMITS: Final = ("max_output_tokens", "max_tokens", "max_completion_tokens")
STAGE_HEADER: Final = "X-Futura-Stage"
FILE: Final = "file"  # a field of a body: (name, bytes), sent as a form
# The one throttle of answers on their way to pages: nothing after it waits for more to come.
REST_S: Final = 0.02  # fifty stretches a second are as smooth as words by themselves
PER_STREAM_S: Final = 0.003
PER_WAIT_S: Final = 0.01
LONGEST_S: Final = 0.11  # with all that follows, text is at the page within a fifth of a second
AT_ONCE_S: Final = 0.005  # what was waiting in the buffers is read within this time
FULL_BYTES: Final = 16 * 1024  # so much comes in one reading, if it had gathered

_begun = _waiting = 0  # answers of which words came, and those of which none came yet


@dataclass
class Exchange:
    """One attempt: its request, what has come of its answer, what of that was released.

    `row` is its entry in the ledger, once it is settled.
    """

    plan: Plan
    endpoint: Endpoint
    body: Mapping[str, Any]
    answer: Answer = field(default_factory=Answer)
    client: AsyncOpenAI = field(default_factory=loop.client, repr=False)
    began_at: float = field(default_factory=time.monotonic)
    first_text_at: float | None = None
    released: str = ""
    row: ModelCall | None = None
    task: asyncio.Task[Any] | None = field(default=None, repr=False)

    def stop(self) -> bool:
        """Ends the attempt, from any thread; False where it has not begun."""
        if self.task is None:
            return False
        with suppress(RuntimeError):  # the loop is over, and with it the task
            self.task.get_loop().call_soon_threadsafe(self.task.cancel)
        return True

    @property
    def model(self) -> str:
        return str(self.body.get("model", ""))

    @property
    def largest_text(self) -> int:
        """Characters after which a text is no answer any more: what its token limit may hold."""
        limits = [int(self.body[name]) for name in TOKEN_LIMITS if name in self.body]
        if not limits:
            return self.endpoint.largest_bytes
        most = max(SHORTEST_LIMIT_CHARS, CHARS_PER_TOKEN * max(limits))
        return min(self.endpoint.largest_bytes, most)


async def exchanged(exchange: Exchange, emit: Callable[[str], None]) -> None:
    """Makes the attempt: fills `exchange.answer`. Raises CallFailed.

    `emit` gets each stretch of a streamed text as it comes, and none where a call of a tool grew.
    """
    alarm = _Alarm(exchange)
    exchange.task = asyncio.current_task()
    try:
        async with asyncio.timeout_at(alarm.due) as alarm.timer:
            with sdk_errors_read():
                await _read(exchange, emit, alarm)
    except TimeoutError as error:
        if not exchange.answer.end:
            raise CallFailed(alarm.meaning) from error
    except CallFailed as failure:
        if not exchange.answer.end or failure.outcome is Outcome.TOO_LARGE:
            raise
    if not exchange.answer.end:
        raise CallFailed(Outcome.CUT, "no terminal event")


async def _read(exchange: Exchange, emit: Callable[[str], None], alarm: _Alarm) -> None:
    with Pace() as pace:
        response = await _sent(exchange)
        try:
            exchange.answer.request_id = str(response.headers.get("x-request-id") or "")
            if exchange.body.get("stream"):
                await _read_stream(exchange, response, emit, alarm, pace)
            else:
                await _read_whole(exchange, response)
        finally:
            await response.aclose()


async def _sent(exchange: Exchange) -> httpx2.Response:
    """Sends the request; the body of the response has not been read yet.

    By the SDK's door for requests of one's own: typed resources rewrite every body in Python,
    which costs a tenth of a worker's time in a burst.
    """
    fields = dict(exchange.body)
    file = fields.pop(FILE, None)
    headers = {STAGE_HEADER: exchange.plan.stage.name}  # for proxies and for the scripted server
    if file is not None:
        headers["Content-Type"] = "multipart/form-data"
    post = cast("Any", exchange.client.post)
    response: httpx2.Response = await post(
        exchange.endpoint.path,
        cast_to=httpx2.Response,
        body=fields,
        files=None if file is None else [(FILE, file)],
        options={"headers": headers},
        stream=True,
    )
    return response


async def _read_whole(exchange: Exchange, response: httpx2.Response) -> None:
    received = bytearray()
    async for chunk in response.aiter_bytes():
        received += chunk
        if len(received) > exchange.endpoint.largest_bytes:
            raise CallFailed(Outcome.TOO_LARGE)
    exchange.first_text_at = time.monotonic()
    text = exchange.endpoint.read(bytes(received), exchange.answer)
    exchange.answer.is_unmarked |= is_unmarked(text)
    exchange.answer.text += exchange.answer.without_thoughts(text, is_last=True)
    if len(exchange.answer.text) > exchange.largest_text:
        raise CallFailed(Outcome.TOO_LARGE)


async def _read_stream(
    exchange: Exchange,
    response: httpx2.Response,
    emit: Callable[[str], None],
    alarm: _Alarm,
    pace: Pace,
) -> None:
    answer, events = exchange.answer, Events()
    largest, without_text = exchange.largest_text, 0

    def take(chunk: bytes) -> None:
        nonlocal without_text
        text, failure = _read_events(exchange, events.feed(chunk))
        left = largest - len(answer.text)
        text, is_over = text[:left], len(text) > left
        if text:
            exchange.first_text_at = exchange.first_text_at or time.monotonic()
            answer.text += text
            answer.has_begun = True
        else:  # arguments of a tool, the whole text again at the end, or nothing of use
            without_text += len(chunk)
        if text or answer.drafts:
            emit(text)
        if failure is not None:
            raise failure
        if is_over or without_text > largest * FRAMING:
            raise CallFailed(Outcome.TOO_LARGE)
        alarm.heard()

    chunks = _chunks(response)
    async for chunk in chunks:
        take(chunk)
        if answer.has_begun and not answer.end:
            try:
                await pace.rest(has_more=len(chunk) >= FULL_BYTES)
            except asyncio.CancelledError:  # stopped: what had come by then is kept
                with suppress(TimeoutError, CallFailed, httpx2.HTTPError):
                    async with asyncio.timeout(AT_ONCE_S):
                        async for late in chunks:
                            take(late)
                raise


async def _chunks(response: httpx2.Response) -> AsyncIterator[bytes]:
    """The body as it comes, to the last byte that came before the connection broke."""
    try:
        async for chunk in response.aiter_bytes():
            yield chunk
    except httpx2.RequestError:
        if left := _left_unread(response):
            yield left
        raise


def _left_unread(response: httpx2.Response) -> bytes:
    """What gathered while the stream rested: aiohttp's reader tells of a break before it."""
    if "content-encoding" in response.headers:
        return b""
    stream = cast("Any", response.stream)
    content = stream._stream._aiohttp_response.content  # noqa: SLF001 (no public way leads there)
    content.set_exception(None)
    return cast("bytes", content.read_nowait())


def _read_events(exchange: Exchange, events: Iterable[bytes]) -> tuple[str, CallFailed | None]:
    """The text of events that came together, up to the one, if any, that ended it as a failure."""
    answer, parts, failure = exchange.answer, list[str](), None
    try:
        for event in events:
            parts.append(exchange.endpoint.read(event, answer))
    except CallFailed as failed:
        failure = failed
    is_last = bool(answer.end or failure)
    return answer.without_thoughts("".join(parts), is_last=is_last), failure


class _Alarm:
    """The next moment at which the attempt counts as dead, and what that would mean."""

    def __init__(self, exchange: Exchange) -> None:
        self.exchange = exchange
        self.meaning = Outcome.TOTAL_TIMEOUT
        self.timer: asyncio.Timeout | None = None
        now = asyncio.get_running_loop().time()
        self.due = self.total_at = now + exchange.plan.ends_at - time.monotonic()
        if exchange.body.get("stream"):
            self.due = self._earlier(
                now + exchange.plan.stage.first_token_s, Outcome.FIRST_TOKEN_TIMEOUT
            )

    def _earlier(self, moment: float, meaning: Outcome) -> float:
        self.meaning = meaning if moment < self.total_at else Outcome.TOTAL_TIMEOUT
        return min(moment, self.total_at)

    def heard(self) -> None:
        """Something came: the idle time starts anew once the answer has begun."""
        if self.timer is None or self.timer.expired() or not self.exchange.answer.has_begun:
            return  # expired: what is read now had come before, and sets nothing any more
        wait_s = GRACE_S if self.exchange.answer.end else self.exchange.plan.stage.idle_s
        moment = asyncio.get_running_loop().time() + wait_s
        self.timer.reschedule(self._earlier(moment, Outcome.IDLE_TIMEOUT))


def stride_s() -> float:
    """How long each stream rests between two looks, as things stand."""
    return min(LONGEST_S, REST_S + PER_STREAM_S * _begun + PER_WAIT_S * _waiting)


class Pace:
    """One answer among the others of the process, on its loop: the more, the longer strides.

    A model sends a word at a time. Reading each word of a hundred streams by itself costs a process
    more than everything else it does with them; read together, a few at a time, they come a moment
    later and cost a fraction. Somebody who has no word yet waits harder than those who are reading:
    with 40 begun in one moment, the last first word comes a fifth sooner for it.
    """

    has_begun = False

    def __enter__(self) -> Self:
        global _waiting
        _waiting += 1
        return self

    def __exit__(self, *_: object) -> None:
        global _begun, _waiting
        if self.has_begun:
            _begun -= 1
        else:
            _waiting -= 1

    async def rest(self, *, has_more: bool) -> None:
        """After something was read: rests, unless more had gathered than came in one reading."""
        global _begun, _waiting
        if not self.has_begun:
            self.has_begun = True
            _begun, _waiting = _begun + 1, _waiting - 1
        if not has_more:
            await asyncio.sleep(stride_s())
