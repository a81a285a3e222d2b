"""The last look at a draft: adjusting it by words, with tools or by the grammar of changes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any, Literal

from django.utils.translation import gettext as _

from chat.guides import GuideEvent, StageDone, Text, Turn
from chat.operations.models import OperationBatch
from futura.errors import FuturaError, ModelUnavailable
from futura.llm.tools import ToolRejected
from projects.agent import others, tools
from projects.agent.closing import told
from projects.agent.create import draft, prompts
from projects.agent.create.reading import Heard, in_words
from projects.agent.create.state import CreateState
from projects.agent.fencing import fence_of
from projects.agent.toolbox import ToolBox
from projects.agent.tooling import worked
from projects.agent.tools import Finalizing
from projects.agent.update.proposing import changes_of, known_of
from projects.language.changes import Ambiguity, ProposedChange, find_changes

TakeIn = Callable[[Heard], Generator[GuideEvent, None, str]]
Did = Generator[GuideEvent, None, bool]
Read = Generator[GuideEvent, None, Literal["changed", "said", "unread"]]


def created_words(batches: Sequence[OperationBatch]) -> str:
    """Tells the new project from the ledger, and how it goes on."""
    return "\n\n".join(
        [
            _("All set, your project is there."),
            told(batches),
            _("From here on, tell me whenever something changes. Is there anything to add?"),
        ]
    )


def by_model(turn: Turn[Any], box: ToolBox) -> Did:
    """What the model makes of a message about the draft; False when it is away and did nothing."""
    try:
        yield from _with_tools(turn, box)
    except ModelUnavailable as error:
        detail = {"fallback": True, "because": error.reason}
        yield StageDone("agent_tools", "rules", detail)
        return bool(box.ledger.applied)
    return True


def _with_tools(turn: Turn[Any], box: ToolBox) -> Generator[GuideEvent, None, None]:
    fence = fence_of(turn)
    specs = [
        *tools.for_draft(),
        tools.finalizing(lambda given, one: _finalize(given, one, turn)),
        tools.asking(_ask_about),
    ]
    picture = box.draft_picture()
    said = yield from worked(
        turn,
        box,
        [*tools.offered(specs, box), *others.tool(turn, fence)],
        instructions=prompts.adjusting_instructions(box.today.isoformat(), fence),
        state=fence.around("draft", in_words(picture)),
        label=_("Adjusting the draft"),
        prompt_version=prompts.TOOLS_VERSION,
        texts=picture.texts,
    )
    if said and box.ledger.applied:
        yield Text("\n\n")


def _ask_about(given: tools.Dimension, box: ToolBox) -> object:
    state: CreateState = box.turn.state
    state.wanted = [given.dimension]
    return "The question is put to the person below your answer; put none yourself."


def _finalize(given: Finalizing, box: ToolBox, turn: Turn[Any]) -> object:
    """Only the draft as the person saw it becomes the project, and never on others' words."""
    if draft.mark_of(box.draft_picture()) != turn.state.previewed:
        raise ToolRejected("The person has not seen the draft as it stands now. Ask them.")
    if turn.state.has_untrusted_text:
        raise ToolRejected("The person has to say yes by themselves, or with the button.")
    applied = draft.finalised(
        box, "finalize", with_suggested=given.create_initial_tasks is not False
    )
    return box.words(applied)


def by_rules(turn: Turn[Any], box: ToolBox, heard: Heard, take_in: TakeIn) -> Read:
    """Carries out what is read as a change; what nothing places is left unread."""
    picture = box.draft_picture()
    found = find_changes(turn.message.text if turn.message else "", known_of(picture), box.today)
    definite = [one for one in found if isinstance(one, ProposedChange)]
    unclear = [one for one in found if isinstance(one, Ambiguity)]
    if definite:
        try:
            made = changes_of(definite, picture)
            box.apply(
                made,
                title=_("Adjusted the draft"),
                tool_call_id="adjust",
                again=lambda: changes_of(definite, box.draft_picture()),
            )
        except FuturaError as error:
            yield Text(_("That did not work: %(why)s") % {"why": error})
            return "said"
        yield from box.ledger.parts(turn)
    elif not unclear and (heard.dimensions or heard.tasks):
        failure = yield from take_in(heard)
        if failure:
            yield Text(failure)
            return "said"
        return "changed"
    if unclear:
        yield Text(unclear[0].question)
        return "said"
    return "changed" if definite else "unread"
