"""Talking about a project with tools that only read: shared by audit and forecast."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from django.utils.translation import gettext as _

from chat.guides import GuideEvent, StageDone, StageStarted, Text, Turn
from chat.memory import assemble
from futura.errors import ModelUnavailable
from futura.llm.tools import TextDelta, Tool, run_all
from projects.agent import tools
from projects.agent.toolbox import ToolBox

STAGE = "agent_tools"


def answer_with_tools(
    turn: Turn[Any],
    box: ToolBox,
    *,
    instructions: str,
    state: str,
    version: str,
    more: Sequence[Tool[Any]] = (),
) -> Generator[GuideEvent, None, bool]:
    """The model's answer, letter by letter; False where none came before a word was said.

    It may read with the tools of `projects.agent.tools.readers` and call those in `more`. Raises
    ModelUnavailable when an answer breaks off after its first words.
    """
    yield StageStarted(STAGE, _("Thinking it over"))
    messages = assemble(turn.context, instructions=instructions, state=state)
    offered = [*tools.offered(tools.readers(), box), *more]
    has_text = False
    try:
        for event in turn.llm.run_tools(STAGE, messages, offered, run_all, prompt_version=version):
            if isinstance(event, TextDelta) and event.text:
                has_text = True
                yield Text(event.text)
    except ModelUnavailable as error:
        if has_text:
            raise
        yield StageDone(STAGE, "rules", {"fallback": True, "because": error.reason})
        return False
    yield StageDone(STAGE, "model")
    return has_text
