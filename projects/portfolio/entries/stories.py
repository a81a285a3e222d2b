"""The story of an entry as a list that is edited block by block, from several tabs at once.

A block is found by what it said when it was shown, not by its place alone: somebody else may have
moved it meanwhile.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from projects.portfolio import blocks
from projects.portfolio.entries.checks import pictures_in

Plain = dict[str, Any]
KINDS: Final[Mapping[str, str | Promise]] = {
    "text": _("Text"),
    "heading": _("Heading"),
    "gallery": _("Gallery"),
    "before_after": _("Before and after"),
    "quote": _("Quote"),
    "facts": _("Facts"),
}


@dataclass(frozen=True)
class Row:
    """One block in the list of the editor."""

    place: int
    digest: str
    kind: str
    name: str | Promise
    words: str
    pictures: Sequence[str]


def digest_of(block: Mapping[str, Any]) -> str:
    """A short name for what a block says."""
    told = orjson.dumps(block, option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(told).hexdigest()[:16]


def rows_of(story: Sequence[Mapping[str, Any]]) -> list[Row]:
    """The blocks as the editor lists them."""
    return [
        Row(
            place=place,
            digest=digest_of(block),
            kind=str(block.get("type", "")),
            name=KINDS.get(str(block.get("type", "")), ""),
            words=blocks.text_of([block]),
            pictures=pictures_in(block),
        )
        for place, block in enumerate(story)
    ]


def in_words(story: Any) -> str:
    """A story as plain text, a paragraph for each block; what has no known form is left out."""
    if not isinstance(story, list):
        return ""
    told = [
        _in_words(one) for one in story if isinstance(one, dict) and not blocks.faults_of([one])
    ]
    return "\n".join(filter(None, told))


def _in_words(block: Mapping[str, Any]) -> str:
    words = blocks.text_of([block])
    count = len(pictures_in(block))
    if not count:
        return words
    shown = ngettext("%(n)d picture", "%(n)d pictures", count) % {"n": count}
    return f"[{KINDS[block['type']]}: {shown}] {words}".strip()


def found(story: Sequence[Mapping[str, Any]], at: int, was: str) -> int | None:
    """Where the block that said this stands now: at its place, else nearest to it; or None."""
    same = [place for place, one in enumerate(story) if digest_of(one) == was]
    return min(same, key=lambda place: abs(place - at), default=None)


def put(story: Sequence[Plain], at: int, block: Plain) -> list[Plain]:
    """The story with a new block at a place, or at the end."""
    place = max(0, min(at, len(story)))
    return [*story[:place], block, *story[place:]]


def changed(story: Sequence[Plain], place: int, block: Plain) -> list[Plain]:
    """The story with another block at a place; it keeps its id, and what sentences stand on."""
    kept = {name: story[place][name] for name in ("id", "sources") if name in story[place]}
    if block["type"] != story[place]["type"]:
        kept.pop("sources", None)
    return [*story[:place], {**kept, **block}, *story[place + 1 :]]


def without(story: Sequence[Plain], place: int) -> list[Plain]:
    """The story without one block."""
    return [*story[:place], *story[place + 1 :]]


def moved(story: Sequence[Plain], place: int, to: int) -> list[Plain]:
    """The story with one block elsewhere."""
    return put(without(story, place), to, story[place])
