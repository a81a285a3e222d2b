"""The loop: the model speaks and asks, tools answer, until it has said all; within firm limits."""

from __future__ import annotations

import uuid
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any, Final

from django.utils.translation import gettext
from pydantic import BaseModel, ValidationError

from futura.errors import ModelUnavailable
from futura.llm import calls, database, ledger
from futura.llm.gates import UnfinishedProse
from futura.llm.outcomes import Outcome
from futura.llm.protocols.shapes import AskedCall, ChatMessage, Round
from futura.llm.retries import Plan
from futura.llm.structured import faults_of
from futura.llm.tools import (
    Call,
    CallDrafted,
    CallFinished,
    TextDelta,
    Tool,
    ToolEvent,
    Writer,
)
from futura.llm.tools.execution import execute
from futura.llm.transport import Exchange

ROUNDS: Final = 6  # answers of the model in all; the last one may call nothing any more
CALLS: Final = 12
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

    def events(self) -> Iterator[ToolEvent]:
        """Everything that happens, in order. Raises ModelUnavailable, Cancelled."""
        for number in range(1, ROUNDS + 1):
            may_call = number < ROUNDS and self.asked < CALLS
            result = yield from self._ask(may_call)
            asked_calls = result.answer.calls
            if result.answer.end == "truncated" and not asked_calls and number < ROUNDS:
                self.rounds.append(Round(result.shown, note=GO_ON))
            elif not asked_calls or (not may_call and result.shown.strip()):
                return
            elif not may_call:
                ledger.amend(result, Outcome.BAD_CALL, "no end of calls")
                break
            else:
                yield from self._carry_out(result, asked_calls)
            self.plan.renew()
        raise ModelUnavailable(
            gettext("The model did not finish. What was done is saved."), reason="tool_limit"
        )

    def _ask(self, may_call: bool) -> Generator[ToolEvent, None, Exchange]:
        """One answer of the model, its text as it comes."""
        prompt = self.plan.prompt(
            self.messages,
            is_stream=True,
            tools=[tool.offer for tool in self.tools.values()],
            rounds=tuple(self.rounds),
            may_call=may_call,
        )
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
                yield TextDelta(text)

    def _drafted(self, drafted: dict[int, str]) -> Iterator[CallDrafted]:
        """The calls that have grown, of tools whose calls are told while they are written."""
        for place, draft in list(self.plan.answer.drafts.items()):
            tool, arguments = self.tools.get(draft.name), draft.arguments
            if tool and tool.is_drafted and drafted.get(place) != arguments:
                drafted[place] = arguments
                yield CallDrafted(f"{len(self.rounds)}-{place}", draft.name, arguments)

    def _carry_out(self, result: Exchange, asked_calls: Sequence[AskedCall]) -> Iterator[ToolEvent]:
        """Every call of one answer; what came of them is told with the next ask."""
        named = [self._named(asked) for asked in asked_calls]
        finished: dict[str, CallFinished] = {}
        for event in self._round(named):
            finished[event.call.id] = event
            yield event
        answer = result.answer
        results = {asked.id: finished[asked.id].result for asked in named}
        self.rounds.append(Round(answer.text, named, results, tuple(answer.thoughts)))
        bad = [one.status for one in finished.values() if one.status in BAD]
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
            return tool, tool.arguments.model_validate_json(asked.arguments or "{}")
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
