"""The commands on the story of an entry: its blocks by their ids, what was told, drafts of it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal

from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy, gettext_noop
from pydantic import BaseModel, ConfigDict, Field

from chat import languages
from chat.commands.base import Rejected, Scope
from chat.operations.changes import Change, Update
from chat.operations.models import Operation
from futura.errors import BadInput
from futura.text import repeats
from projects.portfolio.blocks import Block, BlockIn, SentenceSource, Text, identified
from projects.portfolio.commands.entries import ChangeEntry, EntryCommand
from projects.portfolio.commands.images import arranged
from projects.portfolio.models import Entry
from projects.portfolio.queries import images_of

TOP: Final = "top"
END: Final = "end"
Section = Literal["what", "problem", "process", "outcome"]
HEADINGS: Final[Mapping[str, str | Promise]] = {
    "problem": gettext_lazy("Starting point"),
    "process": gettext_lazy("Process"),
    "outcome": gettext_lazy("Outcome"),
}
"""Headings of the sections that the interview fills, in order; the id of the heading's block is
the section's name. What stands before the first heading says what it is."""
Stored = dict[str, Any]
BlockId = Annotated[str, Field(min_length=1, max_length=12, description="Id of a block.")]
After = Annotated[
    str, Field(max_length=12, description=f"Id of the block before it, or “{TOP}”, or “{END}”.")
]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SetBlock(_Part):
    """Puts another content into a block; it keeps its id and its place."""

    do: Literal["set"]
    id: BlockId
    block: BlockIn

    def apply(self, story: list[Stored]) -> None:
        """In place, as all edits. Raises Rejected."""
        place = place_of(story, self.id)
        new = {**self.block.model_dump(mode="json"), "id": self.id}
        if story[place].get("sources") and new["type"] == "text":
            new["sources"] = story[place]["sources"]  # those of sentences that stay
        story[place] = new


class InsertBlocks(_Part):
    """Adds blocks, in this order."""

    do: Literal["insert"]
    blocks: tuple[BlockIn, ...] = Field(min_length=1, max_length=30)
    after: After = END

    def apply(self, story: list[Stored]) -> None:
        place = _place_after(story, self.after)
        story[place:place] = [block.model_dump(mode="json") for block in self.blocks]


class SplitBlock(_Part):
    """Makes two blocks of a text: the second begins with these words, word for word."""

    do: Literal["split"]
    id: BlockId
    at: str = Field(min_length=1, max_length=2_000)

    def apply(self, story: list[Stored]) -> None:
        place = place_of(story, self.id)
        block = story[place]
        text = str(block.get("text", ""))
        at = text.find(self.at)
        if block["type"] != "text" or at <= 0 or text.count(self.at) != 1:
            raise Rejected(
                _("This quote is not in the text, is at its beginning, or occurs more than once.")
            )
        second = {**block, "id": "", "text": text[at:].strip()}
        story[place : place + 1] = [{**block, "text": text[:at].strip()}, second]


class MoveBlock(_Part):
    """Puts a block at another place."""

    do: Literal["move"]
    id: BlockId
    after: After

    def apply(self, story: list[Stored]) -> None:
        block = story.pop(place_of(story, self.id))
        story.insert(_place_after(story, self.after), block)


class DeleteBlocks(_Part):
    """Takes blocks out."""

    do: Literal["delete"]
    ids: tuple[BlockId, ...] = Field(min_length=1, max_length=60)

    def apply(self, story: list[Stored]) -> None:
        for place in sorted({place_of(story, key) for key in self.ids}, reverse=True):
            del story[place]


class ReplaceWords(_Part):
    """Puts `new` in the place of `old`, which stands in the block just once, word for word."""

    do: Literal["replace"]
    id: BlockId
    old: str = Field(min_length=1, max_length=10_000)
    new: str = Field(max_length=10_000)

    def apply(self, story: list[Stored]) -> None:
        place = place_of(story, self.id)
        block = story[place]
        for name in ("text", "caption", "said_by"):
            if str(block.get(name, "")).count(self.old) == 1:
                text = str(block[name]).replace(self.old, self.new).strip()
                # a text without words is taken out
                is_empty = name == "text" and not text
                story[place : place + 1] = [] if is_empty else [{**block, name: text}]
                return
        raise Rejected(_("This passage is not in the text, or occurs more than once."))


AnyEdit = Annotated[
    SetBlock | InsertBlocks | SplitBlock | MoveBlock | DeleteBlocks | ReplaceWords,
    Field(discriminator="do"),
]


class ChangeBlocks(EntryCommand):
    """Changes the story of an entry, block by block, in order: set, insert, split, move, delete,
    replace words.
    """

    name = "change_blocks"
    done = gettext_noop("Edited story")
    proposal = (
        gettext_noop("Edit a block of %(row)s"),
        gettext_noop("Make %(n)d changes to the story of %(row)s"),
    )
    counted = "edits"

    edits: tuple[AnyEdit, ...] = Field(min_length=1, max_length=40)

    def plan(self, scope: Scope) -> list[Change]:
        entry = self.row(scope)
        story = identified(entry.blocks)
        for edit in self.edits:
            edit.apply(story)
            story = identified(story)
        return self.edit(entry, {"blocks": story})


class Paragraph(_Part):
    """A paragraph of the story, for the section that it belongs to; `heading` is what stands above
    that, or shall where nothing does yet; empty for the usual one.
    """

    section: Section
    heading: str = Field("", max_length=200)
    text: str = Field(min_length=1, max_length=10_000)
    sources: tuple[SentenceSource, ...] = Field((), max_length=200)

    def stored(self) -> Stored:
        """As a block."""
        sources = [source.model_dump() for source in self.sources]
        return {"type": "text", "text": self.text, **({"sources": sources} if sources else {})}


class TellEntry(ChangeEntry):
    """Writes down what was told about an entry: fields, and paragraphs below their sections."""

    name = "tell_entry"
    done = gettext_noop("Added to story")
    proposal = gettext_noop("Add to the story of %(row)s")

    story: tuple[Paragraph, ...] = Field((), max_length=20)

    def plan(self, scope: Scope) -> list[Change]:
        entry = self.row(scope)
        values = self.values_for(entry)
        if not values and not self.story:
            raise BadInput(_("No text was given."), field="story")
        story = [
            (item, section_text(entry.blocks, item.section, item.heading)) for item in self.story
        ]
        if new := [item for item, text in story if not repeats(item.text, text)]:
            values["blocks"] = with_paragraphs(entry, new)
        return self.edit(entry, values)


class RewriteEntry(ChangeEntry):
    """Lays a draft before the owner: another story, other fields, another order of pictures.

    `blocks` is the whole story as it is stored, or null to leave it; `texts` take the places of
    those with their ids; `pictures` are ids in their order, the hero first.
    """

    name = "rewrite_entry"
    done = gettext_noop("Used draft")
    proposal = gettext_noop("Use draft for %(row)s")
    is_draft = True

    blocks: tuple[Block, ...] | None = None
    texts: tuple[Text, ...] = ()
    pictures: tuple[uuid.UUID, ...] = ()

    def story_of(self, entry: Entry) -> list[Stored]:
        """The story as it would stand. Raises Rejected."""
        if self.blocks is not None:
            return [block.model_dump(mode="json") for block in self.blocks]
        story = identified(entry.blocks)
        for text in self.texts:
            story[place_of(story, text.id)] = text.model_dump(mode="json")
        return story

    def plan(self, scope: Scope) -> list[Change]:
        entry = self.row(scope)
        values = self.values()
        if self.blocks is not None or self.texts:
            values["blocks"] = self.story_of(entry)
        new = {name: value for name, value in values.items() if getattr(entry, name) != value}
        planned = self.edit(entry, new) if new else []
        if self.pictures:
            planned += arranged(images_of(entry), order=self.pictures, hero=self.pictures[0])
        return planned


class UseDraft(EntryCommand):
    """Does what waits of a draft that was looked over, as it waits."""

    name = "use_draft"
    done = gettext_noop("Used draft")
    proposal = gettext_noop("Use draft for %(row)s")

    operations: tuple[uuid.UUID, ...]

    def plan(self, scope: Scope) -> list[Change]:
        self.row(scope)
        waiting = Operation.objects.filter(
            pk__in=self.operations, status=Operation.Status.PENDING,
            batch__owner_id__in=scope.owner_ids,
        )  # fmt: skip
        planned: list[Change] = []
        seen: set[Any] = set()
        for item in waiting.select_related("payload").order_by("sequence"):
            # of several to one row each later one was made upon the one before
            version = None if item.key in seen else item.base_version
            planned.append(Update(*item.key, item.payload.requested or {}, version=version))
            seen.add(item.key)
        return planned


COMMANDS: Final = (ChangeBlocks, TellEntry, RewriteEntry)


def place_of(story: Sequence[Stored], key: str) -> int:
    """The place of the block with this id. Raises Rejected."""
    for place, block in enumerate(story):
        if block["id"] == key:
            return place
    raise Rejected(_("This entry has no block “%(id)s”.") % {"id": key})


def _place_after(story: Sequence[Stored], after: str) -> int:
    if after == TOP:
        return 0
    return len(story) if after == END else place_of(story, after) + 1


def with_paragraphs(entry: Entry, paragraphs: Sequence[Paragraph]) -> list[Stored]:
    """The story with each paragraph at the end of its section, which is made where it belongs; its
    usual heading is in the language of the public page.
    """
    blocks = identified(entry.blocks)
    language = languages.known(entry.portfolio.language) or languages.current()
    for paragraph in paragraphs:
        section, new = paragraph.section, [paragraph.stored()]
        places = _places_of(blocks, section, paragraph.heading)
        if places is None:
            with translation.override(language):
                text = paragraph.heading or str(HEADINGS[section])
            new = [{"type": "heading", "text": text, "level": 2, "id": section}, *new]
            names = [*HEADINGS]
            later = names[names.index(section) + 1 :]
            following = (at for at, block in enumerate(blocks) if block["id"] in later)
            at = next(following, len(blocks))
        else:
            at = places.stop
        blocks = identified([*blocks[:at], *new, *blocks[at:]])
    return blocks


def section_text(story: Sequence[Stored], section: str, heading: str = "") -> str:
    """The paragraphs of a section."""
    blocks = identified(story)
    own = [blocks[at] for at in _places_of(blocks, section, heading) or ()]
    return "\n\n".join(str(block["text"]) for block in own if block["type"] == "text")


def _places_of(blocks: Sequence[Stored], section: str, heading: str) -> range | None:
    """From behind a section's heading to its last text; None where it has no heading yet."""
    first = 0
    if section != "what":
        headings = ((at, block) for at, block in enumerate(blocks) if block["type"] == "heading")
        # those of a draft have ids of their own
        is_its = (
            at for at, block in headings if block["id"] == section or block["text"] == heading
        )
        if (above := next(is_its, None)) is None:
            return None
        first = above + 1
    end = first
    for at in range(first, len(blocks)):
        if blocks[at]["type"] == "heading":
            break
        if blocks[at]["type"] == "text":
            end = at + 1
    return range(first, end)
