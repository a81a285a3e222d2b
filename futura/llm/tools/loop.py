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
from futura.llm.calls import Kept
from futura.llm.cancel import Cancelled
from futura.llm.ledger import Origin
from futura.llm.outcomes import Outcome
from futura.llm.prose import UnfinishedProse
from futura.llm.retries import Plan
from futura.llm.structured import faults_of
from futura.llm.tools.events import (
    Call,
    CallDrafted,
    CallFinished,
    CallStarted,
    Finished,
    TextDelta,
    ToolEvent,
)
from futura.llm.tools.execution import execute
from futura.llm.tools.kinds import AwaitReview, Policy, Refuse, Run, Tool, Writer
from futura.llm.wires.shapes import AskedCall, ChatMessage, Prompt, Round

ROUNDS: Final = 6  # answers of the model in all; the last one may call nothing any more
CALLS: Final = 12
LATCHING: Final = frozenset({"failed", "timed_out"})
BAD: Final = frozenset({"unknown_tool", "bad_arguments"})

UNKNOWN = "There is no tool of that name. There are: {names}."
BAD_ARGUMENTS = "Not called, the arguments cannot be used: {faults}."
LATCHED = "Not called: this tool failed before and stays out of use. Go on without it."
GO_ON = (
    "[Your answer reached its limit in the middle. Go on exactly where it ended, in the same "
    "language, and repeat nothing.]"
)
ENOUGH = "Not called: enough calls have been made. Answer with what you know."


class ToolLoop:
    """One question that the model may answer with the help of tools. Used once."""

    def __init__(
        self,
        plan: Plan,
        messages: Sequence[ChatMessage],
        tools: Sequence[Tool[Any]],
        policy: Policy,
        origin: Origin,
        *,
        used_ids: set[str],
        cache_key: str = "",
        writer: Writer | None = None,
    ) -> None:
        self.plan = plan
        self.messages = messages
        self.tools: Mapping[str, Tool[Any]] = {tool.name: tool for tool in tools}
        if len(self.tools) != len(tools):
            raise ValueError("Two tools have the same name.")
        self.policy = policy
        self.origin = origin
        self.used_ids = used_ids
        self.cache_key = cache_key
        self.writer = writer
        self.rounds: list[Round] = []
        self.said: list[str] = []
        self.finished: list[CallFinished] = []
        self.latched: set[str] = set()
        self.asked = 0

    def events(self) -> Iterator[ToolEvent]:
        """Everything that happens, in order. Raises ModelUnavailable, Cancelled."""
        for number in range(1, ROUNDS + 1):
            may_call = number < ROUNDS and self.asked < CALLS
            kept = yield from self._ask(may_call)
            if kept.answer.end == "truncated" and not kept.answer.calls and number < ROUNDS:
                self.rounds.append(Round(kept.shown, note=GO_ON))
                self.plan = self.plan.renewed()
                continue
            if not kept.answer.calls or (not may_call and kept.shown.strip()):
                yield Finished("".join(self.said), tuple(self.finished), number)
                return
            if not may_call:
                ledger.amend(kept.row, outcome=Outcome.BAD_CALL, error="no end of calls")
                break
            yield from self._carry_out(kept)
            self.plan = self.plan.renewed()
        raise ModelUnavailable(
            gettext("The model did not come to an end. What was done is kept."), reason="tool_limit"
        )

    def _ask(self, may_call: bool) -> Generator[ToolEvent, None, Kept]:
        """One answer of the model, its text as it comes."""
        drafting: dict[int, tuple[str, str]] = {}
        drafted: dict[int, str] = {}
        stream = calls.stream(
            self.plan,
            lambda model: self._prompt(model, may_call),
            self.origin,
            gate_for=UnfinishedProse,
            drafting=drafting.update
            if any(one.is_drafted for one in self.tools.values())
            else None,
        )
        is_first = not (self.rounds and self.rounds[-1].note)
        with closing(stream):
            while True:
                try:
                    text = next(stream)
                except StopIteration as end:
                    kept: Kept = end.value
                    return kept
                for place, (name, arguments) in drafting.items():
                    tool = self.tools.get(name)
                    if tool and tool.is_drafted and drafted.get(place) != arguments:
                        drafted[place] = arguments
                        yield CallDrafted(f"{len(self.rounds)}-{place}", name, arguments)
                if not text:
                    continue
                self.plan.is_final = True  # it has been seen
                if is_first and self.said and not self.said[-1][-1:].isspace():
                    yield self._say("\n\n")
                is_first = False
                yield self._say(text)

    def _say(self, text: str) -> TextDelta:
        self.said.append(text)
        return TextDelta(text)

    def _prompt(self, model: str, may_call: bool) -> Prompt:
        stage = self.plan.stage
        return Prompt(
            model=model,
            messages=self.messages,
            temperature=stage.temperature,
            max_output_tokens=stage.max_output_tokens,
            is_stream=True,
            tools=[tool.offer for tool in self.tools.values()],
            rounds=tuple(self.rounds),
            may_call=may_call,
            cache_key=self.cache_key,
        )

    def _carry_out(self, kept: Kept) -> Iterator[ToolEvent]:
        """Every call of one answer, in its order; what came of them is told with the next ask."""
        named = [self._named(asked) for asked in kept.answer.calls]
        results: dict[str, str] = {}
        for event in self._of_round(named) if self.writer else self._each(named):
            if isinstance(event, CallFinished):
                self.finished.append(event)
                results[event.call.id] = event.result
            yield event
        self.rounds.append(Round(kept.answer.text, named, results, tuple(kept.answer.kept)))
        bad = [one.status for one in self.finished[-len(named) :] if one.status in BAD]
        if bad:
            ledger.amend(kept.row, outcome=Outcome.BAD_CALL, error=", ".join(bad))

    def _named(self, asked: AskedCall) -> AskedCall:
        """The call under an id of its own; some servers give none, or the same again and again."""
        if not asked.id or asked.id in self.used_ids:
            asked = replace(asked, id=f"call_{uuid.uuid4().hex[:24]}")
        self.used_ids.add(asked.id)
        return asked

    def _each(self, named: Sequence[AskedCall]) -> Iterator[ToolEvent]:
        """One call after the other."""
        for asked in named:
            self.plan.cancel.raise_if_cancelled()
            checked = self._checked(asked)
            if isinstance(checked, CallFinished):
                yield checked
            else:
                yield from self._decide(*checked)

    def _of_round(self, named: Sequence[AskedCall]) -> Iterator[ToolEvent]:
        """What only reads first, then all writing calls as a whole; told in the order of asking."""
        assert self.writer is not None  # noqa: S101 - the caller has seen it
        told: dict[str, list[ToolEvent]] = {}
        writing: list[Call] = []
        for asked in named:
            self.plan.cancel.raise_if_cancelled()
            checked = self._checked(asked)
            if isinstance(checked, CallFinished):
                told[asked.id] = [checked]
            elif checked[1].is_of_round:
                writing.append(checked[0])
            else:
                told[asked.id] = list(self._decide(*checked))
        if writing:
            self.plan.is_final = True
            database.release_connections()
            answered = self.writer(writing)
            for call in writing:
                one = answered[call.id]
                told[call.id] = [CallStarted(call), CallFinished(call, one.status, one.result)]
        for asked in named:
            yield from told[asked.id]

    def _checked(self, asked: AskedCall) -> CallFinished | tuple[Call, Tool[Any], BaseModel]:
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
            given = tool.arguments.model_validate_json(asked.arguments or "{}")
        except ValidationError as error:
            text = BAD_ARGUMENTS.format(faults=faults_of(error))
            return CallFinished(call, "bad_arguments", text)
        return Call(asked.id, tool.name, given, tool.writes), tool, given

    def _decide(self, call: Call, tool: Tool[Any], given: BaseModel) -> Iterator[ToolEvent]:
        match self.policy(call):
            case Refuse(word):
                yield CallFinished(call, "refused", word)
            case AwaitReview(word):
                yield CallFinished(call, "waiting", word)
            case Run():
                yield from self._run(call, tool, given)
            case other:  # whoever forgets to decide must not have allowed it
                raise TypeError(f"A policy decided {other!r} on {call.name}.")

    def _run(self, call: Call, tool: Tool[Any], given: BaseModel) -> Iterator[ToolEvent]:
        yield CallStarted(call)
        self.plan.cancel.raise_if_cancelled()
        self.plan.is_final = self.plan.is_final or tool.writes
        result = execute(tool, given, call.id, self.plan)
        if result.status in LATCHING:
            self.latched.add(tool.name)
        yield CallFinished(call, result.status, result.text, result.took_ms)
        if result.is_last:
            raise Cancelled
