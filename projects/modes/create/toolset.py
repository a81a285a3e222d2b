"""Changes of a draft that are asked for in words: the tools, and the turn that uses them."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Final

from django.utils.translation import gettext as _
from pydantic import BaseModel

from chat.assistant import undo
from chat.assistant.delimiter import delimiter_of
from chat.assistant.provenance import carried_texts
from chat.assistant.toolset import Acting, Toolset, Writing, first_paragraph, writing
from chat.assistant.turn import AssistantTurn, Prompt
from chat.assistant.working import Working
from chat.commands.base import Command
from chat.guides import GuideEvent
from futura.errors import ModelUnavailable
from projects.commands.drafts import (
    ChangeDraft,
    ChangeDraftTasks,
    CreateDraftTasks,
    DeleteDraftTasks,
    FinaliseDraft,
)
from projects.commands.texts import LONG
from projects.dimensions import DimensionName
from projects.modes.create import draft, prompts
from projects.modes.create.draft import draft_text, mark_of
from projects.modes.rows import ProjectRows
from projects.modes.state import CreateState
from projects.toolset import guard, read_draft

WRITING: Final[tuple[type[Command], ...]] = (
    ChangeDraft, CreateDraftTasks, ChangeDraftTasks, DeleteDraftTasks,
)  # fmt: skip
UNSEEN: Final = (
    "Not created: the person has not seen the draft as it stands now. It is shown again below your "
    "answer; ask them."
)
OF_OTHERS: Final = "Not created: the person has to agree by themselves, or with the button."


class AskAbout(BaseModel):
    """Has a question on one dimension put to the person, when they want to be asked about it."""

    dimension: DimensionName


def toolset(rows: ProjectRows, *, is_preview: bool) -> Toolset:
    """The tools of one turn; the project can be made where the draft was shown for that."""
    state: CreateState = rows.turn.state

    def ask(given: AskAbout, _working: Working, _call_id: str) -> str:
        state.requested = [given.dimension]
        return "The question is put to the person below your answer; put none yourself."

    tools: list[Any] = [
        *(writing(kind) for kind in WRITING),
        read_draft(),
        Acting("ask_about", first_paragraph(AskAbout), AskAbout, ask),
        undo.tool(),
    ]
    if is_preview:
        about = "Makes the project of the draft, only right after the person agreed to it as it is."
        tools.append(Writing(FinaliseDraft.name, about, FinaliseDraft, lambda given, _w: given))
    return Toolset(tools, rows.scope, _Guards(rows))


class _Guards:
    """Why a command is refused now. Whatever was changed in the turn has to be shown first."""

    def __init__(self, rows: ProjectRows) -> None:
        self.rows = rows
        self.has_changed = False

    def __call__(self, command: Command, working: Working) -> str:
        if not isinstance(command, FinaliseDraft):
            self.has_changed = True
            return guard(command, working)
        state: CreateState = self.rows.turn.state
        snapshot = self.rows.draft_snapshot()
        is_shown = not self.has_changed and mark_of(snapshot) == state.previewed
        if command.id != snapshot.row.pk or not is_shown:
            return UNSEEN
        if working.is_tainted:
            return OF_OTHERS
        working.is_confirmed = True  # the preview was the review (DECISIONS 27)
        return ""


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
        label=_("Editing the draft"),
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
