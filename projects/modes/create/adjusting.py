"""Changes of a draft that are asked for in words: the model carries them out with tools."""

from __future__ import annotations

from collections.abc import Generator
from typing import Final

from django.utils.translation import gettext as _

from chat.assistant.delimiter import delimiter_of
from chat.assistant.provenance import carried_texts
from chat.assistant.turn import AssistantTurn, Prompt
from chat.guides import GuideEvent
from futura.errors import ModelUnavailable
from projects.commands.texts import LONG
from projects.modes.create import draft, prompts
from projects.modes.create.reading import draft_text
from projects.modes.create.toolset import toolset
from projects.modes.rows import ProjectRows

STAGE: Final = "agent_tools"
WHOLE_CHARS: Final = 40_000  # of a draft that surely stands whole in the prompt


def adjusted(rows: ProjectRows, *, is_preview: bool) -> Generator[GuideEvent, None, bool]:
    """What the model makes of a message about the draft; False when it is away and did nothing.

    Only with `is_preview` it may create the project, and only from the draft that was shown.
    Raises ModelUnavailable when it breaks off after its first words or changes.
    """
    turn, delimiter = rows.turn, delimiter_of(rows.turn)
    snapshot = rows.draft_snapshot()
    files = carried_texts(turn.message) if turn.message else []
    records = [("draft", draft_text(snapshot)), *files]
    prompt = Prompt(
        stage=STAGE,
        label=_("Adjusting the draft"),
        instructions=prompts.adjusting_instructions(
            rows.today.isoformat(), delimiter, is_preview=is_preview
        ),
        records=delimiter.blocks(records),
        version=prompts.TOOLS_VERSION,
    )
    assistant = AssistantTurn(turn, toolset(rows, is_preview=is_preview), prompt)
    if len(prompt.records) <= WHOLE_CHARS:
        for name in LONG:
            assistant.working.has_seen(snapshot.row.pk, name, getattr(snapshot.row, name))
    try:
        yield from assistant.events()
    except ModelUnavailable:
        if assistant.has_begun:
            raise
        return False
    draft.remember_project(rows, assistant.working.written)
    return True
