"""Talking about a project with an assistant that only reads: shared by audit and forecast."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from chat.assistant import provenance
from chat.assistant.toolset import Acting, Reading, Toolset
from chat.assistant.turn import AssistantTurn, Prompt
from chat.assistant.working import Working
from chat.commands.scope import OwnScope
from chat.guides import GuideEvent, Turn
from futura.errors import ModelUnavailable
from projects.agent import tools
from projects.agent.toolbox import ToolBox

STAGE: Final = "agent_tools"


def answer_with_tools(
    turn: Turn[Any],
    box: ToolBox,
    *,
    instructions: str,
    state: str,
    version: str,
    acts: Sequence[Acting] = (),
) -> Generator[GuideEvent, None, bool]:
    """The model's answer, letter by letter; False where none came before a word was said.

    It may read with the tools of `projects.agent.tools.readers` and call `acts`, which change no
    row of the project. Raises ModelUnavailable when an answer breaks off after its first words.
    """
    toolset = Toolset(
        tools=(*(_reading(one, box) for one in tools.readers()), *acts),
        scope=lambda: OwnScope.of_actor(box.actor),
    )
    prompt = Prompt(STAGE, _("Thinking it over"), instructions, state, version)
    assistant = AssistantTurn(provenance.careful(turn), toolset, prompt)
    try:
        yield from assistant.events()
    except ModelUnavailable:
        if assistant.has_begun:
            raise
        return False
    return bool(assistant.text.strip())


def _reading(spec: tools.Spec, box: ToolBox) -> Reading:
    def read(given: Any, _working: Working) -> object:
        return spec.function(given, box)

    return Reading(spec.name, spec.description, spec.arguments, read)
