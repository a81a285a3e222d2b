"""Splits what somebody wrote into sentences and list items, with their places in the text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from futura.text import content_stems

_BULLET: Final = re.compile(r"^\s*(?:[-*+•–]|\d{1,2}[.)]|\[[ xX]?\])\s+")
_END: Final = re.compile(r"(?<=[.!?…])[\"'”’)]*\s+(?=[\"'“‘(]?[A-Z0-9])")
_ABBREVIATED: Final = re.compile(
    r"\b(?:e\.g|i\.e|etc|approx|ca|vs|no|dr|mr|mrs|ms|prof|jan|feb|mar|apr|jun|jul|aug|sept?|oct"
    r"|nov|dec|\d{1,2})\.$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Sentence:
    """A sentence or list item as it was written; `is_item` for a line of a list."""

    text: str
    start: int
    is_item: bool = False

    @property
    def end(self) -> int:
        """Place behind its last character."""
        return self.start + len(self.text)


def sentences(text: str) -> list[Sentence]:
    """The sentences of a text in order; a line is never joined with the next one."""
    found: list[Sentence] = []
    place = 0
    for line in text.splitlines(keepends=True):
        bullet = _BULLET.match(line)
        begin = bullet.end() if bullet else 0
        found += _in_line(line, begin, place, is_item=bullet is not None)
        place += len(line)
    return found


def _in_line(line: str, begin: int, place: int, *, is_item: bool) -> list[Sentence]:
    found, start = [], begin
    for end in _END.finditer(line, begin):
        if _ABBREVIATED.search(line[start : end.start()]):
            continue
        found.append((start, end.start()))
        start = end.end()
    found.append((start, len(line)))
    result = []
    for a, b in found:
        piece = line[a:b]
        kept = piece.strip()
        if any(letter.isalnum() for letter in kept):
            at = place + a + piece.index(kept)
            result.append(Sentence(kept, at, is_item and a == begin))
    return result


def is_said(sentence: str, text: str) -> bool:
    """Whether a text says this already, word for word or nearly (stems of content words)."""
    if sentence.casefold().strip(" .!") in text.casefold():
        return True
    wanted = content_stems(sentence)
    return bool(wanted) and any(
        wanted <= content_stems(one.text) for one in sentences(text) if len(wanted) > 2
    )
