"""The builder's tools: commands on the entry of the conversation, readings, drafts, undo."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from django.utils.translation import gettext as _

from chat.assistant import undo
from chat.assistant.toolset import (
    RESULT_CHARS,
    Acting,
    AnyTool,
    Reading,
    Toolset,
    Writing,
    first_paragraph,
)
from chat.assistant.working import Working
from chat.commands.base import Command, build
from chat.guides import Part
from futura.llm.tools import ToolRejected
from projects.portfolio.blocks import identified
from projects.portfolio.builder import drafting, vision
from projects.portfolio.builder.context import (
    LISTS,
    LONG,
    TEXT_CHARS,
    WHOLE,
    EntryContext,
    draft_command,
    drop_draft,
    entry_text,
)
from projects.portfolio.commands.entries import ChangeEntry, PublishEntry, UnpublishEntry
from projects.portfolio.commands.images import ArrangeImages, DescribeImages
from projects.portfolio.commands.story import (
    ChangeBlocks,
    Paragraph,
    RewriteEntry,
    SetBlock,
    TellEntry,
)
from projects.portfolio.entries.publishing import check

DRAFT: Final = "the person looks it over first."
NO_TEXT: Final = "There is no such text, or it is empty."


def toolset(context: EntryContext) -> Toolset:
    """The tools of one turn; all of them, always."""
    tools: list[AnyTool] = [
        Writing("extractProjectData", "Writes down what the last message says about the work, with "
                "the quote each sentence stands on.", drafting.Extract, partial(_tell, context)),
        Writing("updateField", "Changes one field: title, summary, description, dates, tags, …",
                drafting.UpdateField, partial(_field, context)),
        _command("updateDescriptionBlocks", ChangeBlocks, context),
        Writing("generatePortfolioContent", f"Drafts the whole text anew; {DRAFT}",
                drafting.Generate, partial(_whole, context), drafting.sketch_of),
        Writing("regenerateSection", "Drafts another wording of one short text or one text block; "
                f"{DRAFT}", drafting.Regenerate, partial(_section, context), drafting.sketch_of),
        Writing("composePortfolioLayout", f"Drafts another order of blocks and pictures; {DRAFT}",
                drafting.Compose, partial(_layout, context)),
        Writing("useDraft", "Uses the draft that waits, after the person has agreed to it.",
                drafting.Nothing, lambda _given, _working: draft_command(context)),
        Acting("dropDraft", "Drops the draft that waits, when the person does not want it.",
               drafting.Nothing, lambda _given, _working, _call: drop_draft(context.turn)),
        _command("reorderImages", ArrangeImages, context),
        Writing("describeImages", "Gives pictures their alternative texts or captions.",
                DescribeImages, partial(_describe, context)),
        Writing("lookAtPictures", "Looks at twelve pictures, first those without alternative text, "
                "the next ones when it is called again, and proposes texts, captions, the hero, "
                f"before and after; {DRAFT}",
                drafting.Nothing, lambda _given, working: vision.proposal(context, working)),
        Writing("publishEntry", "Publishes the entry or takes it offline; the person has to "
                "approve it.", drafting.Publish, lambda arguments, _working: (
                    PublishEntry if arguments.public else UnpublishEntry)(id=context.entry.pk)),
        Reading("readEntry", "Shows the texts of the entry whole, or one text of the records.",
                drafting.ReadEntry, lambda arguments, working: _read_texts(
                    context.renewed(), working, arguments.only or "")),
        Reading("validateForPublish", "The check before publishing: each rule that fails.",
                drafting.Nothing, lambda _given, _working: _failed(context)),
        Reading("checkPublishReady", "The entry as a visitor reads it, with the rules that fail, "
                "for advice.", drafting.Nothing, lambda _given, working: "\n".join(
                    (_failed(context), _read_texts(context.renewed(), working)))),
        _showing("requestClarification", "Shows one short question with answers to tap.",
                 drafting.Clarify, lambda arguments: {"type": "clarify", **arguments.model_dump()}),
        _showing("promptForImages", "Shows the field for uploading pictures in the conversation.",
                 drafting.AskForImages, lambda arguments: images_part(context, arguments.why)),
        _showing("showPortfolioPreview", "Shows the preview of the page as it stands.",
                 drafting.Nothing, lambda _given: {"type": "preview", **_place(context)}),
        Acting("suggestQuickActions", "Chooses which next steps to offer as buttons.",
               drafting.QuickActions, _hinted),
        undo.tool("undoLast"),
    ]  # fmt: skip
    return Toolset(tools, context.scope, partial(_refusal, context))


def _command(name: str, kind: type[Command], context: EntryContext) -> Writing:
    """A command on the entry as a tool, as it stands."""
    schema = drafting.of_command(kind)
    fields = [*schema.model_fields]

    def command(arguments: Any, _working: Working) -> Command:
        values = {field: getattr(arguments, field) for field in fields}
        return build(kind, values, id=context.entry.pk)

    return Writing(name, first_paragraph(kind), schema, command)


def _showing(
    name: str, about: str, kind: type[drafting.Arguments], part: Callable[[Any], Mapping[str, Any]]
) -> Acting:

    def act(arguments: Any, working: Working, _call_id: str) -> str:
        working.acts.append(Part({"quiet": True, **part(arguments)}))
        return "Shown; say it in your answer, too."

    return Acting(name, about, kind, act)


def _refusal(context: EntryContext, command: Command, working: Working) -> str:
    """Long texts are not replaced before they were read to their ends."""
    entry = context.fresh_entry()
    texts = {str(item["id"]): str(item.get("text", "")) for item in identified(entry.blocks)}
    replaced: list[tuple[str, str]] = []
    if isinstance(command, ChangeBlocks):
        keys = [edit.id for edit in command.edits if isinstance(edit, SetBlock)]
        replaced += [(key, texts[key]) for key in keys if key in texts]
    if isinstance(command, RewriteEntry) and command.blocks is not None:
        stored = {block.id: str(getattr(block, "text", "")) for block in command.blocks}
        replaced += [(key, text) for key, text in texts.items() if stored.get(key) != text]
    if isinstance(command, RewriteEntry):
        replaced += [(text.id, texts[text.id]) for text in command.texts if text.id in texts]
    if isinstance(command, ChangeEntry):
        names = [name for name in LONG if getattr(command, name, None) is not None]
        replaced += [(name, str(getattr(entry, name))) for name in names]
    refusals = (working.refuse_unseen(entry.pk, name, text) for name, text in replaced)
    return next(filter(None, refusals), "")


# Writing --------------------------------------------------------------------------------------
def _tell(context: EntryContext, arguments: drafting.Extract, _working: Working) -> Command:
    values = arguments.given()
    grounds = context.grounds() if arguments.story else []
    story = []
    for paragraph in arguments.story or ():
        text, sources = drafting.sourced(paragraph.sentences, grounds)
        section, heading = paragraph.section, (paragraph.heading or "").strip()
        story.append(Paragraph(section=section, heading=heading, text=text, sources=tuple(sources)))
    return build(TellEntry, {**values, "id": context.entry.pk, "story": story, "lists": "append"})


def _field(context: EntryContext, arguments: drafting.UpdateField, _working: Working) -> Command:
    name, entry_id, mode = arguments.field, context.entry.pk, arguments.mode
    value: Any = arguments.value
    if name in LISTS:
        items = [arguments.value] if arguments.items is None else arguments.items
        value = list(filter(None, items))
        if not value and mode != "replace":
            raise ToolRejected("This field takes `items`, a list.")
    elif value is None:
        raise ToolRejected("This field takes `value`, a text.")
    if not value and name != "title":
        return build(ChangeEntry, {"id": entry_id, "clear": (name,)})
    return build(ChangeEntry, {"id": entry_id, name: value, "lists": mode})


def _whole(context: EntryContext, arguments: drafting.Generate, _working: Working) -> Command:
    story = drafting.written(context.fresh_entry(), arguments, context.grounds())
    short = arguments.model_dump(exclude_none=True, exclude={"sections"})
    return _draft(context, blocks=story, **short)


def _section(context: EntryContext, arguments: drafting.Regenerate, _working: Working) -> Command:
    if arguments.field and arguments.text is not None:
        return _draft(context, **{arguments.field: arguments.text})
    if arguments.block and arguments.sentences:
        entry, grounds = context.fresh_entry(), context.grounds()
        text = drafting.replaced_text(entry, arguments.block, arguments.sentences, grounds)
        return _draft(context, texts=[text])
    # people read it, too, under a draft that they saw grow
    raise ToolRejected(_("It does not say which text it replaces, and with what."))


def _layout(context: EntryContext, arguments: drafting.Compose, _working: Working) -> Command:
    story = drafting.laid_out(context.fresh_entry(), arguments)
    return _draft(context, blocks=story, pictures=arguments.pictures or ())


def _draft(context: EntryContext, **values: Any) -> Command:
    return build(RewriteEntry, values, id=context.entry.pk)


def _describe(context: EntryContext, arguments: DescribeImages, _working: Working) -> Command:
    if {image.id for image in arguments.images} - {image.pk for image in context.images()}:
        raise ToolRejected("There is no such picture in this entry; nothing was changed.")
    return arguments


# Reading and showing ----------------------------------------------------------------------------
def _read_texts(context: EntryContext, working: Working, name: str = "") -> str:
    """Fields and story, of too much each text as far as all of them fit; or the named text."""
    others = {"owner": context.owner, "project": context.project_text, "draft": context.draft}
    if name in others:
        return working.delimiter.around(name, others[name](WHOLE)) or NO_TEXT
    if context.is_imported:
        working.taint()
    if name:
        text = context.texts.get(name, "")
        working.has_seen(context.entry.pk, name, text)
        return working.delimiter.around(name, text) or NO_TEXT
    displayed = ""
    for limit in (WHOLE, *TEXT_CHARS):
        texts = [("entry", entry_text(context.entry, limit=limit)), ("story", context.story(limit))]
        displayed = working.delimiter.blocks(texts)
        if len(displayed) <= RESULT_CHARS:
            context.note_seen(working, limit, is_read=True)
            break
    return displayed


def _failed(context: EntryContext) -> str:
    failed = check(context.fresh_entry())
    return "\n".join(item.message for item in failed) or "Nothing stands in the way."


def _place(context: EntryContext) -> dict[str, str]:
    return {"entry": str(context.entry.pk), "portfolio": str(context.entry.portfolio_id)}


def images_part(context: EntryContext, why: str = "") -> dict[str, Any]:
    """The field for pictures under an answer."""
    return {"type": "images", "quiet": True, "why": why, **_place(context)}


def _hinted(arguments: drafting.QuickActions, working: Working, _call_id: str) -> str:
    working.turn.state.hinted = list(dict.fromkeys(arguments.actions))
    return "Noted."
