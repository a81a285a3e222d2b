"""The blocks of an entry: heading, text, gallery, before and after, quote, facts."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _, ngettext
from markdown_it import MarkdownIt
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    TypeAdapter,
    ValidationError,
    model_serializer,
)
from pydantic.json_schema import SkipJsonSchema

from futura.errors import BadInput
from futura.faults import sentence
from futura.text import UNSPACED

BLOCKS: Final = 60
_parser: Final = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
WORD: Final = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
ImageId = Annotated[str, Field(pattern=r"^[0-9a-f-]{36}$")]
NAMES: Final[Mapping[str, str | Promise]] = {
    "text": _("Text"),
    "heading": _("Heading"),
    "gallery": _("Gallery"),
    "before_after": _("Before and after"),
    "quote": _("Quote"),
    "facts": _("Facts"),
}


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


class _Block(_Strict):
    """What all blocks have: an id that is theirs within the entry, once something named them."""

    # no model is asked for one
    id: SkipJsonSchema[str] = Field("", max_length=12, pattern=r"^[a-z0-9-]*$")

    @model_serializer(mode="wrap")
    def _without_empty(self, serialize: SerializerFunctionWrapHandler) -> dict[str, Any]:
        stored: dict[str, Any] = serialize(self)
        return {
            name: value for name, value in stored.items() if value or name not in {"id", "sources"}
        }


class SentenceSource(_Strict):
    """What a sentence of a draft stands on; without a quote or label nothing was found.

    `quote` is a stretch of what the owner said in `message`, or of a record that `label` and `url`
    name. It holds while the sentence stands in the text of its block.
    """

    sentence: str = Field(min_length=1, max_length=2_000)
    quote: str = Field("", max_length=2_000)
    message: str = Field("", max_length=36)
    label: str = Field("", max_length=200)
    url: str = Field("", max_length=500)

    @property
    def is_supported(self) -> bool:
        return bool(self.quote or self.url)


class Heading(_Block):
    """A heading within the entry."""

    type: Literal["heading"]
    text: str = Field(min_length=1, max_length=200)
    level: Literal[2, 3] = 2


class PlainText(_Block):
    """Paragraphs in Markdown."""

    type: Literal["text"]
    text: str = Field(min_length=1, max_length=10_000)


class Text(PlainText):
    """The same, with what its sentences stand on."""

    sources: list[SentenceSource] = Field(default_factory=list, max_length=200)


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


class Fact(_Strict):
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
BlockIn = Annotated[
    Heading | PlainText | Gallery | BeforeAfter | Quote | Facts, Field(discriminator="type")
]
"""A block as somebody gives it: what its sentences stand on nobody can claim."""
_ADAPTER: Final[TypeAdapter[list[Block]]] = TypeAdapter(
    Annotated[list[Block], Field(max_length=BLOCKS)]
)


def read_blocks(value: Any) -> list[Block]:
    """Stored blocks, typed. Raises pydantic.ValidationError."""
    return _ADAPTER.validate_python(value)


def stored_blocks(value: Any) -> list[dict[str, Any]]:
    """Blocks as they are stored. Raises BadInput that says what is wrong with which."""
    try:
        return [block.model_dump(mode="json") for block in read_blocks(value)]
    except ValidationError as error:
        faults = [
            f"{'.'.join(map(str, item['loc'])) or 'blocks'}: {sentence(item)}"
            for item in error.errors(include_url=False)[:3]
        ]
        raise BadInput(" ".join(faults), field="blocks") from error


def pictures_in(block: Mapping[str, Any]) -> list[str]:
    """Ids of the pictures that a block shows, in order."""
    pair = [str(block[name]) for name in ("before", "after") if block.get(name)]
    return [*map(str, block.get("images", ())), *pair]


def identified(value: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Stored blocks, each with an id of its own; one that has none gets it from what it says."""
    taken: set[str] = set()
    blocks = []
    for block in value:
        key = str(block.get("id", "")) or _short_digest(json.dumps(block, sort_keys=True))
        while key in taken:
            key = _short_digest(key)
        taken.add(key)
        blocks.append({**block, "id": key})
    return blocks


def _short_digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:6]


def standing_sources(block: Mapping[str, Any]) -> list[SentenceSource]:
    """Of a stored text, the sources of sentences that still stand in it."""
    text = str(block.get("text", ""))
    sources = (SentenceSource.model_validate(item) for item in block.get("sources", ()))
    return [source for source in sources if source.sentence in text]


def text_of(value: Any) -> str:
    """The words of stored blocks as visitors read them, a block a paragraph."""
    return "\n\n".join(filter(None, map(words_of, read_blocks(value))))


def word_count(value: Any) -> int:
    """How many words stand in stored blocks (publishing asks for at least 40); where no blanks part
    them, two letters are one.
    """
    text, letters = UNSPACED.subn(" ", text_of(value))
    return len(WORD.findall(text)) + letters // 2


def story_text(value: Sequence[Mapping[str, Any]] | None) -> str:
    """Stored blocks as plain text for the ledger, with how many pictures each shows."""
    lines = []
    for block in value or ():
        line = text_of([block])
        if count := len(pictures_in(block)):
            pictures = ngettext("%(n)d picture", "%(n)d pictures", count) % {"n": count}
            line = f"[{NAMES[block['type']]}: {pictures}] {line}".strip()
        lines.append(line)
    return "\n".join(filter(None, lines))


def plain_text(markdown: str) -> str:
    """Markdown as the words that visitors read, a line for each paragraph, heading and item."""
    lines = []
    for token in _parser.parse(markdown):
        if token.type in {"fence", "code_block"}:
            lines.append(token.content.rstrip())
        elif token.type == "inline":
            breaks = {"softbreak", "hardbreak"}
            parts = ("\n" if part.type in breaks else part.content for part in token.children or ())
            lines.append("".join(parts).strip())
    return "\n".join(line for line in lines if line.strip())


def words_of(block: Block) -> str:
    """What visitors read of a block."""
    match block:
        case Heading(text=text):
            return text
        case Text(text=text):
            return plain_text(text)
        case Quote(text=text, said_by=said_by):
            return f"“{text}” {said_by}".strip()
        case Facts(facts=facts):
            return "\n".join(f"{fact.label}: {fact.value}" for fact in facts)
        case Gallery(caption=caption) | BeforeAfter(caption=caption):
            return caption
