"""Lets the model work with tools for one turn: what it says is passed on, what it did is noted."""

from __future__ import annotations

import uuid
from collections.abc import Generator, Mapping, Sequence
from typing import Any

from chat.guides import GuideEvent, Part, StageDone, StageStarted, Text, Turn
from chat.memory.assemble import assemble
from chat.memory.parts import tool_call, tool_result
from futura.llm.tools import CallFinished, TextDelta, Tool, run_all
from projects.agent.toolbox import ToolBox

STAGE = "agent_tools"
BUDGET = 24_000


def worked(
    turn: Turn[Any],
    box: ToolBox,
    tools: Sequence[Tool[Any]],
    *,
    instructions: str,
    state: str,
    label: str,
    prompt_version: str,
    texts: Mapping[tuple[uuid.UUID, str], str],
) -> Generator[GuideEvent, None, str]:
    """One question to the model, with tools; gives what was said.

    Every change is noted with the message as it happens. `texts` are the long ones that the state
    shows, by row and field: those that stand whole in the prompt may be replaced. Raises
    ModelUnavailable.
    """
    yield StageStarted(STAGE, label)
    said, calls = "", 0
    messages = assemble(turn.context, instructions=instructions, state=state, budget=BUDGET)
    prompt = "\n".join(str(one["content"]) for one in messages)
    for (row_id, name), text in texts.items():
        if text.strip() in prompt:
            box.has_seen(row_id, name, text)
    stream = turn.llm.run_tools(STAGE, messages, tools, run_all, prompt_version=prompt_version)
    for event in stream:
        if isinstance(event, TextDelta):
            said += event.text
            yield Text(event.text)
        elif isinstance(event, CallFinished):
            calls += 1
            yield from _noted(event)
            yield from box.ledger.parts(turn)
    yield StageDone(STAGE, "model", {"calls": calls})
    return said


def _noted(event: CallFinished) -> Generator[GuideEvent, None, None]:
    """The call and its result as the next turn's prompt will know them."""
    call = event.call
    arguments = call.arguments.model_dump(mode="json", exclude_none=True) if call.arguments else {}
    status = "failed" if event.is_error else "ok"
    yield Part(tool_call(call.id, call.name, arguments))
    yield Part(tool_result(call.id, call.name, event.result[:2_000], status))  # type: ignore[arg-type]
