"""Commands on the story of an entry: its blocks set, added, split, moved, deleted, by their ids."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from typing import Annotated, Any, ClassVar, Final, Literal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as noop
from django.utils.translation import ngettext
from pydantic import BaseModel, ConfigDict, Field

from chat.commands.base import Rejected, Scope
from chat.operations.changes import Change
from projects.portfolio.blocks import identified
from projects.portfolio.commands.entries import EntryCommand

TOP: Final = "top"
END: Final = "end"
Stored = dict[str, Any]
BlockId = Annotated[str, Field(min_length=1, max_length=12, description="Id of a block.")]
After = Annotated[
    str, Field(max_length=12, description=f"Id of the block before it, or “{TOP}”, or “{END}”.")
]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class FactIn(_Part):
    """A line of a small table."""

    label: str = Field(min_length=1, max_length=80)
    value: str = Field(min_length=1, max_length=300)


class BlockIn(_Part):
    """One block: only what its type needs is given. Pictures by their ids.

    `text` is Markdown in a text; a heading has a `level` of 2 or 3; `before_after` takes two
    pictures; a quote has `said_by`.
    """

    type: Literal["heading", "text", "gallery", "before_after", "quote", "facts"]
    text: str | None = Field(None, max_length=10_000)
    level: Literal[2, 3] | None = None
    said_by: str | None = Field(None, max_length=200)
    images: tuple[uuid.UUID, ...] | None = Field(None, max_length=40)
    caption: str | None = Field(None, max_length=300)
    facts: tuple[FactIn, ...] | None = Field(None, max_length=20)

    def stored(self) -> Stored:
        """Its stored form. Raises Rejected where what it shows is missing."""
        ids = [str(one) for one in self.images or ()]
        text = (self.text or "").strip()
        match self.type:
            case "heading" if text:
                return {"type": "heading", "text": text, "level": self.level or 2}
            case "text" if text:
                return {"type": "text", "text": text}
            case "quote" if text:
                return {"type": "quote", "text": text, "said_by": self.said_by or ""}
            case "gallery" if ids:
                return {"type": "gallery", "images": ids, "caption": self.caption or ""}
            case "before_after" if len(ids) == 2:
                pair = {"before": ids[0], "after": ids[1]}
                return {"type": "before_after", **pair, "caption": self.caption or ""}
            case "facts" if self.facts:
                return {"type": "facts", "facts": [one.model_dump() for one in self.facts]}
        raise Rejected(_("A block of this kind lacks what it shows."))


class SetBlock(_Part):
    """Puts another content into a block; it keeps its id and its place."""

    do: Literal["set"] = "set"
    id: BlockId
    block: BlockIn


class InsertBlocks(_Part):
    """Adds blocks, in this order."""

    do: Literal["insert"] = "insert"
    blocks: tuple[BlockIn, ...] = Field(min_length=1, max_length=30)
    after: After = END


class SplitBlock(_Part):
    """Makes two blocks of a text: the second begins with these words, word for word."""

    do: Literal["split"] = "split"
    id: BlockId
    at: str = Field(min_length=1, max_length=2_000)


class MoveBlock(_Part):
    """Puts a block at another place."""

    do: Literal["move"] = "move"
    id: BlockId
    after: After


class DeleteBlocks(_Part):
    """Takes blocks out."""

    do: Literal["delete"] = "delete"
    ids: tuple[BlockId, ...] = Field(min_length=1, max_length=60)


class ReplaceWords(_Part):
    """Puts `new` in the place of `old`, which stands in the block just once, word for word."""

    do: Literal["replace"] = "replace"
    id: BlockId
    old: str = Field(min_length=1, max_length=10_000)
    new: str = Field(max_length=10_000)


Edit = SetBlock | InsertBlocks | SplitBlock | MoveBlock | DeleteBlocks | ReplaceWords


class ChangeBlocks(EntryCommand):
    """Changes the story of an entry, block by block, in order: set, insert, split, move, delete,
    replace words.
    """

    name: ClassVar[str] = "change_blocks"
    done: ClassVar[str] = noop("Changed the story")

    edits: tuple[Edit, ...] = Field(min_length=1, max_length=40)

    def plan(self, scope: Scope) -> list[Change]:
        """One update. Raises NotInScope, Rejected, BadInput, TooLong."""
        entry = self.entry(scope)
        return self.edit(entry, {"blocks": edited(entry.blocks, self.edits)})

    def sentence(self, scope: Scope) -> str:
        """“Change 2 blocks of Reading app”."""
        n = len(self.edits)
        words = ngettext(
            "Change a block of %(entry)s", "Make %(n)d changes to the story of %(entry)s", n
        )
        return words % {"n": n, "entry": self.row(scope)}


COMMANDS: Final = (ChangeBlocks,)


def edited(story: Sequence[Stored], edits: Sequence[Edit]) -> list[Stored]:
    """Another story, each block with its id. Raises Rejected, which names the edit's block."""
    result = identified(story)
    for edit in edits:
        result = identified(_APPLY[type(edit)](result, edit))
    return result


def place_of(story: Sequence[Stored], key: str) -> int:
    """The place of the block with this id. Raises Rejected."""
    for place, block in enumerate(story):
        if block["id"] == key:
            return place
    raise Rejected(_("There is no block “%(id)s” in this entry.") % {"id": key})


def _place_after(story: Sequence[Stored], after: str) -> int:
    if after == TOP:
        return 0
    return len(story) if after == END else place_of(story, after) + 1


def _set(story: list[Stored], edit: SetBlock) -> list[Stored]:
    place = place_of(story, edit.id)
    new = {**edit.block.stored(), "id": edit.id}
    if story[place].get("sources") and new["type"] == "text":  # of sentences that stay
        new["sources"] = story[place]["sources"]
    return [*story[:place], new, *story[place + 1 :]]


def _insert(story: list[Stored], edit: InsertBlocks) -> list[Stored]:
    place = _place_after(story, edit.after)
    return [*story[:place], *(one.stored() for one in edit.blocks), *story[place:]]


def _split(story: list[Stored], edit: SplitBlock) -> list[Stored]:
    place = place_of(story, edit.id)
    block = story[place]
    text = str(block.get("text", ""))
    at = text.find(edit.at)
    if block["type"] != "text" or at <= 0 or text.count(edit.at) != 1:
        raise Rejected(_("These words are not in the text, at its beginning, or more than once."))
    parts = [{**block, "text": text[:at].strip()}, {**block, "text": text[at:].strip(), "id": ""}]
    return [*story[:place], *parts, *story[place + 1 :]]


def _move(story: list[Stored], edit: MoveBlock) -> list[Stored]:
    place = place_of(story, edit.id)
    rest = [*story[:place], *story[place + 1 :]]
    to = _place_after(rest, edit.after)
    return [*rest[:to], story[place], *rest[to:]]


def _delete(story: list[Stored], edit: DeleteBlocks) -> list[Stored]:
    places = {place_of(story, key) for key in edit.ids}
    return [block for place, block in enumerate(story) if place not in places]


def _replace(story: list[Stored], edit: ReplaceWords) -> list[Stored]:
    place = place_of(story, edit.id)
    block = story[place]
    for name in ("text", "caption", "said_by"):
        if str(block.get(name, "")).count(edit.old) == 1:
            text = str(block[name]).replace(edit.old, edit.new).strip()
            changed = [{**block, name: text}] if text or name != "text" else []
            return [*story[:place], *changed, *story[place + 1 :]]
    raise Rejected(_("This part is not in the text, or more than once."))


_APPLY: Final[dict[type, Callable[[list[Stored], Any], list[Stored]]]] = {
    SetBlock: _set,
    InsertBlocks: _insert,
    SplitBlock: _split,
    MoveBlock: _move,
    DeleteBlocks: _delete,
    ReplaceWords: _replace,
}
