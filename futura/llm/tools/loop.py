"""The loop: the model speaks and asks, tools answer within their time, until it has said all."""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from typing import Any, Final

import orjson
from django.db import connections
from django.utils.translation import gettext
from pydantic import BaseModel, ValidationError

from futura.errors import FuturaError, ModelUnavailable
from futura.llm import calls, database, ledger
from futura.llm.calls import Plan
from futura.llm.cancel import Cancelled, CancelToken
from futura.llm.gates import UnfinishedProse
from futura.llm.outcomes import Outcome
from futura.llm.protocols.shapes import AskedCall, ChatMessage, Round
from futura.llm.structured import LARGER, faults_of, validated
from futura.llm.tools import (
    Answered,
    Call,
    CallDrafted,
    CallFinished,
    Tool,
    ToolEvent,
    ToolRejected,
    Writer,
)
from futura.llm.transport import Exchange
from futura.telemetry.calls import tool_called
from futura.threads import carried

log = logging.getLogger(__name__)

ROUNDS: Final = 6  # answers of the model in all; the last one may call nothing any more
CALLS: Final = 12
LONGEST: Final = 16_000  # tokens of an answer; some models refuse a limit above it
LATCHING: Final = frozenset({"failed", "timed_out"})
BAD: Final = frozenset({"unknown_tool", "bad_arguments"})

UNKNOWN: Final = "There is no tool of that name. There are: {names}."
BAD_ARGUMENTS: Final = "Not called, the arguments cannot be used: {faults}."
LATCHED: Final = "Not called: this tool failed before and stays out of use. Go on without it."
GO_ON: Final = (
    "[Your answer reached its limit in the middle. Go on exactly where it ended, in the same "
    "language, and repeat nothing.]"
)
ENOUGH: Final = "Not called: enough calls have been made. Answer with what you know."
# After Stop a tool that writes may end what it has begun, so that the person sees what was done.
LAST_WRITE_S: Final = 2.0

BROKEN: Final = "This tool does not work right now and will not be called again. Go on without it."
LATE: Final = "This tool gave no answer in time and will not be called again. Go on without it."
LATE_WRITE: Final = (
    "This tool gave no answer in time. Whether it was done is not known: say so, and do not try "
    "again."
)
CUT: Final = "… [cut here: {limit:,} of {length:,} characters]"


class ToolLoop:
    """One question that the model may answer with the help of tools. Used once.

    `used_ids` are the ids of calls that were made before, and will be of those made here.
    """

    def __init__(
        self,
        plan: Plan,
        messages: Sequence[ChatMessage],
        tools: Sequence[Tool[Any]],
        *,
        used_ids: set[str],
        writer: Writer | None = None,
    ) -> None:
        self.plan = plan
        self.messages = messages
        self.tools: Mapping[str, Tool[Any]] = {tool.name: tool for tool in tools}
        if len(self.tools) != len(tools):
            raise ValueError("Two tools have the same name.")
        self.used_ids = used_ids
        self.writer = writer
        self.rounds: list[Round] = []
        self.text = ""
        self.latched: set[str] = set()
        self.asked = 0
        self.cuts = 0  # answers in a row that reached their limit in the middle of a call

    def events(self) -> Iterator[ToolEvent]:
        """Everything that happens, in order. Raises ModelUnavailable, Cancelled."""
        for number in range(1, ROUNDS + 1):
            may_call = number < ROUNDS and self.asked < CALLS
            result = yield from self._ask(may_call)
            asked_calls = result.answer.calls
            if result.answer.end == "truncated" and not asked_calls and number < ROUNDS:
                self.rounds.append(Round(result.released, note=GO_ON))
            elif not asked_calls or (not may_call and result.released.strip()):
                return
            elif not may_call:
                ledger.amend(result, Outcome.BAD_CALL, "no end of calls")
                break
            else:
                self.cuts = self.cuts + 1 if result.answer.end == "truncated" else 0
                yield from self._carry_out(result, asked_calls)
            self.plan.renew()
        raise ModelUnavailable(
            gettext("The model did not finish. What was done is saved."), reason="tool_limit"
        )

    def _ask(self, may_call: bool) -> Generator[ToolEvent, None, Exchange]:
        prompt = self.plan.prompt(
            self.messages,
            is_stream=True,
            tools=[tool.offer for tool in self.tools.values()],
            rounds=tuple(self.rounds),
            may_call=may_call,
        )
        if self.cuts:  # the same call would be cut again
            larger = min(prompt.max_output_tokens * LARGER**self.cuts, LONGEST)
            prompt = replace(prompt, max_output_tokens=max(prompt.max_output_tokens, larger))
        drafted: dict[int, str] = {}
        is_first = not (self.rounds and self.rounds[-1].note)
        with closing(calls.stream(self.plan, prompt, gate_for=UnfinishedProse)) as stream:
            while True:
                try:
                    text = next(stream)
                except StopIteration as end:
                    result: Exchange = end.value
                    return result
                yield from self._drafted(drafted)
                if not text:
                    continue
                self.plan.is_final = True  # it has been seen
                if is_first and self.text and not self.text[-1].isspace():
                    text = f"\n\n{text}"
                is_first = False
                self.text += text
                yield text

    def _drafted(self, drafted: dict[int, str]) -> Iterator[CallDrafted]:
        """The calls that have grown, of tools whose calls are told while they are written."""
        for place, draft in list(self.plan.answer.drafts.items()):
            tool, arguments = self.tools.get(draft.name), draft.arguments
            if tool and tool.is_drafted and drafted.get(place) != arguments:
                drafted[place] = arguments
                yield CallDrafted(f"{len(self.rounds)}-{place}", draft.name, arguments)

    def _carry_out(self, result: Exchange, asked_calls: Sequence[AskedCall]) -> Iterator[ToolEvent]:
        """Every call of one answer; what came of them is told with the next ask."""
        named = [self._named(call) for call in asked_calls]
        finished: dict[str, CallFinished] = {}
        for event in self._round(named):
            finished[event.call.id] = event
            yield event
        answer = result.answer
        results = {question.id: finished[question.id].result for question in named}
        self.rounds.append(Round(answer.text, named, results, tuple(answer.thoughts)))
        bad = [item.status for item in finished.values() if item.status in BAD]
        if bad:
            ledger.amend(result, Outcome.BAD_CALL, ", ".join(bad))

    def _named(self, asked: AskedCall) -> AskedCall:
        """The call under an id of its own; some servers give none, or the same again and again."""
        if not asked.id or asked.id in self.used_ids:
            asked = replace(asked, id=f"call_{uuid.uuid4().hex[:24]}")
        self.used_ids.add(asked.id)
        return asked

    def _round(self, named: Sequence[AskedCall]) -> Iterator[CallFinished]:
        """The calls one after the other; those that are of the round as a whole after the others.

        Raises Cancelled between two of them.
        """
        writing: list[Call] = []
        for asked in named:
            self.plan.cancel.raise_if_cancelled()
            checked = self._checked(asked)
            if isinstance(checked, CallFinished):
                yield checked
            elif self.writer and checked[0].is_of_round:
                writing.append(Call(asked.id, asked.name, checked[1]))
            else:
                yield self._run(asked.id, *checked)
        if self.writer and writing:
            self.plan.is_final = True
            database.release_connections()
            answered = self.writer(writing)
            for call in writing:
                yield CallFinished(call, answered[call.id].status, answered[call.id].result)

    def _checked(self, asked: AskedCall) -> CallFinished | tuple[Tool[Any], BaseModel]:
        """What can be called; else how the call ended without being made."""
        self.asked += 1
        call = Call(asked.id, asked.name)
        tool = self.tools.get(asked.name)
        if self.asked > CALLS:
            return CallFinished(call, "over_limit", ENOUGH)
        if tool is None:
            return CallFinished(call, "unknown_tool", UNKNOWN.format(names=", ".join(self.tools)))
        if tool.name in self.latched:
            return CallFinished(call, "latched", LATCHED)
        try:
            return tool, validated(tool.arguments, asked.arguments or ("" if self.cuts else "{}"))
        except ValidationError as error:
            text = BAD_ARGUMENTS.format(faults=faults_of(error))
            return CallFinished(call, "bad_arguments", text)

    def _run(self, call_id: str, tool: Tool[Any], arguments: BaseModel) -> CallFinished:
        self.plan.is_final = self.plan.is_final or tool.writes
        answered = execute(tool, arguments, call_id, self.plan)
        if answered.status in LATCHING:
            self.latched.add(tool.name)
        call = Call(call_id, tool.name, arguments)
        return CallFinished(call, answered.status, answered.result)


# One call of one tool -------------------------------------------------------------------------
def execute(tool: Tool[Any], arguments: BaseModel, call_id: str, plan: Plan) -> Answered:
    """Calls a tool and waits. Raises Cancelled when Stop came and nothing is left to tell.

    What only reads is not waited for once the turn's first word is late.
    """
    cancel = plan.cancel
    first_word_s = None if tool.writes else plan.first_word.left_s
    patience_s = tool.timeout_s if first_word_s is None else min(tool.timeout_s, first_word_s)
    began = time.monotonic()
    database.release_connections()
    future = _begin(tool, arguments, call_id)
    _wait(future, patience_s, cancel)
    if cancel.cancelled and not future.done() and tool.writes:
        _wait(future, LAST_WRITE_S)
    if cancel.cancelled and not (future.done() and tool.writes):
        raise Cancelled
    answered = _answered(tool, future)
    tool_called(
        tool.name,
        call_id,
        arguments=arguments,
        status=answered.status,
        result=answered.result,
        took_ms=round((time.monotonic() - began) * 1000),
    )
    return answered


def _begin(tool: Tool[Any], arguments: BaseModel, call_id: str) -> Future[str]:
    """Starts a thread for this call alone: one that hangs keeps no other waiting."""
    executor = ThreadPoolExecutor(1, thread_name_prefix=f"tool-{tool.name}")
    try:
        return executor.submit(carried(_call), tool, arguments, call_id)
    finally:
        executor.shutdown(wait=False)


def _call(tool: Tool[Any], arguments: BaseModel, call_id: str) -> str:
    try:
        result = tool.function(arguments, call_id)
    finally:
        connections.close_all()
    text = result if isinstance(result, str) else orjson.dumps(result, default=_plain).decode()
    return _shortened(text, tool.result_chars)


def _plain(value: object) -> object:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True)
    if isinstance(value, (set, frozenset, tuple)):
        return list(value)
    return str(value)


def _shortened(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    return text[:limit] + CUT.format(limit=limit, length=len(text))


def _wait(future: Future[str], timeout_s: float, cancel: CancelToken | None = None) -> None:
    over = threading.Event()
    future.add_done_callback(lambda _: over.set())
    with (cancel or CancelToken()).calling(over.set):
        over.wait(timeout_s)


def _answered(tool: Tool[Any], future: Future[str]) -> Answered:
    if not future.done():
        return Answered("timed_out", LATE_WRITE if tool.writes else LATE)
    error = future.exception()
    if error is None:
        return Answered("done", future.result())
    if isinstance(error, ToolRejected) or (isinstance(error, FuturaError) and error.status < 500):
        return Answered("rejected", _shortened(str(error) or "Not like this.", tool.result_chars))
    log.error("tool %s failed", tool.name, exc_info=error)
    return Answered("failed", BROKEN)
