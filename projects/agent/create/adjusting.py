"""The last look at a draft: adjusting it by words, with tools or by the grammar of changes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from chat.guides import GuideEvent, StageDone, Text, Turn
from chat.operations.models import OperationBatch
from futura.errors import FuturaError, ModelUnavailable
from futura.llm.tools import ToolRejected
from projects.agent import others, tools
from projects.agent.closing import told
from projects.agent.create import draft, prompts, replies
from projects.agent.create.reading import Heard, in_words
from projects.agent.fencing import fence_of
from projects.agent.toolbox import ToolBox
from projects.agent.tooling import worked
from projects.agent.tools import Finalizing
from projects.agent.update.proposing import changes_of, known_of
from projects.language import answers
from projects.language.changes import Ambiguity, ProposedChange, find_changes

ENOUGH_WORDS: Final = 4
TakeIn = Callable[[Heard], Generator[GuideEvent, None, str]]
Did = Generator[GuideEvent, None, bool]


def created_words(batches: Sequence[OperationBatch]) -> str:
    """Tells the new project from the ledger, and how it goes on."""
    return "\n\n".join(
        [
            _("All set, your project is there."),
            told(batches),
            _("From here on, tell me whenever something changes. Is there anything to add?"),
        ]
    )


def adjusted(turn: Turn[Any], box: ToolBox, heard: Heard, take_in: TakeIn) -> Did:
    """Carries out what shall be different; whether the draft was touched."""
    if turn.llm.is_configured:
        try:
            yield from _with_tools(turn, box)
        except ModelUnavailable as error:
            detail = {"fallback": True, "because": error.reason}
            yield StageDone("agent_tools", "rules", detail)
        else:
            return bool(box.ledger.applied)
        if box.ledger.applied:
            return True
    did = yield from _by_rules(turn, box, heard, take_in)
    return did


def _with_tools(turn: Turn[Any], box: ToolBox) -> Generator[GuideEvent, None, None]:
    fence = fence_of(turn)
    specs = [*tools.for_draft(), tools.finalizing(lambda given, one: _finalize(given, one, turn))]
    said = yield from worked(
        turn,
        box,
        [*tools.offered(specs, box), *others.tool(turn, fence)],
        instructions=prompts.adjusting_instructions(box.today.isoformat(), fence),
        state=fence.around("draft", in_words(box.draft_picture())),
        label=_("Adjusting the draft"),
        prompt_version=prompts.TOOLS_VERSION,
    )
    if said and box.ledger.applied:
        yield Text("\n\n")


def _finalize(given: Finalizing, box: ToolBox, turn: Turn[Any]) -> object:
    """Only the person's own yes to the preview that they saw makes the project."""
    message = turn.message.text if turn.message else ""
    seen = draft.mark_of(box.draft_picture()) == turn.state.previewed
    if not (answers.is_yes(message) or answers.wants_to_finish(message)) or not seen:
        raise ToolRejected("The person has not said yes to the draft as it stands. Ask them.")
    applied = draft.finalised(
        box, "finalize", with_suggested=given.create_initial_tasks is not False
    )
    return box.words(applied)


def _by_rules(turn: Turn[Any], box: ToolBox, heard: Heard, take_in: TakeIn) -> Did:
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
            return False
        yield from box.ledger.parts(turn)
    elif not unclear and (heard.dimensions or heard.tasks or _says_more(heard)):
        failure = yield from take_in(heard)
        if failure:
            yield Text(failure)
            return False
        return True
    if unclear:
        yield Text(unclear[0].question)
        return False
    if not definite:
        yield Text(replies.adjusting(f"{turn.session_id}:{turn.state.turns}"))
    return bool(definite)


def _says_more(heard: Heard) -> bool:
    """Whether what fits under no dimension is worth keeping."""
    return len(heard.rest.split()) >= ENOUGH_WORDS and not heard.rest.rstrip().endswith("?")
