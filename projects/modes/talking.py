"""Talking about a project with an assistant that only reads: shared by audit and forecast."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from chat.assistant import provenance
from chat.assistant.toolset import Acting, Toolset
from chat.assistant.turn import AssistantTurn, Prompt
from chat.commands.scope import OwnScope
from chat.guides import GuideEvent, Turn
from futura.errors import ModelUnavailable
from projects.modes.rows import ProjectRows
from projects.modes.tools import reading_tools

STAGE: Final = "agent_tools"


def answer_with_tools(
    turn: Turn[Any],
    rows: ProjectRows,
    *,
    instructions: str,
    state: str,
    version: str,
    acts: Sequence[Acting] = (),
) -> Generator[GuideEvent, None, bool]:
    """The model's answer, letter by letter; False where none came before a word was said.

    It may read with the tools of `projects.modes.tools` and call `acts`, which change no
    row of the project. Raises ModelUnavailable when an answer breaks off after its first words.
    """
    toolset = Toolset(
        tools=(*reading_tools(rows), *acts),
        scope=lambda: OwnScope.of_actor(rows.actor),
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
