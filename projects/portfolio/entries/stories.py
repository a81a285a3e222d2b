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
from projects.portfolio.blocks import pictures_in

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
    says = {name: value for name, value in block.items() if name != "id"}
    told = orjson.dumps(says, option=orjson.OPT_SORT_KEYS)
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
