"""Commands on an entry as a whole: what was told is written down, a draft takes its place."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, Literal

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as noop
from pydantic import BaseModel, ConfigDict, Field

from chat.commands.base import Scope
from chat.operations.changes import Change
from futura.errors import BadInput
from projects.portfolio.blocks import Block, SentenceSource, identified
from projects.portfolio.commands.entries import ChangeEntry, EntryCommand
from projects.portfolio.commands.images import arranged
from projects.portfolio.entries.queries import images_of

Section = Literal["what", "problem", "process", "outcome"]
HEADINGS: Final[Mapping[str, str | Promise]] = {
    "problem": gettext_lazy("The starting point"),
    "process": gettext_lazy("How it was done"),
    "outcome": gettext_lazy("What came of it"),
}
"""Headings of the sections that the interview fills, in order; the id of the heading's block is
the section's name. What stands before the first heading says what it is."""
Stored = Mapping[str, Any]


class Paragraph(BaseModel):
    """A paragraph of the story, for the section that it belongs to."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    section: Section
    text: str = Field(min_length=1, max_length=10_000)
    sources: tuple[SentenceSource, ...] = Field((), max_length=200)

    def stored(self) -> dict[str, Any]:
        """As a block."""
        sources = [one.model_dump() for one in self.sources]
        return {"type": "text", "text": self.text, **({"sources": sources} if sources else {})}


class TellEntry(ChangeEntry):
    """Writes down what was told about an entry: fields, and paragraphs below their sections."""

    name: ClassVar[str] = "tell_entry"
    done: ClassVar[str] = noop("Wrote down what was told")

    story: tuple[Paragraph, ...] = Field((), max_length=20)

    def plan(self, scope: Scope) -> list[Change]:
        """One update. Raises NotInScope, BadInput, TooLong."""
        entry = self.entry(scope)
        values = self.values()
        values.pop("story", None)
        story = [one for one in self.story if not _stands(entry.blocks, one.text)]
        if not values and not self.story:
            raise BadInput(_("Say what was told."), field="story")
        if story:
            values["blocks"] = with_paragraphs(entry.blocks, story)
        return self.edit(entry, values)

    def sentence(self, scope: Scope) -> str:
        """“Write down what was told about Reading app”."""
        return _("Write down what was told about %(entry)s") % {"entry": self.row(scope)}


class RewriteEntry(EntryCommand):
    """Lays a draft before the owner: another story, short texts, tags, another order of pictures.

    `blocks` is the whole story as it is stored, or null to leave it; `pictures` are ids in their
    order, the hero first.
    """

    name: ClassVar[str] = "rewrite_entry"
    done: ClassVar[str] = noop("Took a draft")
    wish: ClassVar[str] = noop("Use the draft for %(row)s")
    is_draft: ClassVar[bool] = True

    title: str | None = None
    summary: str | None = None
    description: str | None = None
    role: str | None = None
    started: str | None = None
    ended: str | None = None
    seo_title: str | None = None
    seo_description: str | None = None
    tags: tuple[str, ...] | None = None
    blocks: tuple[Block, ...] | None = None
    pictures: tuple[uuid.UUID, ...] = ()

    def plan(self, scope: Scope) -> list[Change]:
        """An update of the entry, and of the pictures that move. Raises NotInScope, BadInput."""
        entry = self.entry(scope)
        given = {"id", "pictures", "version"}
        values = self.model_dump(mode="json", exclude_none=True, exclude=given)
        new = {name: value for name, value in values.items() if getattr(entry, name) != value}
        planned = self.edit(entry, new) if new else []
        if self.pictures:
            planned += arranged(images_of(entry), order=self.pictures, hero=self.pictures[0])
        return planned


class UseDraft(RewriteEntry):
    """Does what a draft that was looked over says."""

    name: ClassVar[str] = "use_draft"
    is_draft: ClassVar[bool] = False


COMMANDS: Final = (TellEntry, RewriteEntry)


def with_paragraphs(story: Sequence[Stored], told: Sequence[Paragraph]) -> list[dict[str, Any]]:
    """The story with each paragraph at the end of its section, which is made where it belongs."""
    blocks = identified(story)
    for paragraph in told:
        blocks = identified(_with(blocks, paragraph))
    return blocks


def section_text(story: Sequence[Stored], section: str) -> str:
    """The paragraphs of a section."""
    blocks = identified(story)
    first, end = _span(blocks, section) or (0, 0)
    return "\n\n".join(str(one["text"]) for one in blocks[first:end] if one["type"] == "text")


def _with(blocks: list[dict[str, Any]], paragraph: Paragraph) -> list[dict[str, Any]]:
    span = _span(blocks, paragraph.section)
    new = [paragraph.stored()]
    if span is None:
        heading = {"type": "heading", "text": str(HEADINGS[paragraph.section]), "level": 2}
        new = [{**heading, "id": paragraph.section}, *new]
    at = span[1] if span else _place_for(blocks, paragraph.section)
    return [*blocks[:at], *new, *blocks[at:]]


def _span(blocks: Sequence[Stored], section: str) -> tuple[int, int] | None:
    """Where a section's paragraphs begin, and where the next one goes; None without it."""
    if section == "what":
        return 0, _end_of_texts(blocks, 0)
    place = next((at for at, one in enumerate(blocks) if one["id"] == section), None)
    return None if place is None else (place, _end_of_texts(blocks, place + 1))


def _end_of_texts(blocks: Sequence[Stored], first: int) -> int:
    """Behind the last paragraph before the next heading."""
    end = first
    for at in range(first, len(blocks)):
        if blocks[at]["type"] == "heading":
            break
        if blocks[at]["type"] == "text":
            end = at + 1
    return end


def _place_for(blocks: Sequence[Stored], section: str) -> int:
    """Before the first section that is read after this one, else at the end."""
    names = [*HEADINGS]
    later = set(names[names.index(section) + 1 :])
    return next((at for at, one in enumerate(blocks) if one["id"] in later), len(blocks))


def _stands(story: Sequence[Stored], text: str) -> bool:
    return any(text.strip() in str(block.get("text", "")) for block in story)
