"""The guide of conversations about an entry: a turn with tools, or basic mode."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from chat.assistant.cards import ledger_part
from chat.assistant.delimiter import delimiter_of
from chat.assistant.provenance import careful, carried_texts
from chat.assistant.toolset import Toolset, Writing
from chat.assistant.turn import AssistantTurn, Prompt
from chat.assistant.working import Working, Written
from chat.guides import (
    Guide,
    GuideEvent,
    Part,
    StageDone,
    StageStarted,
    StateChanged,
    Text,
    Turn,
    Utterance,
)
from futura.errors import ModelUnavailable
from projects.portfolio.blocks import SentenceSource
from projects.portfolio.builder import basic, briefing, calls, from_project, prompts, vision
from projects.portfolio.builder.context import EntryContext
from projects.portfolio.builder.drafting import differences, marked
from projects.portfolio.builder.state import KIND, BuilderState, Phase
from projects.portfolio.builder.toolset import Shown, looking, toolset
from projects.portfolio.builder.waiting import note_drafts
from projects.portfolio.commands.story import RewriteEntry, TellEntry
from projects.portfolio.entries.publishing import check
from projects.portfolio.models import Entry

STAGE = "portfolio_builder"
OPENING = "portfolio_builder_opening"


class BuilderGuide(Guide[BuilderState]):
    """With a model it leads the talk; without one, or when it fails, basic mode asks."""

    kind = KIND
    state_model = BuilderState

    def respond(self, turn: Turn[BuilderState]) -> Iterator[GuideEvent]:
        """The opening, or the answer to a message."""
        context = EntryContext.of(turn)
        if context is None:
            yield Text(_("The entry of this conversation was deleted. Undo brings it back."))
            yield Part(ledger_part(turn.run_id))
            return
        if turn.message is None:
            yield from _opening(turn, context)
        else:
            turn.state.turns += 1
            yield from _answer(careful(turn), turn.message, context)
        turn.state.phase = phase_of(context.fresh_entry(), turn.state)
        yield StateChanged(KIND)


def _opening(turn: Turn[BuilderState], context: EntryContext) -> Iterator[GuideEvent]:
    yield StageStarted(OPENING, _("Reading the entry"))
    project = context.project()
    told = from_project.read(project) if project and not context.entry.blocks else []
    if project is not None and told:
        working = Working(turn, Toolset((), context.scope))
        command = from_project.draft(project, context.entry, told)
        tool = Writing("draft", "", calls.Nothing, lambda _given, _working: command)
        working.write([(f"opening-{turn.run_id}", calls.Nothing(), tool)])
        note_drafts(working)
        sentences = [
            {"text": one.text, "label": one.label, "url": one.url, "is_supported": True}
            for one in told
        ]
        draft = draft_part(working.written[-1], context)
        yield Part({"type": "sourced", "quiet": True, "title": project.name,
                    "project": str(project.pk), "sentences": sentences, **draft})  # fmt: skip
        yield Text(
            _(
                "This is a first draft from your project. Each sentence shows where it comes "
                "from, and nothing is changed before you use it."
            )
        )
        yield Part(ledger_part(turn.run_id))
    else:
        yield Text(basic.opening(context.entry, turn.state))
    yield StageDone(OPENING, "rules", {})


def _answer(
    turn: Turn[BuilderState], message: Utterance, context: EntryContext
) -> Iterator[GuideEvent]:
    if not turn.llm.is_configured:
        yield from basic.answer(turn, message, context)
        return
    if "lookAtPictures" in _invoked(message).get("asked for", ""):
        yield from _look(turn, context)
        return
    delimiter = delimiter_of(turn)
    named = {**briefing.records(context), **dict(carried_texts(message)), **_invoked(message)}
    prompt = Prompt(
        stage=STAGE,
        label=_("Reading"),
        instructions=prompts.instructions(delimiter),
        records=prompts.records(named, delimiter),
        version=prompts.VERSION,
    )
    assistant = AssistantTurn(turn, toolset(context), prompt)
    briefing.note_seen(context, assistant.working)
    try:
        yield from assistant.events()
    except ModelUnavailable:
        note_drafts(assistant.working)
        if assistant.has_begun:
            raise
        yield from basic.answer(turn, message, context)
        return
    turn.state.open = ""
    _note_told(assistant.working, turn.state)
    note_drafts(assistant.working)
    yield from _shown(assistant.working, context)


def _look(turn: Turn[BuilderState], context: EntryContext) -> Iterator[GuideEvent]:
    """The button of the page of pictures: the model that sees is asked, and no other."""
    yield StageStarted(vision.STAGE, _("Looking at the pictures"))
    working = Working(turn, Toolset((), context.scope))
    working.write([(f"look-{turn.run_id}", calls.Nothing(), looking(context))])
    written = working.written[-1]
    if written.error:
        yield Text(written.error)
    elif written.operations:
        yield Text(_("This is what I see. Use what is right; nothing is changed until you do."))
    else:
        yield Text(_("I looked at them and would leave everything as it is."))
    yield StageDone(vision.STAGE, "model", {})
    yield Part(ledger_part(turn.run_id))


def _invoked(message: Utterance) -> dict[str, str]:
    """A tool that a program asked for by name, beside the message."""
    names = [str(part.get("tool")) for part in message.parts if part.get("type") == "invoke"]
    return {"asked for": f"Call {', '.join(names)} now."} if names else {}


def _note_told(working: Working, state: BuilderState) -> None:
    """What was told of each section."""
    for written in working.written:
        if isinstance(written.command, TellEntry) and written.operations:
            for one in written.command.story:
                standing = state.told.get(one.section, "")
                state.told[one.section] = f"{standing} {one.text}".strip()[-2_000:]


def _shown(working: Working, context: EntryContext) -> Iterator[GuideEvent]:
    """What is to be seen under the answer: what the sentences of a draft stand on, questions."""
    for written in working.written:
        command, sources = written.command, list[SentenceSource]()
        if isinstance(command, RewriteEntry) and command.is_draft and written.operations:
            sources = marked([one.model_dump(mode="json") for one in command.blocks or ()])
        elif isinstance(command, TellEntry) and written.operations:
            told = marked([one.stored() for one in command.story])
            sources = [one for one in told if not one.is_supported]
        draft = draft_part(written, context)
        if sources or draft:
            yield Part({"type": "sourced", "quiet": True, "title": context.entry.title,
                        "sentences": [_mark(one) for one in sources], **draft})  # fmt: skip
    yield from (Part(one.part) for one in working.acts if isinstance(one, Shown))


def draft_part(written: Written, context: EntryContext) -> dict[str, Any]:
    """What a card shows of a draft that waits; nothing for other commands."""
    command = written.command
    if not isinstance(command, RewriteEntry) or not written.is_waiting or not written.operations:
        return {}
    texts = differences(context.fresh_entry(), command)
    return {"draft": {"batch": str(written.operations[0].batch_id), "texts": texts}}


def _mark(source: SentenceSource) -> dict[str, object]:
    """As the answer shows it."""
    found = source.model_dump(include={"quote", "label", "url", "message"})
    return {"text": source.sentence, "is_supported": source.is_supported, **found}


def phase_of(entry: Entry, state: BuilderState) -> Phase:
    """Where the work stands, by the entry itself."""
    if entry.status == Entry.Status.PUBLISHED:
        return Phase.PUBLISHED
    if not check(entry):
        return Phase.READY
    return Phase.INTERVIEW if state.open or not entry.blocks else Phase.DRAFT
