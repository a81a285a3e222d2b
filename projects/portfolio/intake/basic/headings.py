"""Finds the sections of a resume: lines that are headings, by a list of them and by their style."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

_FILE: Final = Path(__file__).with_name("words.toml")
_LONGEST: Final = 45
_SPACED: Final = re.compile(r"^(?:[^\W\d_]\s){3,}[^\W\d_]$")
_TRIM: Final = re.compile(r"^[\W_]+|[\W_]+$")
BULLET: Final = re.compile(r"^\s*(?:[•▪●◦‣⁃∙·■□➢➤►▸✓✔*–—-]|\(cid:\d+\)|o(?=\s\s?[A-Z]))\s+")


@dataclass(frozen=True)
class Line:
    """A line of the source without the blanks around it, and its place there."""

    text: str
    start: int
    end: int

    @property
    def is_bullet(self) -> bool:
        """Whether it is a point of a list."""
        return BULLET.match(self.text) is not None

    @property
    def bare(self) -> str:
        """Without the sign of a list."""
        return BULLET.sub("", self.text)


@dataclass
class Section:
    """A part of a resume: `head`, a kind of the list, or empty for a heading nobody knows."""

    kind: str
    lines: list[Line] = field(default_factory=list)


@cache
def word_lists() -> Mapping[str, Mapping[str, frozenset[str]]]:
    """The lists of basic mode: `headings` by kind of section, `nouns` by what they name."""
    tables = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return {
        table: {
            name: frozenset(filter(None, map(str.strip, listed.split(";"))))
            for name, listed in lists.items()
        }
        for table, lists in tables.items()
    }


def lines_of(text: str) -> Iterator[Line]:
    """All lines, blank ones too, in order."""
    start = 0
    for raw in text.splitlines(keepends=True):
        words = raw.strip()
        at = start + raw.index(words)
        yield Line(words, at, at + len(words))
        start += len(raw)


def heading_of(line: str) -> str | None:
    """The kind of section that a line begins; None for other lines."""
    words = line.replace(" ", "") if _SPACED.match(line.strip()) else line
    normalized = " ".join(_TRIM.sub("", words.strip()).replace("&", "and").casefold().split())
    if not normalized or len(normalized) > _LONGEST or BULLET.match(line):
        return None
    headings = word_lists()["headings"].items()
    return next((kind for kind, names in headings if normalized in names), None)


def sections_of(text: str) -> list[Section]:
    """The parts in order; the first is the head, with the name and the contacts.

    Where headings stand in capitals, a line in capitals below a blank one is a heading as well:
    what follows is never taken for the section above it.
    """
    lines = list(lines_of(text))
    known = [line.text for line in lines if heading_of(line.text) is not None]
    in_capitals = bool(known) and all(map(str.isupper, known))
    sections = [Section("head")]
    above = ""
    for line in lines:
        kind = heading_of(line.text)
        if kind is None and in_capitals and len(sections) > 1 and not above:
            kind = "" if _is_in_capitals(line.text) else None
        if kind is not None:
            sections.append(Section(kind))
        else:
            sections[-1].lines.append(line)
        above = line.text
    return sections


def _is_in_capitals(line: str) -> bool:
    return line.isupper() and len(line.split()) <= 5 and not any(map(str.isdigit, line))


def filled(lines: Sequence[Line]) -> list[Line]:
    """The lines that say something."""
    return [line for line in lines if line.text]
