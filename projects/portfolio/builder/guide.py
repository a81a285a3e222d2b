"""The guide of conversations about an entry: a turn with tools, or basic mode."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from chat.assistant.cards import ledger_part
from chat.assistant.delimiter import Delimiter, delimiter_of
from chat.assistant.provenance import careful, carried_texts
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
from projects.portfolio.blocks import SentenceSource, standing_sources
from projects.portfolio.builder import basic, from_project
from projects.portfolio.builder.context import BuilderState, EntryContext, Phase, note_drafts
from projects.portfolio.builder.drafting import Generate, Regenerate, differences
from projects.portfolio.builder.toolset import toolset
from projects.portfolio.commands.story import RewriteEntry, TellEntry
from projects.portfolio.entries.publishing import check
from projects.portfolio.models import Entry
from projects.portfolio.queries import BUILDER

STAGE: Final = "portfolio_builder"
OPENING: Final = "portfolio_builder_opening"
VERSION: Final = "portfolio-builder-2"
Events = Iterator[GuideEvent]


class BuilderGuide(Guide[BuilderState]):
    """With a model it leads the talk; without one, or when it fails, basic mode asks."""

    kind = BUILDER
    state_model = BuilderState

    def respond(self, turn: Turn[BuilderState]) -> Events:
        context = EntryContext.of(turn)
        if context is None:
            yield Text(_("The entry of this conversation was deleted. Undo restores it."))
            yield Part(ledger_part(turn.run_id))
            return
        if turn.message is None:
            yield StageStarted(OPENING, _("Reading the entry"))
            yield from _opening(turn, context)
            yield StageDone(OPENING, "rules", {})
        else:
            turn.state.turns += 1
            yield from _answer(careful(turn), turn.message, context)
        turn.state.phase = _phase_of(context.fresh_entry(), turn.state)
        yield StateChanged(BUILDER)


def _opening(turn: Turn[BuilderState], context: EntryContext) -> Events:
    """The first question, or the draft that the records of a project make."""
    project = context.project()
    details = from_project.read(project) if project and not context.entry.blocks else []
    if project is None or not details:
        yield Text(basic.opening(context.entry, turn.state))
        return
    draft = from_project.draft(project, context.entry, details)
    written = basic.carried_out(turn, context, draft)
    draft_part = {"project": str(project.pk), **_draft_part(written, context)}
    yield _sourced(project.name, _sources_of(draft), draft_part)
    yield Text(
        _(
            "This is a first draft from your project. Each sentence shows its source, or that it "
            "has none. Nothing changes until you use the draft."
        )
    )
    yield Part(ledger_part(turn.run_id))


def _answer(turn: Turn[BuilderState], message: Utterance, context: EntryContext) -> Events:
    if not turn.llm.is_configured:
        yield from basic.answer(turn, message, context)
        return
    invoked = [str(part.get("tool")) for part in message.parts if part.get("type") == "invoke"]
    delimiter = delimiter_of(turn)
    records = {**context.records(), **dict(carried_texts(message))}
    if invoked:
        records["asked for"] = f"Call {', '.join(invoked)} now."
    prompt = Prompt(
        stage=STAGE,
        label=_("Reading"),
        instructions=_instructions(delimiter),
        records=delimiter.blocks(records.items()),
        version=VERSION,
    )
    assistant = AssistantTurn(turn, toolset(context), prompt)
    context.note_seen(assistant.working, context.text_chars)
    try:
        yield from assistant.events()
    except ModelUnavailable:
        note_drafts(assistant.working)
        if assistant.has_begun:
            raise
        yield from basic.answer(turn, message, context)
        return
    turn.state.open = ""
    note_drafts(assistant.working)
    if assistant.has_drafted and not _has_draft(assistant.working):
        yield Text(f"\n\n{_lost(assistant.working)}")
    yield from _result_parts(assistant.working, context)


def _has_draft(working: Working) -> bool:
    """Whether a draft came through, if only to find that the entry reads like that already."""
    commands = (written.command for written in working.written if not written.error)
    return any(isinstance(command, RewriteEntry) for command in commands)


def _lost(working: Working) -> str:
    """Why no draft of the answer came through: what the last of them was refused for."""
    errors = [
        item.error for item in working.written if isinstance(item.arguments, Generate | Regenerate)
    ]
    reason = errors[-1] if errors else _("It did not have the form of a draft.")
    text = _(
        "The draft was not saved, because it did not pass a check. %(reason)s Ask for it once more."
    )
    return text % {"reason": reason}


def _result_parts(working: Working, context: EntryContext) -> Events:
    """What is to be seen under the answer: what the sentences of a draft stand on, questions.

    What was told of each section is noted in the state.
    """
    sections: dict[str, str] = working.turn.state.told
    for written in working.written:
        command, sources = written.command, list[SentenceSource]()
        if isinstance(command, RewriteEntry) and written.operations:
            sources = _sources_of(command)
        elif isinstance(command, TellEntry) and written.operations:
            for item in command.story:
                sections[item.section] = f"{sections.get(item.section, '')} {item.text}".strip()[
                    -2_000:
                ]
                sources += [source for source in item.sources if not source.is_supported]
        draft = _draft_part(written, context)
        if sources or draft:
            yield _sourced(context.entry.title, sources, draft)
    yield from (act for act in working.acts if isinstance(act, Part))


def _sources_of(draft: RewriteEntry) -> list[SentenceSource]:
    blocks = [block.model_dump(mode="json") for block in draft.blocks or draft.texts]
    return [source for block in blocks for source in standing_sources(block)]


def _sourced(title: str, sources: Sequence[SentenceSource], draft: Mapping[str, Any]) -> Part:
    """The list of what sentences stand on, and a draft beside it."""
    sentences = [
        {"text": source.sentence, "is_supported": source.is_supported,
         **source.model_dump(exclude={"sentence"})}
        for source in sources
    ]  # fmt: skip
    return Part({"type": "sourced", "quiet": True, "title": title, "sentences": sentences, **draft})


def _draft_part(written: Written, context: EntryContext) -> dict[str, Any]:
    """What a card shows of a draft that waits; nothing for other commands."""
    command = written.command
    if not isinstance(command, RewriteEntry) or not written.is_waiting or not written.operations:
        return {}
    texts = differences(context.fresh_entry(), command)
    return {"draft": {"batch": str(written.operations[0].batch_id), "texts": texts}}


def _phase_of(entry: Entry, state: BuilderState) -> Phase:
    """Where the work stands, by the entry itself."""
    if entry.status == Entry.Status.PUBLISHED:
        return Phase.PUBLISHED
    if not check(entry):
        return Phase.READY
    return Phase.INTERVIEW if state.open or not entry.blocks else Phase.DRAFT


def _instructions(delimiter: Delimiter) -> str:
    """How to interview and edit. The entry as it stands follows as records."""
    return (
        "You are the interviewer and editor of Futura's portfolios. Together with its owner you "
        "put one piece of work on a page: you ask one short question at a time, write down what "
        "is told, and change what they want changed. The records show the entry as it stands at "
        "this moment, its pictures, and its owner; nothing else exists.\n"
        "When the person tells about the work, write it down with extractProjectData, in their "
        "words, and give each sentence the quote it stands on. When they want something changed, "
        "change exactly that: a field with updateField, blocks by their ids with "
        "updateDescriptionBlocks, pictures with reorderImages and describeImages. A wish is no "
        "story: never write down what they ask of you.\n"
        "For another wording, a new text or a layout use regenerateSection, "
        "generatePortfolioContent or composePortfolioLayout: they make a draft that the person "
        "looks over. Call useDraft only after they agreed to it; when they agree to a part or "
        "want it otherwise, make another draft or change just that part. In a draft write in the "
        "owner's first person, plain and concrete, without praise; a sentence that nothing in the "
        "records or the conversation bears out gets no quote and is shown as unsupported.\n"
        "Every picture needs an alternative text: lookAtPictures proposes them by seeing the "
        "pictures; else describe only what you were told. Before publishing look at "
        "validateForPublish; publishEntry only when they ask for it.\n"
        "Then say in two or three sentences what is different now, only what the results of the "
        "tools show; what waits for the person has not been done. Ask the next question, unless "
        "they want none. Answer in the language of the person's last message.\n"
        f"{delimiter.rule}"
    )
