"""The builder's tools: commands on the entry of the conversation, readings, drafts, undo."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from chat.assistant import undo
from chat.assistant.toolset import Acting, AnyTool, Reading, Toolset, Writing
from chat.assistant.working import Working
from chat.commands.base import Command, build
from futura.llm.tools import ToolRejected
from projects.portfolio.blocks import identified
from projects.portfolio.builder import briefing, calls, drafting, vision
from projects.portfolio.builder.context import EntryContext
from projects.portfolio.builder.waiting import draft_command, drop_draft
from projects.portfolio.commands.entries import ChangeEntry, PublishEntry, UnpublishEntry
from projects.portfolio.commands.images import ArrangeImages, DescribeImages
from projects.portfolio.commands.story import (
    ChangeBlocks,
    Paragraph,
    RewriteEntry,
    SetBlock,
    TellEntry,
    UseDraft,
)
from projects.portfolio.entries.publishing import check

WHOLE: Final = 100_000  # characters of a text that a reading shows
DESCRIPTIONS: Final[Mapping[str, str]] = {
    "extractProjectData": "Writes down what the last message says about the work, with the quote "
    "each sentence stands on.",
    "updateField": "Changes one field: title, summary, description, dates, tags, materials, …",
    "updateDescriptionBlocks": "Changes the story block by block, by ids: set, insert, split, "
    "move, delete, replace words.",
    "generatePortfolioContent": "Drafts the whole text anew; the person looks it over first.",
    "regenerateSection": "Drafts another wording of one short text or one text block; the person "
    "looks it over first.",
    "composePortfolioLayout": "Drafts another order of blocks and pictures; the person looks it "
    "over first.",
    "useDraft": "Uses the draft that waits, after the person has agreed to it.",
    "dropDraft": "Drops the draft that waits, when the person does not want it.",
    "reorderImages": "Makes a picture the hero, or changes their order.",
    "describeImages": "Gives pictures their alternative texts or captions.",
    "lookAtPictures": "Looks at the pictures and proposes alternative texts, captions, the hero, "
    "before and after; the person looks it over first.",
    "publishEntry": "Publishes the entry or takes it offline; the person has to approve it.",
    "readEntry": "Shows every text of the entry whole.",
    "validateForPublish": "The check before publishing: each rule that fails.",
    "checkPublishReady": "The entry as a visitor reads it, with the rules that fail, for advice.",
    "requestClarification": "Shows one short question with answers to tap.",
    "promptForImages": "Shows the field for uploading pictures in the conversation.",
    "showPortfolioPreview": "Shows the preview of the page as it stands.",
    "suggestQuickActions": "Chooses which next steps to offer as buttons.",
}


@dataclass(frozen=True)
class Shown:
    """Something to see under the answer."""

    part: Mapping[str, Any]


def toolset(context: EntryContext) -> Toolset:
    """The tools of one turn; all of them, always."""
    kit = _Kit(context)
    tools: list[AnyTool] = [
        _writing("extractProjectData", calls.Extract, kit.told),
        _writing("updateField", calls.UpdateField, kit.field),
        _writing("updateDescriptionBlocks", calls.UpdateBlocks, kit.blocks),
        _writing("generatePortfolioContent", calls.Generate, kit.whole),
        _writing("regenerateSection", calls.Regenerate, kit.section),
        _writing("composePortfolioLayout", calls.Compose, kit.layout),
        _writing("useDraft", calls.Nothing, kit.use_draft),
        _writing("reorderImages", calls.Reorder, kit.order),
        _writing("describeImages", calls.Describe, kit.describe),
        looking(context),
        _writing("publishEntry", calls.Publish, kit.publish),
        _reading("readEntry", kit.read),
        _reading("validateForPublish", kit.failed),
        _reading("checkPublishReady", kit.visitor),
        _acting("requestClarification", calls.Clarify, kit.clarify),
        _acting("promptForImages", calls.AskForImages, kit.ask_for_images),
        _acting("showPortfolioPreview", calls.Nothing, kit.preview),
        _acting("suggestQuickActions", calls.QuickActions, kit.quick),
        _acting("dropDraft", calls.Nothing, lambda _given, working: drop_draft(working)),
        undo.tool("undoLast"),
    ]
    return Toolset(tools, context.scope, _guard(context))


def looking(context: EntryContext) -> Writing:
    """The tool that sees."""
    name = "lookAtPictures"
    return Writing(
        name, DESCRIPTIONS[name], calls.Nothing,
        lambda _given, working: vision.proposal(context, working),
    )  # fmt: skip


def _writing(name: str, kind: Any, command: Callable[[Any], Command]) -> Writing:
    sketch = drafting.sketch_of if kind in {calls.Generate, calls.Regenerate} else None
    return Writing(name, DESCRIPTIONS[name], kind, lambda given, _working: command(given), sketch)


def _reading(name: str, read: Callable[[Working], str]) -> Reading:
    return Reading(name, DESCRIPTIONS[name], calls.Nothing, lambda _given, working: read(working))


def _acting(name: str, kind: Any, act: Callable[[Any, Working], str]) -> Acting:
    return Acting(
        name, DESCRIPTIONS[name], kind, lambda given, working, _call_id: act(given, working)
    )


def _guard(context: EntryContext) -> Callable[[Command, Working], str]:
    """Long texts are not replaced before they were read to their ends."""

    def allows(command: Command, working: Working) -> str:
        if isinstance(command, UseDraft):  # the person has looked it over
            return ""
        entry = context.fresh_entry()
        texts = {str(one["id"]): str(one.get("text", "")) for one in identified(entry.blocks)}
        replaced: list[tuple[str, str]] = []
        if isinstance(command, ChangeBlocks):
            keys = [one.id for one in command.edits if isinstance(one, SetBlock)]
            replaced += [(key, texts[key]) for key in keys if key in texts]
        if isinstance(command, RewriteEntry):
            stored = {one.id: str(getattr(one, "text", "")) for one in command.blocks or ()}
            if command.blocks is not None:
                replaced += [(key, text) for key, text in texts.items() if stored.get(key) != text]
        if isinstance(command, ChangeEntry | RewriteEntry):
            names = [name for name in briefing.LONG if getattr(command, name, None) is not None]
            replaced += [(name, str(getattr(entry, name))) for name in names]
        refusals = (working.refuse_unseen(entry.pk, name, text) for name, text in replaced)
        return next(filter(None, refusals), "")

    return allows


class _Kit:
    """What each tool does with what the model gave."""

    def __init__(self, context: EntryContext) -> None:
        self.context = context
        self.key = context.entry.pk

    # Writing ----------------------------------------------------------------------------------
    def told(self, given: calls.Extract) -> Command:
        values = given.model_dump(exclude_none=True, exclude={"story"})
        entry = self.context.fresh_entry()
        for name in briefing.LISTS:
            if name in values:
                values[name] = _merged(getattr(entry, name), values[name])
        grounds = self.context.grounds() if given.story else []
        story = []
        for paragraph in given.story or ():
            text, sources = drafting.sourced(paragraph.sentences, grounds)
            story.append(Paragraph(section=paragraph.section, text=text, sources=tuple(sources)))
        return build(TellEntry, {**values, "id": self.key, "story": story})

    def field(self, given: calls.UpdateField) -> Command:
        name = given.field
        if name in briefing.LISTS:
            standing = list(getattr(self.context.fresh_entry(), name))
            items = given.items if given.items is not None else [given.value or ""]
            value: Any = _listed(standing, [one for one in items if one], given.mode)
        elif given.value is None:
            raise ToolRejected("This field takes `value`, a text.")
        else:
            value = given.value
        if not value and name != "title":
            return build(ChangeEntry, {"id": self.key, "clear": (name,)})
        return build(ChangeEntry, {"id": self.key, name: value})

    def blocks(self, given: calls.UpdateBlocks) -> Command:
        return ChangeBlocks(id=self.key, edits=tuple(given.edits))

    def whole(self, given: calls.Generate) -> Command:
        entry = self.context.fresh_entry()
        story = drafting.written(entry, given, self.context.grounds())
        short = given.model_dump(exclude_none=True, exclude={"sections"})
        return self._draft(blocks=story, **short)

    def section(self, given: calls.Regenerate) -> Command:
        if given.field and given.text is not None:
            return self._draft(**{given.field: given.text})
        if given.block and given.sentences:
            entry, grounds = self.context.fresh_entry(), self.context.grounds()
            story = drafting.replaced_block(entry, given.block, given.sentences, grounds)
            return self._draft(blocks=story)
        raise ToolRejected("Give `field` and `text`, or `block` and `sentences`.")

    def layout(self, given: calls.Compose) -> Command:
        story = drafting.laid_out(self.context.fresh_entry(), given)
        return self._draft(blocks=story, pictures=given.pictures or ())

    def _draft(self, **values: Any) -> Command:
        return build(RewriteEntry, {"id": self.key, **values})

    def use_draft(self, _given: calls.Nothing) -> Command:
        return draft_command(self.context)

    def order(self, given: calls.Reorder) -> Command:
        return ArrangeImages(id=self.key, order=tuple(given.order or ()), hero=given.hero)

    def describe(self, given: calls.Describe) -> Command:
        own = {one.pk for one in self.context.images()}
        if {one.id for one in given.images} - own:
            raise ToolRejected("There is no such picture in this entry; nothing was changed.")
        return DescribeImages(images=tuple(given.images))

    def publish(self, given: calls.Publish) -> Command:
        return PublishEntry(id=self.key) if given.public else UnpublishEntry(id=self.key)

    # Reading ----------------------------------------------------------------------------------
    def read(self, working: Working) -> str:
        if self.context.is_imported:
            working.taint()
        briefing.note_seen(self.context, working, is_whole=True)
        return working.delimiter.blocks(
            [
                ("entry", briefing.entry_text(self.context.fresh_entry())),
                ("story", briefing.story_text(self.context, WHOLE)),
            ]
        )

    def failed(self, _working: Working) -> str:
        failed = check(self.context.fresh_entry())
        return "\n".join(one.message for one in failed) or "Nothing stands in the way."

    def visitor(self, working: Working) -> str:
        return f"{self.failed(working)}\n{self.read(working)}"

    # Acting -----------------------------------------------------------------------------------
    def clarify(self, given: calls.Clarify, working: Working) -> str:
        part = {"question": given.question, "alternatives": given.alternatives}
        working.acts.append(Shown({"type": "clarify", "quiet": True, **part}))
        return "Shown; ask the question in your answer, too."

    def ask_for_images(self, given: calls.AskForImages, working: Working) -> str:
        working.acts.append(Shown(images_part(self.context, given.why)))
        return "Shown."

    def preview(self, _given: calls.Nothing, working: Working) -> str:
        place = {"entry": str(self.key), "portfolio": str(self.context.entry.portfolio_id)}
        working.acts.append(Shown({"type": "preview", "quiet": True, **place}))
        return "Shown."

    def quick(self, given: calls.QuickActions, working: Working) -> str:
        working.turn.state.hinted = list(dict.fromkeys(given.actions))
        return "Noted."


def images_part(context: EntryContext, why: str = "") -> dict[str, Any]:
    """The field for pictures under an answer."""
    entry = context.entry
    return {"type": "images", "quiet": True, "entry": str(entry.pk),
            "portfolio": str(entry.portfolio_id), "why": why}  # fmt: skip


def _merged(standing: list[str], more: list[str]) -> list[str]:
    items: dict[str, str] = {}
    for one in (*standing, *more):
        items.setdefault(one.casefold(), one)
    return list(items.values())


def _listed(standing: list[str], items: list[str], mode: str) -> list[str]:
    if mode == "append":
        return _merged(standing, items)
    if mode == "remove":
        gone = {one.casefold() for one in items}
        return [one for one in standing if one.casefold() not in gone]
    return items
