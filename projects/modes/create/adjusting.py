"""Changes of a draft that are asked for in words: the model carries them out with tools."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from django.utils.translation import gettext as _

from chat.assistant import provenance
from chat.assistant.delimiter import delimiter_of
from chat.assistant.provenance import carried_texts
from chat.guides import GuideEvent, StageDone, Turn
from futura.errors import ModelUnavailable
from futura.llm.tools import ToolRejected
from projects.agent import tools
from projects.agent.toolbox import ToolBox
from projects.agent.tooling import worked
from projects.agent.tools import Finalizing
from projects.modes.create import draft, prompts
from projects.modes.create.reading import draft_text


def adjusted(
    turn: Turn[Any], box: ToolBox, *, is_preview: bool
) -> Generator[GuideEvent, None, bool]:
    """What the model makes of a message about the draft; False when it is away and did nothing.

    Only with `is_preview` it may create the project, and only from the draft that was shown.
    """
    try:
        yield from _worked(turn, box, is_preview=is_preview)
    except ModelUnavailable as error:
        detail = {"fallback": True, "because": error.reason}
        yield StageDone("agent_tools", "rules", detail)
        return bool(box.ledger.applied)
    return True


def _worked(
    turn: Turn[Any], box: ToolBox, *, is_preview: bool
) -> Generator[GuideEvent, None, None]:
    delimiter = delimiter_of(turn)
    specs = [*tools.for_draft(), tools.asking(_ask_about)]
    if is_preview:
        specs.append(tools.finalizing(lambda given, own: _finalize(given, own, turn)))
    snapshot = box.draft_snapshot()
    files = carried_texts(turn.message) if turn.message else []
    yield from worked(
        turn,
        box,
        [*tools.offered(specs, box), *provenance.tool(turn, delimiter)],
        instructions=prompts.adjusting_instructions(
            box.today.isoformat(), delimiter, is_preview=is_preview
        ),
        state=delimiter.blocks([("draft", draft_text(snapshot)), *files]),
        label=_("Adjusting the draft"),
        prompt_version=prompts.TOOLS_VERSION,
        texts=snapshot.texts,
    )


def _ask_about(given: tools.Dimension, box: ToolBox) -> object:
    box.turn.state.requested = [given.dimension]
    return "The question is put to the person below your answer; put none yourself."


def _finalize(given: Finalizing, box: ToolBox, turn: Turn[Any]) -> object:
    """Only the draft as the person saw it becomes the project, and never on others' words."""
    if draft.mark_of(box.draft_snapshot()) != turn.state.previewed:
        raise ToolRejected("The person has not seen the draft as it stands now. Ask them.")
    if turn.state.has_untrusted_text:
        raise ToolRejected("The person has to agree by themselves, or with the button.")
    applied = draft.finalised(
        box, "finalize", with_suggested=given.create_initial_tasks is not False
    )
    return box.words(applied)
