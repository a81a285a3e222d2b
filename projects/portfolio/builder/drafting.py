"""The shapes of what the model gives the builder's tools, named as specified, and drafts made of
them: sentences with what each stands on, as blocks; layouts that lose no block.

Blocks and pictures are named by their ids, the entry by the conversation. A sentence that nothing
bears out stays and is marked. Code looks only whether a quote is found.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, get_args

from django.utils.translation import gettext_lazy
from pydantic import BaseModel, ConfigDict, Field, create_model
from pydantic_core import from_json

from chat.assistant.toolset import Sketch
from chat.commands.base import Command
from futura.llm.tools import ToolRejected
from futura.text import locate
from projects.portfolio.blocks import BeforeAfter, Gallery, SentenceSource, identified, text_of
from projects.portfolio.commands.story import RewriteEntry, Section
from projects.portfolio.models import Entry
from projects.portfolio.schema.fields import values_model
from projects.portfolio.schema.kinds import ENTRY

TextField = Literal[
    "title", "entry_type", "location", "summary", "description", "impact", "size_or_scope", "role",
    "organization", "context", "started", "ended", "repository_url", "live_url", "seo_title",
    "seo_description",
]  # fmt: skip
DraftField = Literal["title", "summary", "description", "role", "seo_title", "seo_description"]
ListField = Literal["tags", "materials", "techniques", "tech_stack", "languages"]
Invoked = Literal[
    "generatePortfolioContent", "checkPublishReady", "composePortfolioLayout", "lookAtPictures"
]  # fmt: skip
Word = Annotated[str, Field(min_length=1, max_length=400)]
Words = Annotated[list[Word], Field(max_length=40)]
# what nobody tells in passing, or no model may write
_UNTOLD: Final = {
    "description", "size_or_scope", "bullets", "seo_title", "seo_description", "hide_from_chat",
    "private_notes",
}  # fmt: skip


class Arguments(BaseModel):
    """What all have in common."""

    model_config = ConfigDict(extra="forbid")


class Nothing(Arguments):
    """No arguments."""


def of_command(kind: type[Command]) -> type[BaseModel]:
    """The arguments of a command on the entry of the conversation, which need not be named."""
    fields: dict[str, Any] = {
        name: (field.annotation, field)
        for name, field in kind.model_fields.items()
        if name not in {"id", "version"}
    }
    return create_model(f"{kind.__name__}In", __base__=Arguments, __doc__=kind.__doc__, **fields)


class SentenceIn(Arguments):
    """A sentence, and the words it stands on: a quote, letter by letter, of what the owner said or
    of a record; null where there is none.
    """

    text: str = Field(min_length=1, max_length=2_000)
    quote: str | None = Field(None, max_length=2_000)


class ParagraphIn(Arguments):
    """A paragraph for one section of the story.

    `what`: what it is; `problem`: how things were before; `process`: how it was done; `outcome`:
    what came of it. `heading`: what stands above the section, or shall where nothing does, in the
    language of the story.
    """

    section: Section
    heading: str | None = Field(None, max_length=200)
    sentences: list[SentenceIn] = Field(min_length=1, max_length=60)


Told: Final = values_model("Told", [item for item in ENTRY if item.name not in _UNTOLD])


class Extract(Told):  # type: ignore[misc, valid-type]
    """What the person's last message says about the work. Null leaves something as it is."""

    story: list[ParagraphIn] | None = Field(None, max_length=12)


class ReadEntry(Arguments):
    """`only`: a field, the id of a block, or `draft`, `project`, `owner`; null for the entry."""

    only: str | None = Field(None, max_length=40)


class UpdateField(Arguments):
    """Another value for one field: `value` for a text (empty takes it away), `items` for a list.

    Lists: `replace`, `append` or `remove` items.
    """

    field: TextField | ListField
    value: str | None = Field(None, max_length=10_000)
    items: Words | None = None
    mode: Literal["replace", "append", "remove"] = "replace"


class SectionIn(Arguments):
    """A section of a draft: its heading (null for the opening), its sentences, and ids of standing
    pictures, quotes and facts that follow them.
    """

    heading: str | None = Field(None, max_length=200)
    sentences: list[SentenceIn] = Field(max_length=60)
    keep: list[str] | None = Field(None, max_length=40)


class Generate(Arguments):
    """The whole entry anew, as a draft. Null leaves a short text as it is."""

    title: str | None = Field(None, max_length=200)
    summary: str | None = Field(None, max_length=400)
    seo_title: str | None = Field(None, max_length=120)
    seo_description: str | None = Field(None, max_length=320)
    tags: Words | None = None
    sections: list[SectionIn] = Field(min_length=1, max_length=20)


class Regenerate(Arguments):
    """Another wording, as a draft: of a short text (`field` and `text`), or of the text block with
    this id (`block` and `sentences`).
    """

    field: DraftField | None = None
    text: str | None = Field(None, max_length=10_000)
    block: str | None = Field(None, max_length=12)
    sentences: list[SentenceIn] | None = Field(None, max_length=60)


class PieceIn(Arguments):
    """A block of the layout: one that stands (by its id), or a new one that shows pictures."""

    block: str | None = Field(None, max_length=12)
    new: Gallery | BeforeAfter | None = None


class Compose(Arguments):
    """The order of all blocks, each once, and of the pictures, the hero first; as a draft."""

    pieces: list[PieceIn] = Field(min_length=1, max_length=60)
    pictures: list[uuid.UUID] | None = Field(None, max_length=200)


class Publish(Arguments):
    """Whether the entry shall be public."""

    public: bool


class Clarify(Arguments):
    """One short question, with answers to tap where there are obvious ones."""

    question: str = Field(min_length=1, max_length=400)
    alternatives: list[Annotated[str, Field(min_length=1, max_length=120)]] = Field(
        default_factory=list, max_length=5
    )


class AskForImages(Arguments):
    """Which pictures would help, in one sentence."""

    why: str = Field("", max_length=300)


class QuickActions(Arguments):
    """Which next steps to offer first; those that do not fit the entry are not shown."""

    actions: list[Literal["pictures", "hero", "check", "publish", "more", "undo"]] = Field(
        max_length=5
    )


_NO_BLOCK: Final = gettext_lazy("It names a part of the text that does not exist: “%(id)s”.")


# Drafts -----------------------------------------------------------------------------------------
Block = dict[str, Any]


@dataclass(frozen=True)
class Ground:
    """A text that a sentence may stand on: a message by its id, or a record with its address.

    `section` is where a sentence of a first draft goes that says just this; `quote` is what the
    text itself stands on, where it is a sentence of a draft. A text that is not the owner's own
    is shown and bears nothing out.
    """

    text: str
    message: str = ""
    label: str = ""
    url: str = ""
    section: Section = "what"
    quote: str = ""
    is_own: bool = True


def sourced(
    sentences: Sequence[SentenceIn], grounds: Sequence[Ground]
) -> tuple[str, list[SentenceSource]]:
    text = " ".join(item.text.strip() for item in sentences)
    return text, [_source(item, grounds) for item in sentences]


def _source(item: SentenceIn, grounds: Sequence[Ground]) -> SentenceSource:
    sentence = item.text.strip()
    for quote in filter(None, (item.quote, sentence)):
        for ground in grounds:
            if span := locate(quote, ground.text):
                words = ground.quote or ground.text[span[0] : span[1]]
                return SentenceSource(
                    sentence=sentence, quote=words[:2_000],
                    message=ground.message, label=ground.label[:200], url=ground.url,
                )  # fmt: skip
    return SentenceSource(sentence=sentence)


def text_block(sentences: Sequence[SentenceIn], grounds: Sequence[Ground]) -> Block:
    text, sources = sourced(sentences, grounds)
    return {"type": "text", "text": text, "sources": [source.model_dump() for source in sources]}


def written(entry: Entry, draft: Generate, grounds: Sequence[Ground]) -> list[Block]:
    """The story of a draft. Pictures, quotes and facts that stand stay, at the end if it names
    no place for them. Raises ToolRejected for an unknown id.
    """
    standing = {item["id"]: item for item in identified(entry.blocks)}
    remaining = {
        key: entry for key, entry in standing.items() if entry["type"] not in {"heading", "text"}
    }
    story: list[Block] = []
    for section in draft.sections:
        if section.heading and section.heading.strip():
            story.append({"type": "heading", "text": section.heading.strip(), "level": 2})
        if section.sentences:
            story.append(text_block(section.sentences, grounds))
        for key in section.keep or ():
            if key not in standing:
                raise ToolRejected(_NO_BLOCK % {"id": key})
            if key in remaining:
                story.append(remaining.pop(key))
    return identified([*story, *remaining.values()])


def laid_out(entry: Entry, layout: Compose) -> list[Block]:
    """The blocks in another order, with new ones that show pictures. Raises ToolRejected when a
    block is lost or named twice.
    """
    standing = {item["id"]: item for item in identified(entry.blocks)}
    named = [piece.block for piece in layout.pieces if piece.block]
    if sorted(named) != sorted(standing):
        missing = ", ".join(sorted(set(standing) - set(named))) or "none"
        raise ToolRejected(f"Name each block that stands just once; missing: {missing}.")
    story: list[Block] = []
    for piece in layout.pieces:
        if piece.block:
            story.append(standing[piece.block])
        elif piece.new is not None:
            story.append(piece.new.model_dump(mode="json"))
    return identified(story)


def replaced_text(
    entry: Entry, key: str, sentences: Sequence[SentenceIn], grounds: Sequence[Ground]
) -> Block:
    """Other sentences for one text. Raises ToolRejected."""
    if not any(item["id"] == key and item["type"] == "text" for item in identified(entry.blocks)):
        raise ToolRejected(_NO_BLOCK % {"id": key})
    return {**text_block(sentences, grounds), "id": key}


def sketch_of(arguments: str) -> Sketch | None:
    """What a draft says as far as its call is written: the sentences, and what they stand for."""
    try:
        values = from_json(arguments, allow_partial="trailing-strings")
        texts = [values["text"]] if values.get("text") else []
        for section in [] if texts else values.get("sections") or [values]:
            words = (sentence.get("text") for sentence in section.get("sentences") or ())
            texts += [section.get("heading"), " ".join(filter(None, words))]
        about = {name: str(values[name]) for name in ("field", "block") if values.get(name)}
        return Sketch("\n\n".join(filter(None, texts)), about)
    except (ValueError, TypeError, AttributeError):  # not what was asked for, or not yet
        return None


def standing_text(entry: Entry, about: Mapping[str, Any]) -> str:
    """What a draft is to take the place of: a field, a block, or the whole story."""
    field, block = str(about.get("field") or ""), str(about.get("block") or "")
    if field in get_args(DraftField):
        return str(getattr(entry, field))
    return text_of([item for item in identified(entry.blocks) if block in {"", item["id"]}])


def differences(entry: Entry, command: RewriteEntry) -> list[dict[str, str]]:
    """Each text that a draft would change: its field, and how it reads before and after."""
    pairs = [
        (name, getattr(entry, name), getattr(command, name))
        for name in (*get_args(DraftField), "started", "ended")
    ]
    if command.tags is not None:
        pairs.append(("tags", ", ".join(entry.tags), ", ".join(command.tags)))
    pairs.append(("blocks", text_of(entry.blocks), text_of(command.story_of(entry))))
    return [
        {"field": name, "before": before, "after": after}
        for name, before, after in pairs
        if after is not None and after != before
    ]
