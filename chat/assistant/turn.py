"""One message answered by the model with tools: text as it says it, calls, the ledger's line."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from pydantic import BaseModel

from chat.assistant import provenance
from chat.assistant.cards import ledger_part
from chat.assistant.toolset import RESULT_CHARS, Acting, AnyTool, Reading, Toolset, Writing
from chat.assistant.working import NOT_THERE, Working
from chat.commands.base import NotInScope
from chat.guides import DraftText, GuideEvent, Part, StageDone, StageStarted, Text, Turn
from chat.memory.prompts import assemble, safe
from chat.memory.shapes import tool_call, tool_result
from futura.errors import ModelUnavailable
from futura.llm.checks import Reason
from futura.llm.client import Cancelled
from futura.llm.tools import (
    Answered,
    Call,
    CallDrafted,
    CallFinished,
    Tool,
    ToolRejected,
)

StateT = TypeVar("StateT", bound=BaseModel)
DRAFTING: Final = "drafting"
"""The type of a part that shows what a call drafts while it is written."""
STORED_CHARS: Final = 2_000  # of a result, for later prompts
_REASONS: Final = {
    "unknown_tool": Reason.UNKNOWN_TOOL,
    "bad_arguments": Reason.BAD_ARGUMENTS,
    "over_limit": Reason.TOO_MANY,
}


@dataclass(frozen=True)
class Prompt:
    """What a guide asks of the model in a turn.

    `instructions` never change within a `version`; `records` is the briefing, with ids and
    versions, where whatever was cut is marked as cut (`delimiter.cut`). `label` is shown to the
    person while the `stage` lasts. `texts` are long ones that stand whole in the records (row,
    field, text): they were read where the records fit into the prompt.
    """

    stage: str
    label: str
    instructions: str
    records: str
    version: str
    texts: Sequence[tuple[uuid.UUID, str, str]] = ()


class AssistantTurn(Generic[StateT]):
    """A turn with tools. Its state is an `AssistantState`; used once.

    Give it a turn that went through `provenance.careful`. `working` says afterwards what was done.
    """

    def __init__(self, turn: Turn[StateT], toolset: Toolset, prompt: Prompt) -> None:
        self.turn = turn
        self.prompt = prompt
        self.working = Working(turn, toolset)
        self.text = ""
        self._tools = {tool.name: tool for tool in toolset.tools}
        self._calls: list[CallFinished] = []
        self._drafted: dict[uuid.UUID, str] = {}

    def events(self) -> Iterator[GuideEvent]:
        """Text, calls, and in the end the ledger's line; also when it is stopped or breaks off.

        Raises ModelUnavailable; `has_begun` then says whether anything was said or done, and
        nothing was yielded but stages where it was not.
        """
        prompt = self.prompt
        yield StageStarted(prompt.stage, prompt.label)
        messages = assemble(
            self.turn.context, instructions=prompt.instructions, state=prompt.records
        )
        if safe(prompt.records) in str(messages[0]["content"]):  # else they were shortened
            for text in prompt.texts:
                self.working.has_seen(*text)
        offered = [self._offered(tool) for tool in self._tools.values()]
        offered += provenance.tool(self.turn, self.working.delimiter)
        stream = self.turn.llm.run_tools(
            prompt.stage, messages, offered, prompt_version=prompt.version,
            writer=self._write,
        )  # fmt: skip
        try:
            for event in stream:
                if isinstance(event, str):
                    self.text += event
                    yield Text(event)
                elif isinstance(event, CallDrafted):
                    yield from self._sketched(event)
                elif isinstance(event, CallFinished):
                    self._calls.append(event)
                    yield from _noted(event)
        except Cancelled:  # what was said stands, and what was done is told
            yield from self._line()
            raise
        except ModelUnavailable as error:
            self._count()
            if self.has_begun:
                yield from self._line()
            else:
                detail = {"fallback": True, "because": error.reason}
                yield StageDone(prompt.stage, "rules", detail)
            raise
        self._count()
        yield StageDone(prompt.stage, "model", {"calls": [call.call.name for call in self._calls]})
        yield from self._line()

    def _line(self) -> Iterator[GuideEvent]:
        """The ledger's line; words alone, without tools, change nothing that it could tell."""
        if self._tools:
            yield Part(ledger_part(self.turn.run_id))

    @property
    def has_begun(self) -> bool:
        """Whether the person has seen a word, or anything was done."""
        return bool(self.text.strip() or self._drafted or self.working.has_done)

    @property
    def has_drafted(self) -> bool:
        """Whether the person has seen a draft grow, whatever became of it."""
        return bool(self._drafted)

    def _sketched(self, call: CallDrafted) -> Iterator[GuideEvent]:
        """What a call drafts, while it is written; a text that is begun anew does not go on."""
        tool = self._tools[call.name]
        sketch = tool.sketch(call.arguments) if isinstance(tool, Writing) and tool.sketch else None
        if sketch is None or not sketch.text:
            return
        key = uuid.uuid5(self.turn.run_id, call.key)
        if key not in self._drafted:
            self._drafted[key] = ""
            yield Part({"type": DRAFTING, "quiet": True, "id": str(key), **sketch.about})
        standing = self._drafted[key]
        if sketch.text.startswith(standing) and sketch.text != standing:
            self._drafted[key] = sketch.text
            yield DraftText(key, sketch.text[len(standing) :])

    def _offered(self, tool: AnyTool) -> Tool[Any]:
        """A tool as the gateway calls it; writing ones are left to `_write`."""
        match tool:
            case Writing():
                return Tool(
                    tool.name, tool.description, tool.arguments, _not_alone, writes=True,
                    is_of_round=True, is_drafted=tool.sketch is not None,
                )  # fmt: skip
            case Reading(read=read):
                return Tool(
                    tool.name, tool.description, tool.arguments,
                    lambda sent, _id: self._inside(lambda: read(sent, self.working)),
                    result_chars=RESULT_CHARS,
                )  # fmt: skip
            case Acting(act=act):
                return Tool(
                    tool.name, tool.description, tool.arguments,
                    lambda sent, key: self._inside(lambda: act(sent, self.working, key)),
                    writes=True,
                )  # fmt: skip

    def _inside(self, work: Any) -> object:
        """A foreign id is told as such, and counted."""
        try:
            return work()
        except NotInScope as error:
            self.working.refused[Reason.UNKNOWN_ID] += 1
            raise ToolRejected(NOT_THERE) from error
        except ToolRejected:
            self.working.refused[Reason.NOT_ALLOWED] += 1
            raise

    def _write(self, calls: Sequence[Call]) -> dict[str, Answered]:
        requested = [
            (call.id, call.arguments, self._tools[call.name]) for call in calls if call.arguments
        ]
        return self.working.write(requested)

    def _count(self) -> None:
        refused = self.working.refused
        for call in self._calls:
            if call.status in _REASONS:
                refused[_REASONS[call.status]] += 1
        used = sum(not call.is_error for call in self._calls)
        self.turn.llm.checked(self.prompt.stage, used=used, refused=refused)


def _not_alone(_given: object, _call_id: str) -> object:
    raise AssertionError("a writing tool is carried out with its round")


def _noted(event: CallFinished) -> Iterator[GuideEvent]:
    call = event.call
    arguments = call.arguments.model_dump(mode="json", exclude_none=True) if call.arguments else {}
    status: Any = "failed" if event.is_error else "ok"
    yield Part(tool_call(call.id, call.name, arguments))
    yield Part(tool_result(call.id, call.name, event.result[:STORED_CHARS], status))
