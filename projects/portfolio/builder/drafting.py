"""Drafts: sentences with what each stands on, as blocks; layouts that lose no block.

A sentence that nothing bears out stays and is marked. Code looks only whether a quote is found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from pydantic_core import from_json

from chat.assistant.toolset import Sketch
from chat.guides import Turn
from chat.models import Message
from futura.llm.tools import ToolRejected
from futura.text import locate
from projects.portfolio.blocks import SentenceSource, identified, text_of
from projects.portfolio.builder import calls
from projects.portfolio.builder.calls import DraftField
from projects.portfolio.commands.story import RewriteEntry, Section
from projects.portfolio.models import Entry

Block = dict[str, Any]


@dataclass(frozen=True)
class Ground:
    """A text that a sentence may stand on: a message by its id, or a record with its address.

    `section` is where a sentence of a first draft goes that says just this.
    """

    text: str
    message: str = ""
    label: str = ""
    url: str = ""
    section: Section = "what"


def grounds_of(turn: Turn[Any], records: Sequence[Ground] = ()) -> list[Ground]:
    """What the person said in this conversation, then their records. One query."""
    said = Message.objects.filter(
        session_id=turn.session_id, role=Message.Role.PERSON, superseded_at=None
    )
    told = [Ground(text, str(key)) for key, text in said.order_by("seq").values_list("pk", "text")]
    return [*told, *records]


def sourced(
    given: Sequence[calls.SentenceIn], grounds: Sequence[Ground]
) -> tuple[str, list[SentenceSource]]:
    """The sentences as a text, and what each stands on."""
    text = " ".join(one.text.strip() for one in given)
    return text, [_source(one, grounds) for one in given]


def _source(given: calls.SentenceIn, grounds: Sequence[Ground]) -> SentenceSource:
    sentence = given.text.strip()
    for quote in filter(None, (given.quote, sentence)):
        for ground in grounds:
            if span := locate(quote, ground.text):
                return SentenceSource(
                    sentence=sentence, quote=ground.text[span[0] : span[1]][:2_000],
                    message=ground.message, label=ground.label[:200], url=ground.url,
                )  # fmt: skip
    return SentenceSource(sentence=sentence)


def text_block(given: Sequence[calls.SentenceIn], grounds: Sequence[Ground]) -> Block:
    """Sentences as a block."""
    text, sources = sourced(given, grounds)
    return {"type": "text", "text": text, "sources": [one.model_dump() for one in sources]}


def written(entry: Entry, draft: calls.Generate, grounds: Sequence[Ground]) -> list[Block]:
    """The story of a draft. Pictures, quotes and facts that stand stay, at the end if it names
    no place for them. Raises ToolRejected for an unknown id.
    """
    standing = {one["id"]: one for one in identified(entry.blocks)}
    rest = {key: one for key, one in standing.items() if one["type"] not in {"heading", "text"}}
    story: list[Block] = []
    for section in draft.sections:
        if section.heading and section.heading.strip():
            story.append({"type": "heading", "text": section.heading.strip(), "level": 2})
        if section.sentences:
            story.append(text_block(section.sentences, grounds))
        for key in section.keep or ():
            if key not in standing:
                raise ToolRejected(f"There is no block {key}; nothing was drafted.")
            if key in rest:
                story.append(rest.pop(key))
    return identified([*story, *rest.values()])


def laid_out(entry: Entry, layout: calls.Compose) -> list[Block]:
    """The blocks in another order, with new ones that show pictures. Raises ToolRejected when a
    block is lost or named twice, or a new one has words.
    """
    standing = {one["id"]: one for one in identified(entry.blocks)}
    named = [one.block for one in layout.pieces if one.block]
    if sorted(named) != sorted(standing):
        missing = ", ".join(sorted(set(standing) - set(named))) or "none"
        raise ToolRejected(f"Name each block that stands just once; missing: {missing}.")
    story: list[Block] = []
    for piece in layout.pieces:
        if piece.block:
            story.append(standing[piece.block])
        elif piece.new is not None:
            if piece.new.type not in {"gallery", "before_after"}:
                raise ToolRejected("A layout adds galleries and before_after blocks alone.")
            story.append(piece.new.stored())
    return identified(story)


def replaced_block(
    entry: Entry, key: str, given: Sequence[calls.SentenceIn], grounds: Sequence[Ground]
) -> list[Block]:
    """The story with other sentences in one text. Raises ToolRejected."""
    story = identified(entry.blocks)
    if not any(one["id"] == key and one["type"] == "text" for one in story):
        raise ToolRejected(f"There is no text block {key}.")
    new = {**text_block(given, grounds), "id": key}
    return [new if one["id"] == key else one for one in story]


def sketch_of(arguments: str) -> Sketch | None:
    """What a draft says as far as its call is written: the sentences, and what they stand for."""
    try:
        given = from_json(arguments, allow_partial="trailing-strings")
    except ValueError:
        return None
    if not isinstance(given, dict):
        return None
    texts = [_text(given, "text")] if given.get("text") else []
    for section in [] if texts else _rows(given.get("sections")) or [given]:
        words = (_text(sentence, "text") for sentence in _rows(section.get("sentences")))
        texts += [_text(section, "heading"), " ".join(filter(None, words))]
    about = {name: given[name] for name in ("field", "block") if isinstance(given.get(name), str)}
    return Sketch("\n\n".join(filter(None, texts)), about)


def _rows(value: object) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _text(value: Mapping[str, Any], name: str) -> str:
    text = value.get(name)
    return text if isinstance(text, str) else ""


def standing_text(entry: Entry, about: Mapping[str, Any]) -> str:
    """What a draft is to take the place of: a field, a block, or the whole story."""
    field, block = str(about.get("field") or ""), str(about.get("block") or "")
    if field in get_args(DraftField):
        return str(getattr(entry, field))
    return text_of([one for one in identified(entry.blocks) if block in {"", one["id"]}])


def differences(entry: Entry, command: RewriteEntry) -> list[dict[str, str]]:
    """Each text that a draft would change: its field, and how it reads before and after."""
    pairs = [
        (name, getattr(entry, name), getattr(command, name))
        for name in (*get_args(DraftField), "started", "ended")
    ]
    if command.tags is not None:
        pairs.append(("tags", ", ".join(entry.tags), ", ".join(command.tags)))
    if command.blocks is not None:
        after = text_of([one.model_dump(mode="json") for one in command.blocks])
        pairs.append(("blocks", text_of(entry.blocks), after))
    return [
        {"field": name, "before": before, "after": after}
        for name, before, after in pairs
        if after is not None and after != before
    ]
