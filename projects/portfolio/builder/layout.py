"""A layout by rules: facts after the opening, pictures where they are spoken of, quotes last."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from futura.text import content_stems
from projects.portfolio.builder import content, sections
from projects.portfolio.builder.state import Proposal
from projects.portfolio.models import Entry, EntryImage

_BEFORE: Final = re.compile(
    r"\b(?:before|previously|old|original(?:ly)?|at the start)\b", re.IGNORECASE
)
_AFTER: Final = re.compile(
    r"\b(?:after(?:wards)?|now|new|finished|today|in the end)\b", re.IGNORECASE
)
Block = dict[str, Any]


def compose_by_rules(entry: Entry, images: Sequence[EntryImage]) -> Proposal:
    """Blocks and order of pictures; nothing of the text is changed, nothing is lost.

    `images` as the page shows them.
    """
    story = [dict(one) for one in content.in_order(entry.blocks)]
    quotes = [one for one in story if one["type"] == "quote"]
    tables = [one for one in story if one["type"] == "facts"]
    rest = [one for one in story if one["type"] not in {"quote", "facts"}]
    rest = _with_pictures(rest, images)
    rest = _with_facts(rest, tables, entry)
    for one in quotes:
        rest = sections.with_block(rest, one, after="outcome")
    order = _order(images)
    return Proposal(
        kind="layout",
        blocks=None if rest == entry.blocks else rest,
        images=[] if order == [str(one.pk) for one in images] else order,
    )


def _with_facts(blocks: list[Block], tables: Sequence[Block], entry: Entry) -> list[Block]:
    """One table of facts, behind the opening."""
    rows: list[dict[str, str]] = []
    for table in tables:
        rows += [dict(one) for one in table["facts"]]
    known = {one["label"].casefold() for one in rows}
    rows += [one for one in content.facts_from(entry) if one["label"].casefold() not in known]
    if len(rows) < 2 and not tables:
        return blocks
    opening = sections.place_of(blocks, "what")
    at = opening[1] if opening else 0
    texts = [n for n in range(at) if blocks[n]["type"] == "text"]
    at = texts[0] + 1 if texts else at
    return [*blocks[:at], {"type": "facts", "facts": rows[:20]}, *blocks[at:]]


def _with_pictures(blocks: list[Block], images: Sequence[EntryImage]) -> list[Block]:
    """Pictures that no block shows yet: a pair of before and after, a gallery for the others."""
    shown = {
        str(one) for block in blocks
        for one in (*block.get("images", ()), block.get("before"), block.get("after")) if one
    }  # fmt: skip
    free = [one for one in images if not one.is_hero and str(one.pk) not in shown]
    hero = next((one for one in images if one.is_hero), None)
    pair = _pair(free, hero)
    if pair is not None and not any(one["type"] == "before_after" for one in blocks):
        before, after = pair
        block: Block = {
            "type": "before_after",
            "before": str(before.pk),
            "after": str(after.pk),
            "caption": "",
        }
        blocks = sections.with_block(
            blocks, block, after="outcome" if sections.place_of(blocks, "outcome") else "problem"
        )
        free = [one for one in free if one.pk not in {before.pk, after.pk}]
    if not free:
        return blocks
    for one in blocks:
        if one["type"] == "gallery":
            one["images"] = [*one["images"], *(str(image.pk) for image in free)]
            return blocks
    gallery: Block = {"type": "gallery", "images": [str(one.pk) for one in free], "caption": ""}
    return sections.with_block(blocks, gallery, after=_spoken_of(blocks, free))


def _pair(
    free: Sequence[EntryImage], hero: EntryImage | None
) -> tuple[EntryImage, EntryImage] | None:
    before = next((one for one in free if _BEFORE.search(_words(one))), None)
    others = [one for one in (*free, *([hero] if hero else [])) if before and one.pk != before.pk]
    after = next((one for one in others if _AFTER.search(_words(one))), None)
    return (before, after) if before and after else None


def _words(image: EntryImage) -> str:
    return f"{image.alt} {image.caption}"


def _spoken_of(blocks: Sequence[Mapping[str, Any]], images: Sequence[EntryImage]) -> str:
    """The part of the story that shares most words with the pictures."""
    wanted = content_stems(" ".join(_words(one) for one in images))
    there = [name for name in ("process", "outcome", "problem") if sections.place_of(blocks, name)]
    if not there:
        return ""
    return max(
        there, key=lambda name: len(wanted & content_stems(sections.text_about(blocks, name)))
    )


def _order(images: Sequence[EntryImage]) -> list[str]:
    """The hero first: the one there is, else one that shows the finished work."""
    if not images:
        return []
    finished = next((one for one in images if _AFTER.search(_words(one))), images[0])
    hero = next((one for one in images if one.is_hero), finished)
    return [str(hero.pk), *(str(one.pk) for one in images if one.pk != hero.pk)]
