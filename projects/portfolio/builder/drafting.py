"""Draft, layout, advice and wording by the model; what its words do not bear out is left out.

Each function has its counterpart by rules, which takes over when the model fails.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from chat.assistant.delimiter import delimiter_of
from chat.memory.assemble import assemble
from futura.errors import ModelUnavailable
from futura.llm.client import ChatMessage
from projects.portfolio.builder import briefing, coaching, content, layout, prompts, sections
from projects.portfolio.builder.desk import Desk
from projects.portfolio.builder.grounding import Heard, heard_in
from projects.portfolio.builder.state import Proposal
from projects.portfolio.models import Entry, EntryImage

CONTENT: Final = "portfolio_content"
LAYOUT: Final = "portfolio_layout"
CHECK: Final = "portfolio_check"
BUDGET: Final = 16_000
_PARTS: Final = (
    ("what", "opening"),
    ("problem", "problem"),
    ("process", "process"),
    ("outcome", "outcome"),
)


def write(entry: Entry, desk: Desk, wish: str) -> Proposal:
    """A draft of the whole text."""
    ruled = content.write_by_rules(entry, desk.state.told)
    if not desk.with_model:
        return ruled
    try:
        return write_with_model(entry, desk, wish, ruled)
    except ModelUnavailable:
        return ruled


def write_with_model(entry: Entry, desk: Desk, wish: str, ruled: Proposal) -> Proposal:
    """The model's draft, sentence by sentence as far as it was told. Raises ModelUnavailable."""
    delimiter = delimiter_of(desk.turn)
    out = desk.turn.llm.structured(
        CONTENT, _messages(desk, entry, prompts.content(delimiter, wish)), prompts.ContentOut,
        prompt_version=prompts.CONTENT_VERSION,
    )  # fmt: skip
    heard = heard_of(desk, entry)
    fields = dict(ruled.fields)
    for name in ("title", "summary", "seo_title", "seo_description"):
        text = str(getattr(out, name)).strip()
        if text and heard.bears(text):
            fields[name] = text
    tags = [one for one in out.tags if heard.bears(one)]
    if tags:
        fields["tags"] = list(dict.fromkeys([*entry.tags, *tags]))[:12]
    blocks = _with_story(entry, out, heard)
    return Proposal(
        kind="content", fields=fields, blocks=None if blocks == entry.blocks else blocks
    )


def _with_story(entry: Entry, out: prompts.ContentOut, heard: Heard) -> list[dict[str, Any]]:
    """The model's paragraphs in place of those that stand, part by part; other blocks stay."""
    blocks = [dict(one) for one in entry.blocks]
    for topic, name in _PARTS:
        text = heard.kept(getattr(out, name).strip())
        if text:
            blocks = sections.with_text(_without_texts(blocks, topic), topic, text)
    return blocks


def _without_texts(blocks: list[dict[str, Any]], topic: str) -> list[dict[str, Any]]:
    place = sections.place_of(blocks, topic)
    if place is None:
        return blocks
    first, end = place
    kept = [one for one in blocks[first:end] if one["type"] != "text"]
    return [*blocks[:first], *kept, *blocks[end:]]


def compose(entry: Entry, images: Sequence[EntryImage], desk: Desk, wish: str) -> Proposal:
    """A layout; it loses no block, whoever makes it."""
    ruled = layout.compose_by_rules(entry, images)
    if not desk.with_model:
        return ruled
    try:
        return compose_with_model(entry, images, desk, wish) or ruled
    except ModelUnavailable:
        return ruled


def compose_with_model(
    entry: Entry, images: Sequence[EntryImage], desk: Desk, wish: str
) -> Proposal | None:
    """The model's order; None when it lost or doubled a block. Raises ModelUnavailable."""
    asked = _messages(desk, entry, prompts.layout(delimiter_of(desk.turn), wish))
    out = desk.turn.llm.structured(
        LAYOUT, asked, prompts.LayoutOut,
        prompt_version=prompts.LAYOUT_VERSION,
    )  # fmt: skip
    named = [one.block for one in out.pieces if one.block is not None]
    if sorted(named) != list(range(1, len(entry.blocks) + 1)):
        return None
    blocks: list[dict[str, Any]] = []
    for one in out.pieces:
        if one.block is not None:
            blocks.append(dict(entry.blocks[one.block - 1]))
        elif one.new is not None and (made := _pictures_block(one.new, images)):
            blocks.append(made)
    order = [str(images[n - 1].pk) for n in dict.fromkeys(out.pictures) if 0 < n <= len(images)]
    order += [str(one.pk) for one in images if str(one.pk) not in order]
    is_same = order == [str(one.pk) for one in images]
    return Proposal(
        kind="layout", blocks=None if blocks == entry.blocks else blocks,
        images=[] if is_same else order,
    )  # fmt: skip


def _pictures_block(given: Any, images: Sequence[EntryImage]) -> dict[str, Any] | None:
    ids = [str(images[n - 1].pk) for n in given.images or () if 0 < n <= len(images)]
    if given.type == "gallery" and ids:
        return {"type": "gallery", "images": ids, "caption": ""}
    if given.type == "before_after" and len(ids) == 2:
        return {"type": "before_after", "before": ids[0], "after": ids[1], "caption": ""}
    return None


def advise(entry: Entry, images: Sequence[EntryImage], desk: Desk) -> list[str]:
    """What would make the entry better."""
    ruled = coaching.tips_for(entry, images, desk.state.told)
    if not desk.with_model:
        return ruled
    try:
        out = desk.turn.llm.structured(
            CHECK, _messages(desk, entry, prompts.check(delimiter_of(desk.turn))), prompts.TipsOut,
            prompt_version=prompts.CHECK_VERSION,
        )  # fmt: skip
    except ModelUnavailable:
        return ruled
    return [one.strip() for one in out.tips if one.strip()] or ruled


def reword(section: str, entry: Entry, desk: Desk, wish: str) -> str:
    """Another wording of a short text; empty when there is none."""
    if desk.with_model:
        asked = _messages(desk, entry, prompts.wording(delimiter_of(desk.turn), section, wish))
        try:
            out = desk.turn.llm.structured(
                CONTENT, asked, prompts.WordingOut, prompt_version=prompts.CONTENT_VERSION,
            )  # fmt: skip
            text = " ".join(out.text.split()).strip(' "“”')
            if heard_of(desk, entry).bears(text) and text != getattr(entry, section):
                return text
        except ModelUnavailable:
            pass
    return content.other_wording(section, entry, desk.state.told, wish)


def heard_of(desk: Desk, entry: Entry) -> Heard:
    """What was said in the talk, and what stands in the entry."""
    stands = [briefing.entry_text(entry), *(sections.say_of(one) for one in entry.blocks)]
    return heard_in(desk.turn, desk.state.told, [*stands, entry.portfolio.owner_name])


def _messages(desk: Desk, entry: Entry, instructions: str) -> list[ChatMessage]:
    known = briefing.known(entry, desk.pictures(entry), desk.profile(entry.portfolio), desk.state)
    state = prompts.records(known, delimiter_of(desk.turn))
    return assemble(desk.turn.context, instructions=instructions, state=state, budget=BUDGET)
