"""Titles of to-dos: the words of a line that lie outside the spans that were read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Field = Literal[
    "verb", "due", "start", "repeat", "priority", "project", "estimate", "assignee", "tag"
]


@dataclass(frozen=True)
class Span:
    """A stretch `text[start:end]` that was read and is no part of the title."""

    start: int
    end: int
    field: Field


def title_of(text: str, spans: Sequence[Span]) -> str:
    """The words of a line outside its spans, in their order."""
    pieces, at = [""], 0
    for span in sorted(spans, key=lambda item: item.start):
        pieces.append(text[at : span.start])
        at = span.end
    pieces.append(text[at:])
    title = ""
    for piece in pieces:
        words = " ".join(piece.split())
        gap = "" if not title or re.match(r"[,;:.!?)…]", words) else " "
        title = f"{title}{gap}{words}" if words else title
    return capitalized(title)


def capitalized(title: str) -> str:
    """With a capital first, unless the word has capitals of its own (“iPhone”)."""
    word = title.split(" ", 1)[0]
    is_plain = word.islower() and word[:1].isalpha() and len(word[:1].upper()) == 1
    return title[:1].upper() + title[1:] if is_plain and "." not in word[:-1] else title
