"""One call to the model with all its attempts: every kind of answer comes this one way."""

from __future__ import annotations

import queue
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import CancelledError
from typing import Any

from futura.llm import database, ledger, loop, quirks, server, transport
from futura.llm.cancel import Cancelled
from futura.llm.gates import Gate, Prose
from futura.llm.outcomes import CallFailed, Outcome
from futura.llm.protocols import PROTOCOLS
from futura.llm.protocols.shapes import Answer, Endpoint, Prompt
from futura.llm.retries import Plan
from futura.llm.transport import Exchange


def stream(
    plan: Plan, prompt: Prompt, *, gate_for: Callable[[], Gate] = Prose
) -> Generator[str, None, Exchange]:
    """Text as the gate lets it through; gives back the whole. Every attempt has a gate of its own.

    Asks again only while nothing is shown of it. An empty text is yielded where a call of a tool
    grew (`plan.answer.drafts`).
    """
    protocol = PROTOCOLS[server.current().wire]
    return (
        yield from _call(
            plan, protocol, lambda: quirks.request_for(protocol, plan.model, prompt), gate_for
        )
    )


def whole(plan: Plan, prompt: Prompt) -> Exchange:
    """One answer. It may be truncated, refused or empty: the caller reads it."""
    return _exhausted(stream(plan, prompt, gate_for=Gate))


def send(plan: Plan, endpoint: Endpoint, body: Mapping[str, Any]) -> Answer:
    """What an endpoint that knows no conversations answers to `body` and the plan's model."""
    call = _call(plan, endpoint, lambda: {"model": plan.model, **body}, Gate)
    return _exhausted(call).answer


def _call(
    plan: Plan,
    endpoint: Endpoint,
    body_now: Callable[[], Mapping[str, Any]],
    gate_for: Callable[[], Gate],
) -> Generator[str, None, Exchange]:
    while True:
        exchange = Exchange(plan, endpoint, body_now())
        try:
            return (yield from _attempt(plan, exchange, gate_for()))
        except CallFailed as failure:
            if exchange.shown:
                raise failure.broken_off from failure
            plan.after(failure)


def _attempt(plan: Plan, exchange: Exchange, gate: Gate) -> Generator[str, None, Exchange]:
    """One admitted attempt; it runs on the loop while this thread takes what comes."""
    answer = plan.answer = exchange.answer
    inbox: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    plan.begin()
    with ledger.admitted(exchange):
        future = loop.submit(transport.exchanged(exchange, inbox.put))
        future.add_done_callback(lambda _: inbox.put(None))
        try:
            with plan.cancel.calling(future.cancel):
                for text in _texts(inbox, plan):
                    shown = gate.feed(text)
                    exchange.shown += shown
                    if shown or answer.drafts:
                        yield shown
                future.result()
                gate.close(answer)
        except CancelledError:
            raise Cancelled from None
        finally:
            future.cancel()
    return exchange


def _texts(inbox: queue.SimpleQueue[str | None], plan: Plan) -> Iterator[str]:
    """What the loop has put in, everything that is there at once, until it puts None.

    Looked at between two stretches: whether the first word is late, for whoever takes the text may
    still hold it back.
    """
    is_open, outcome = True, Outcome.FIRST_TOKEN_TIMEOUT
    while is_open:
        if plan.first_word.is_late:
            raise CallFailed(outcome, "the turn's time for a first word")
        if inbox.empty():
            database.release_connections()
        try:
            waiting = [inbox.get(timeout=plan.first_word.left_s)]
        except queue.Empty:
            continue
        outcome = Outcome.TOTAL_TIMEOUT
        while not inbox.empty():
            waiting.append(inbox.get())
        is_open = None not in waiting
        if parts := [part for part in waiting if part is not None]:
            yield "".join(parts)


def _exhausted(call: Generator[str, None, Exchange]) -> Exchange:
    """What a call gives back in the end; nothing of it is shown before."""
    while True:
        try:
            next(call)
        except StopIteration as end:
            exchange: Exchange = end.value
            return exchange
