"""One call to the model with all its attempts: every kind of answer comes this one way.

When to ask again, whom, and after how long stands in its `Plan`.
"""

from __future__ import annotations

import queue
import random
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from typing import Any, Final
from uuid import UUID

from django.conf import settings

from futura.errors import ModelUnavailable
from futura.llm import database, ledger, loop, quirks, server, transport
from futura.llm.cancel import Cancelled, CancelToken, FirstWord
from futura.llm.gates import Gate, Prose
from futura.llm.outcomes import MODEL_RELATED, PASSING, CallFailed, Outcome
from futura.llm.protocols import PROTOCOLS
from futura.llm.protocols.shapes import THOUGHTS, Answer, ChatMessage, Endpoint, Prompt
from futura.llm.stages import Stage
from futura.llm.transport import Exchange

LONGEST_PAUSE_S: Final = 4.0
# A person waits meanwhile: a server that asks for more than this is given up on.
LONGEST_RETRY_AFTER_S: Final = 8.0


class Plan:
    """The attempts of one call: at most `stage.attempts` per model, all within `total_s`.

    None is made or waited for once the turn's first word is late. `model` takes the place of the
    stage's models; `answer` is what has come of the present attempt; the ledger notes the rest.
    """

    def __init__(
        self,
        stage: Stage,
        cancel: CancelToken,
        first_word: FirstWord,
        *,
        session_id: UUID | None = None,
        run_id: UUID | None = None,
        prompt_version: str = "",
        model: str = "",
    ) -> None:
        self.stage = stage
        self.cancel = cancel
        self.first_word = first_word
        self.session_id, self.run_id, self.prompt_version = session_id, run_id, prompt_version
        self.models = [model] if model else [stage.model, *stage.fallbacks]
        self.answer = Answer()
        self.is_final = False  # nothing may be made twice any more
        self.renew()

    def renew(self) -> None:
        """Begins the next call of a row of calls: fresh time, the model that was seen to answer."""
        self.ends_at = time.monotonic() + self.stage.total_s
        self.number = self._failures = 0

    @property
    def model(self) -> str:
        return self.models[0]

    def prompt(self, messages: Sequence[ChatMessage], *, is_stream: bool, **parts: Any) -> Prompt:
        """A prompt with the stage's values; `parts` are further fields of it."""
        return Prompt(
            messages=messages,
            temperature=self.stage.temperature,
            reasoning=self.stage.reasoning,
            max_output_tokens=self.stage.max_output_tokens,
            is_stream=is_stream,
            **parts,
        )

    def begin(self) -> int:
        """The number of the attempt that begins. Raises Cancelled, ModelUnavailable."""
        self.cancel.raise_if_cancelled()
        if self.first_word.is_late:
            raise ModelUnavailable(reason=Outcome.FIRST_TOKEN_TIMEOUT.value)
        self.number += 1
        return self.number

    def after(self, failure: CallFailed) -> None:
        """Returns when another attempt may be made; else raises ModelUnavailable or Cancelled."""
        if failure.outcome is Outcome.UNSUPPORTED:
            return
        if self.is_final:
            raise failure.broken_off from failure
        self._failures += 1
        if failure.outcome in PASSING and self._failures < self.stage.attempts:
            pause_s = self._pause(failure)
            if pause_s is not None:
                database.release_connections()
                if self.cancel.wait(pause_s):
                    raise Cancelled from failure
                return
        if failure.outcome in MODEL_RELATED and len(self.models) > 1 and self._left_s() > 0:
            self.models.pop(0)
            self._failures = 0
            return
        raise failure.unavailable from failure

    def _left_s(self) -> float:
        left_s, first_word_s = self.ends_at - time.monotonic(), self.first_word.left_s
        return left_s if first_word_s is None else min(left_s, first_word_s)

    def _pause(self, failure: CallFailed) -> float | None:
        """Seconds to wait; None when it is not worth waiting."""
        if failure.outcome is Outcome.UNREACHABLE and failure.took_long:
            return None
        backoff_s = min(settings.LLM_BACKOFF_S * 2 ** (self._failures - 1), LONGEST_PAUSE_S)
        pause_s = backoff_s * random.uniform(0.5, 1.0)  # noqa: S311 - spreads retries, no secret
        if failure.retry_after_s is not None:
            if failure.retry_after_s > LONGEST_RETRY_AFTER_S:
                return None
            pause_s += failure.retry_after_s  # not all in one instant: they were told the same
        return pause_s if pause_s < self._left_s() else None


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
            if exchange.released:
                raise failure.broken_off from failure
            plan.after(failure)


def _attempt(plan: Plan, exchange: Exchange, gate: Gate) -> Generator[str, None, Exchange]:
    """One admitted attempt; it runs on the loop while this thread takes what comes."""
    answer = plan.answer = exchange.answer
    answer.is_unmarked = THOUGHTS in quirks.refused_by(exchange.model)
    inbox: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    plan.begin()
    with ledger.admitted(exchange):
        future = loop.submit(transport.exchanged(exchange, inbox.put))
        future.add_done_callback(lambda _: inbox.put(None))
        try:
            with plan.cancel.calling(lambda: exchange.stop() or future.cancel()):
                for text in _texts(inbox, plan):
                    displayed = gate.feed(text)
                    exchange.released += displayed
                    if displayed or answer.drafts:
                        yield displayed
                future.result()
                quirks.look(exchange.model, answer)
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
