"""One call to the model with all its attempts: streamed, or in one piece."""

from __future__ import annotations

import queue
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import CancelledError, Future, wait
from dataclasses import dataclass
from typing import TypeVar

from django.conf import settings

from futura.llm import admission, database, loop, quirks, transport
from futura.llm.cancel import Cancelled
from futura.llm.ledger import Origin
from futura.llm.models import ModelCall
from futura.llm.outcomes import CallFailed, Outcome
from futura.llm.prose import Gate, Prose
from futura.llm.retries import Plan
from futura.llm.transport import Exchange
from futura.llm.wires import WIRES
from futura.llm.wires.shapes import Answer, Prompt, Wire

T = TypeVar("T")
Drafting = Mapping[int, tuple[str, str]]
"""By the place of a call of a tool: its name, and its arguments as far as they are written."""


@dataclass(frozen=True)
class Kept:
    """An answer with its ledger row; `shown` is what was let through of a streamed one."""

    answer: Answer
    row: ModelCall
    shown: str = ""


def stream(
    plan: Plan,
    prompt_for: Callable[[str], Prompt],
    origin: Origin,
    *,
    gate_for: Callable[[], Gate] = Prose,
    drafting: Callable[[Drafting], None] | None = None,
) -> Generator[str, None, Kept]:
    """Text as the gate lets it through; gives back the whole. Every attempt has a gate of its own.

    Asks again only while nothing is shown of it. `drafting` gets the calls of tools as far as they
    are written; an empty text is yielded then.
    """
    while True:
        wire, exchange = _exchange(plan, prompt_for)
        gate = gate_for()
        try:
            return (yield from _stream_once(wire, exchange, plan, origin, gate, drafting))
        except CallFailed as failure:
            if gate.text:
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
        answer = _wait(loop.submit(transport.whole(exchange)), plan)
    return Kept(answer, ticket.settled)


def _exchange(plan: Plan, prompt_for: Callable[[str], Prompt]) -> tuple[Wire, Exchange]:
    wire = WIRES[settings.LLM_WIRE]
    body = quirks.request_for(wire, prompt_for(plan.model))
    return wire, Exchange(plan.stage, wire, body, plan.ends_at)


def _wait(future: Future[T], plan: Plan) -> T:
    with plan.cancel.calling(future.cancel):
        try:
            while not wait([future], plan.first_word.left_s).done:
                _refuse_late(plan, Outcome.FIRST_TOKEN_TIMEOUT)
            return future.result()
        except CancelledError:
            raise Cancelled from None
        finally:
            future.cancel()


def _refuse_late(plan: Plan, outcome: Outcome) -> None:
    if plan.first_word.is_late:
        raise CallFailed(outcome, "the turn's time for a first word")


def _stream_once(
    wire: Wire,
    exchange: Exchange,
    plan: Plan,
    origin: Origin,
    gate: Gate,
    drafting: Callable[[Drafting], None] | None,
) -> Generator[str, None, Kept]:
    inbox: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    with admission.admitted(exchange, origin, attempt=plan.begin()) as ticket:
        future = loop.submit(transport.stream(exchange, wire.reader(exchange.answer), inbox.put))
        future.add_done_callback(lambda _: inbox.put(None))
        try:
            with plan.cancel.calling(future.cancel):
                for text in _texts(inbox, plan):
                    shown = gate.feed(text)
                    is_drafting = drafting is not None and bool(exchange.answer.drafting)
                    if drafting is not None and is_drafting:
                        drafting(dict(exchange.answer.drafting))
                    if shown or is_drafting:
                        yield shown
                gate.close(_wait(future, plan))
        finally:
            future.cancel()
    return Kept(exchange.answer, ticket.settled, gate.text)


def _texts(inbox: queue.SimpleQueue[str | None], plan: Plan) -> Iterator[str]:
    """What the loop has put in, everything that is there at once, until it puts None.

    Looked at between two stretches: whether the first word is late, for whoever takes the text may
    still hold it back.
    """
    is_open, outcome = True, Outcome.FIRST_TOKEN_TIMEOUT
    while is_open:
        _refuse_late(plan, outcome)
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
