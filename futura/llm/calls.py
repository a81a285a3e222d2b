"""One call to the model with all its attempts: streamed, or in one piece."""

from __future__ import annotations

import queue
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from typing import TypeVar

from django.conf import settings

from futura.llm import admission, database, loop, quirks, transport
from futura.llm.cancel import Cancelled, CancelToken
from futura.llm.ledger import Origin
from futura.llm.models import ModelCall
from futura.llm.outcomes import CallFailed, Outcome
from futura.llm.retries import Plan
from futura.llm.transport import Exchange
from futura.llm.wires import WIRES
from futura.llm.wires.shapes import Answer, Prompt, Wire

T = TypeVar("T")
BAD_ENDS = {
    "truncated": Outcome.INCOMPLETE,
    "filtered": Outcome.REFUSED,
    "broken_off": Outcome.INCOMPLETE,
}


@dataclass(frozen=True)
class Kept:
    """An answer with its ledger row."""

    answer: Answer
    row: ModelCall


def judge(answer: Answer) -> None:
    """Raises CallFailed unless a stream ended as a complete answer: words, or calls of tools."""
    if answer.refusal:
        raise CallFailed(Outcome.REFUSED)
    if answer.end in BAD_ENDS:
        raise CallFailed(BAD_ENDS[answer.end], answer.end)
    if not answer.text.strip() and not answer.calls:
        raise CallFailed(Outcome.EMPTY)


def stream(
    plan: Plan,
    prompt_for: Callable[[str], Prompt],
    origin: Origin,
    *,
    judge: Callable[[Answer], None] = judge,
    is_shown: Callable[[Answer], bool] = lambda answer: bool(answer.text),
) -> Generator[str, None, Kept]:
    """Text as it comes; gives back the whole. Asks again only while nothing is shown of it.

    `judge` raises CallFailed for an ended answer that is none.
    """
    while True:
        wire, exchange = _exchange(plan, prompt_for)
        try:
            return (yield from _stream_once(wire, exchange, plan, origin, judge))
        except CallFailed as failure:
            if is_shown(exchange.answer):
                raise failure.broken_off from failure
            plan.after(failure)


def whole(plan: Plan, prompt_for: Callable[[str], Prompt], origin: Origin) -> Kept:
    """One answer. It may be truncated, refused or empty: the caller reads it."""
    while True:
        _, exchange = _exchange(plan, prompt_for)
        try:
            return send(exchange, plan, origin)
        except CallFailed as failure:
            plan.after(failure)


def send(exchange: Exchange, plan: Plan, origin: Origin) -> Kept:
    """One admitted attempt; it runs on the loop while this thread waits. Raises CallFailed."""
    with admission.admitted(exchange, origin, attempt=plan.begin()) as ticket:
        answer = _wait(loop.submit(transport.whole(exchange)), plan.cancel)
    return Kept(answer, ticket.settled)


def _exchange(plan: Plan, prompt_for: Callable[[str], Prompt]) -> tuple[Wire, Exchange]:
    wire = WIRES[settings.LLM_WIRE]
    body = quirks.request_for(wire, prompt_for(plan.model))
    return wire, Exchange(plan.stage, wire, body, plan.ends_at)


def _wait(future: Future[T], cancel: CancelToken) -> T:
    with cancel.calling(future.cancel):
        try:
            return future.result()
        except CancelledError:
            raise Cancelled from None
        finally:
            future.cancel()


def _stream_once(
    wire: Wire,
    exchange: Exchange,
    plan: Plan,
    origin: Origin,
    judge: Callable[[Answer], None],
) -> Generator[str, None, Kept]:
    inbox: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    with admission.admitted(exchange, origin, attempt=plan.begin()) as ticket:
        future = loop.submit(transport.stream(exchange, wire.reader(exchange.answer), inbox.put))
        future.add_done_callback(lambda _: inbox.put(None))
        try:
            with plan.cancel.calling(future.cancel):
                yield from _texts(inbox)
                judge(_wait(future, plan.cancel))
        finally:
            future.cancel()
    return Kept(exchange.answer, ticket.settled)


def _texts(inbox: queue.SimpleQueue[str | None]) -> Iterator[str]:
    """What the loop has put in, everything that is there at once, until it puts None."""
    is_open = True
    while is_open:
        if inbox.empty():
            database.release_connections()
        waiting = [inbox.get()]
        while not inbox.empty():
            waiting.append(inbox.get())
        is_open = None not in waiting
        if text := "".join(part for part in waiting if part):
            yield text
