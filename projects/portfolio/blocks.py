"""The blocks of an entry: heading, text, gallery, before and after, quote, facts."""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from projects.portfolio.plain import plain

BLOCKS: Final = 60
WORD: Final = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
ImageId = Annotated[str, Field(pattern=r"^[0-9a-f-]{36}$")]


class _Block(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


class Heading(_Block):
    """A heading within the entry."""

    type: Literal["heading"]
    text: str = Field(min_length=1, max_length=200)
    level: Literal[2, 3] = 2


class Text(_Block):
    """Paragraphs in Markdown."""

    type: Literal["text"]
    text: str = Field(min_length=1, max_length=10_000)


class Gallery(_Block):
    """Pictures of the entry, by their ids, in order."""

    type: Literal["gallery"]
    images: list[ImageId] = Field(min_length=1, max_length=40)
    caption: str = Field("", max_length=300)


class BeforeAfter(_Block):
    """Two pictures that show what changed."""

    type: Literal["before_after"]
    before: ImageId
    after: ImageId
    caption: str = Field("", max_length=300)


class Quote(_Block):
    """What somebody said."""

    type: Literal["quote"]
    text: str = Field(min_length=1, max_length=2_000)
    said_by: str = Field("", max_length=200)


class Fact(_Block):
    """A line of a table of facts."""

    label: str = Field(min_length=1, max_length=80)
    value: str = Field(min_length=1, max_length=300)


class Facts(_Block):
    """A small table."""

    type: Literal["facts"]
    facts: list[Fact] = Field(min_length=1, max_length=20)


Block = Annotated[
    Heading | Text | Gallery | BeforeAfter | Quote | Facts, Field(discriminator="type")
]
_ADAPTER: Final[TypeAdapter[list[Block]]] = TypeAdapter(
    Annotated[list[Block], Field(max_length=BLOCKS)]
)


def read_blocks(value: Any) -> list[Block]:
    """Stored blocks, typed. Raises pydantic.ValidationError."""
    return _ADAPTER.validate_python(value)


def faults_of(value: Any) -> list[str]:
    """What is wrong with a list of blocks, a sentence each; empty when nothing is."""
    try:
        read_blocks(value)
    except ValidationError as error:
        return [
            f"{'.'.join(str(part) for part in one['loc']) or 'blocks'}: {one['msg']}"
            for one in error.errors(include_url=False)
        ]
    return []


def text_of(value: Any) -> str:
    """The words of stored blocks as visitors read them, a block a paragraph."""
    return "\n\n".join(filter(None, map(_words, read_blocks(value))))


def word_count(value: Any) -> int:
    """How many words stand in stored blocks (publishing asks for at least 40)."""
    return len(WORD.findall(text_of(value)))


def _words(block: Block) -> str:
    match block:
        case Heading(text=text):
            return text
        case Text(text=text):
            return plain(text)
        case Quote(text=text, said_by=said_by):
            return f"“{text}” {said_by}".strip()
        case Facts(facts=facts):
            return "\n".join(f"{one.label}: {one.value}" for one in facts)
        case Gallery(caption=caption) | BeforeAfter(caption=caption):
            return caption
