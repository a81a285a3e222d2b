"""The description as sections of a story: pure functions over lists of blocks.

A block is plain JSON in one of the forms of `projects.portfolio.blocks`. Every function gives a new
list. Numbers of blocks count from 1.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

Block = dict[str, Any]
Blocks = Sequence[Mapping[str, Any]]

HEADINGS: Final[Mapping[str, str | Promise]] = {
    "problem": gettext_lazy("The starting point"),
    "process": gettext_lazy("How it was done"),
    "outcome": gettext_lazy("What came of it"),
}
STORY: Final = ("what", "problem", "process", "outcome")
"""Sections in the order in which they are read; the first has no heading."""

_OTHER_NAMES: Final = {
    "problem": r"problem|challenge|starting point|background|before|situation|brief|why",
    "process": r"process|approach|how (?:it|we|i)\b.*|method\w*|design|solution|making of",
    "outcome": r"outcomes?|results?|impact|what came of it|effect|afterwards|today|findings",
}
_TEXTS: Final = ("text", "caption", "said_by")


def topic_of(heading: str) -> str:
    """The topic that a heading stands for; empty for one of the person's own."""
    plain = " ".join(heading.casefold().split()).strip(" .:!?")
    for name, ours in HEADINGS.items():
        if plain == str(ours).casefold():
            return name
    for name, pattern in _OTHER_NAMES.items():
        if re.fullmatch(rf"(?:the |our |my )?(?:{pattern})", plain):
            return name
    return ""


def place_of(blocks: Blocks, topic: str) -> tuple[int, int] | None:
    """Where a topic's section lies, as [first, behind the last); None when it has none."""
    if topic == "what":
        end = next((at for at, one in enumerate(blocks) if one["type"] == "heading"), len(blocks))
        return (0, end) if end else None
    for at, one in enumerate(blocks):
        if one["type"] == "heading" and topic_of(str(one["text"])) == topic:
            end = next(
                (n for n in range(at + 1, len(blocks)) if blocks[n]["type"] == "heading"),
                len(blocks),
            )
            return at, end
    return None


def text_about(blocks: Blocks, topic: str) -> str:
    """The paragraphs of a topic's section."""
    place = place_of(blocks, topic)
    if place is None:
        return ""
    told = [str(one["text"]) for one in blocks[place[0] : place[1]] if one["type"] == "text"]
    return "\n\n".join(told)


def with_text(blocks: Blocks, topic: str, text: str) -> list[Block]:
    """The blocks with a paragraph more in a topic's section, which is made where it belongs."""
    found = [dict(one) for one in blocks]
    place = place_of(found, topic)
    if place is None:
        at = _place_for(found, topic)
        new: list[Block] = [{"type": "text", "text": text}]
        if topic in HEADINGS:
            new.insert(0, {"type": "heading", "level": 2, "text": str(HEADINGS[topic])})
        return [*found[:at], *new, *found[at:]]
    first, end = place
    texts = [at for at in range(first, end) if found[at]["type"] == "text"]
    if not texts:
        after = first + 1 if topic in HEADINGS else 0
        return [*found[:after], {"type": "text", "text": text}, *found[after:]]
    last = texts[-1]
    found[last]["text"] = _joined(str(found[last]["text"]), text)
    return found


def _joined(before: str, more: str) -> str:
    gap = "\n\n" if len(before) + len(more) > 500 else " "
    return f"{before.rstrip()}{gap}{more}"


def _place_for(blocks: Blocks, topic: str) -> int:
    """Behind the sections that are read before this one, before those that are read after it."""
    if topic == "what":
        return 0
    later = STORY[STORY.index(topic) + 1 :]
    starts = [place[0] for one in later if (place := place_of(blocks, one))]
    if starts:
        return min(starts)
    # facts, pictures and quotes without a heading close the page
    at = len(blocks)
    while at and blocks[at - 1]["type"] in {"facts", "gallery", "before_after", "quote"}:
        at -= 1
    has_heading = any(one["type"] == "heading" for one in blocks)
    return len(blocks) if has_heading else max(at, 0)


def with_block(blocks: Blocks, new: Block, *, after: str = "") -> list[Block]:
    """A block more: at the end of a topic's section, else at the end."""
    found = [dict(one) for one in blocks]
    place = place_of(found, after) if after else None
    at = place[1] if place else len(found)
    if new["type"] == "facts":
        for one in found:
            if one["type"] == "facts":
                one["facts"] = _merged(one["facts"], new["facts"])
                return found
    return [*found[:at], new, *found[at:]]


def _merged(old: Sequence[Mapping[str, str]], new: Sequence[Mapping[str, str]]) -> list[Block]:
    """Facts by their labels: a new value takes the place of the old one."""
    rows = {str(one["label"]).casefold(): dict(one) for one in old}
    for one in new:
        rows[str(one["label"]).casefold()] = dict(one)
    return list(rows.values())


def without(blocks: Blocks, number: int) -> list[Block]:
    """The blocks without one; a heading goes with its texts only when nothing else is below it."""
    return [dict(one) for at, one in enumerate(blocks, start=1) if at != number]


def moved(blocks: Blocks, number: int, to: int) -> list[Block]:
    """A block at another place."""
    found = [dict(one) for one in blocks]
    one = found.pop(number - 1)
    found.insert(max(0, min(to - 1, len(found))), one)
    return found


def replaced(value: Any, old: str, new: str) -> Any:
    """The same plain value with words replaced wherever they stand whole, in any case."""
    if isinstance(value, str):
        pattern = re.compile(rf"(?<!\w){re.escape(old)}(?!\w)", re.IGNORECASE)
        return pattern.sub(lambda hit: _cased(hit.group(0), new), value)
    if isinstance(value, list):
        return [replaced(one, old, new) for one in value]
    if isinstance(value, dict):
        return {
            key: one if key in {"type", "images", "before", "after"} else replaced(one, old, new)
            for key, one in value.items()
        }
    return value


def _cased(was: str, new: str) -> str:
    return new[:1].upper() + new[1:] if was[:1].isupper() and new[:1].islower() else new


def say_of(block: Mapping[str, Any]) -> str:
    """One block in a few words."""
    match block["type"]:
        case "heading" | "text" | "quote":
            return str(block["text"])
        case "facts":
            return "; ".join(f"{one['label']}: {one['value']}" for one in block["facts"])
        case _:
            return str(block.get("caption", ""))


def numbered_of(blocks: Blocks, kind: str) -> list[int]:
    """Numbers of the blocks of one type."""
    return [at for at, one in enumerate(blocks, start=1) if one["type"] == kind]
