"""What the model gives the builder's tools: one typed shape for each, named as specified.

Blocks and pictures are named by their ids, the entry by the conversation. Nothing here reads or
writes.
"""

from __future__ import annotations

import uuid
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from chat.commands.base import Command
from projects.portfolio.commands.story import BlockIn, Section
from projects.portfolio.schema.fields import values_model
from projects.portfolio.schema.kinds import ENTRY

TextField = Literal[
    "title", "entry_type", "location", "summary", "description", "impact", "size_or_scope", "role",
    "organization", "context", "started", "ended", "repository_url", "live_url", "seo_title",
    "seo_description",
]  # fmt: skip
DraftField = Literal["title", "summary", "description", "role", "seo_title", "seo_description"]
ListField = Literal["tags", "materials", "techniques", "tech_stack", "languages"]
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
    what came of it.
    """

    section: Section
    sentences: list[SentenceIn] = Field(min_length=1, max_length=60)


Told: Final = values_model("Told", [one for one in ENTRY if one.name not in _UNTOLD])


class Extract(Told):  # type: ignore[misc, valid-type]
    """What the person's last message says about the work. Null leaves something as it is."""

    story: list[ParagraphIn] | None = Field(None, max_length=12)


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
    new: BlockIn | None = None


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
