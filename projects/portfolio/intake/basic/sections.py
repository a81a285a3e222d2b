"""Takes the text of a resume apart: sections by their headings, entries by dates, blanks, points.

An entry never takes a line that may be another one's: such lines become entries that are not sure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise
from pathlib import Path
from typing import Final

from projects.portfolio.periods import Span, find_month, find_span
from projects.portfolio.vocabulary import word_lists

WORDS: Final = word_lists(Path(__file__).with_name("words.toml"))
"""The lists of basic mode: `headings` by kind of section, `nouns` by what they name."""
HEADING_CHARS: Final = 45
SENTENCE_CHARS: Final = 100
"""A longer line is no name of anything."""
MOST_HEADS: Final = 3
BULLET: Final = re.compile(r"^\s*(?:[•▪●◦‣⁃∙·■□➢➤►▸✓✔*–—-]|\(cid:\d+\)|o(?=\s\s?[A-Z]))\s+")
_SPACED: Final = re.compile(r"^(?:[^\W\d_]\s){3,}[^\W\d_]$")
_TRIM: Final = re.compile(r"^[\W_]+|[\W_]+$")
_EDGES: Final = " \t,;|·•()[]–—-:"
_LABELLED: Final = re.compile(r"^[^:,;|]{2,30}:\s+\S")
_SEPARATORS: Final = tuple(
    re.compile(pattern)
    for pattern in (r"\s+[|·•–—-]\s+|\s{2,}|\t", r"\s@\s|\s(?:at|bei)\s", r",\s+")
)
IsTitle = Callable[[str], bool]
"""Whether a line names a role or a degree."""


@dataclass(frozen=True)
class Line:
    """A line of the source without the blanks around it, and its place there."""

    text: str
    start: int
    end: int

    @property
    def is_bullet(self) -> bool:
        return BULLET.match(self.text) is not None

    @property
    def bare(self) -> str:
        return BULLET.sub("", self.text)


@dataclass
class Section:
    """A part of a resume: `head` for name and contacts, a kind of the list, or empty for a heading
    nobody knows.
    """

    kind: str
    lines: list[Line] = field(default_factory=list)


# Sections ----------------------------------------------------------------------------------------
def lines_of(text: str) -> Iterator[Line]:
    """All lines, blank ones too, in order."""
    start = 0
    for raw in text.splitlines(keepends=True):
        words = raw.strip()
        at = start + raw.index(words)
        yield Line(words, at, at + len(words))
        start += len(raw)


def filled(lines: Sequence[Line]) -> list[Line]:
    return [line for line in lines if line.text]


def heading_of(line: str) -> str | None:
    """The kind of section that a line begins; None for other lines."""
    words = line.replace(" ", "") if _SPACED.match(line.strip()) else line
    normalized = " ".join(_TRIM.sub("", words.strip()).replace("&", "and").casefold().split())
    if not normalized or len(normalized) > HEADING_CHARS or BULLET.match(line):
        return None
    headings = WORDS["headings"].items()
    return next((kind for kind, names in headings if normalized in names), None)


def sections_of(text: str) -> list[Section]:
    """The parts in order; the first is the head, with the name and the contacts.

    Where headings stand in capitals, a line in capitals below a blank one is a heading as well:
    what follows is never taken for the section above it.
    """
    lines = list(lines_of(text))
    existing = [line.text for line in lines if heading_of(line.text) is not None]
    in_capitals = bool(existing) and all(map(str.isupper, existing))
    sections = [Section("head")]
    above = ""
    for line in lines:
        kind = heading_of(line.text)
        if kind is None and in_capitals and len(sections) > 1 and not above:
            is_in_capitals = line.text.isupper() and len(line.text.split()) <= 5
            kind = "" if is_in_capitals and not re.search(r"\d", line.text) else None
        if kind is not None:
            sections.append(Section(kind))
        else:
            sections[-1].lines.append(line)
        above = line.text
    return sections


# Entries -----------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Item:
    """A line with what its shape says: `text` is without its dates, `is_body` tells of an entry."""

    line: Line
    text: str = ""
    period: Span | None = None
    is_body: bool = False

    @property
    def is_blank(self) -> bool:
        return not self.text and self.period is None


@dataclass
class Entry:
    """Lines that belong together: `heads` name it (dates taken out), `body` tells more."""

    heads: list[str] = field(default_factory=list)
    period: Span | None = None
    body: list[str] = field(default_factory=list)
    start: int = 0
    end: int = 0
    is_sure: bool = True

    def add(self, item: Item) -> None:
        """Takes a line; its place stretches over it."""
        self.start = min(self.start, item.line.start) if self.end else item.line.start
        self.end = max(self.end, item.line.end)
        if item.text:
            (self.body if item.is_body else self.heads).append(item.text.rstrip(" ,"))
        self.period = self.period or item.period


def entry_of(items: Iterable[Item], *, is_sure: bool = True) -> Entry:
    entry = Entry(is_sure=is_sure)
    for item in items:
        entry.add(item)
    return entry


def dated(text: str) -> tuple[str, Span | None]:
    """A line without its dates, and these: a span anywhere, a single date at an edge."""
    span = find_span(text)
    if span is None and (single := find_month(text)) is not None:
        start, end = single.place
        is_edge = not text[:start].strip(_EDGES) or not text[end:].strip(_EDGES)
        span = single if is_edge else None
    if span is None:
        return text, None
    start, end = span.place
    around = (text[:start].rstrip(_EDGES), text[end:].lstrip(_EDGES))
    return "  ".join(filter(None, around)), span


def parts_of(text: str, *, by_preposition: bool = True) -> list[str]:
    """What a line names, between strong separators where it has any, else between commas."""
    for separator in _SEPARATORS if by_preposition else (_SEPARATORS[0], *_SEPARATORS[2:]):
        parts = [part for raw in separator.split(text) if (part := raw.strip(" \t,;|·•–—-:"))]
        if len(parts) > 1:
            return parts
    return [text.strip()] if text.strip() else []


def entries_of(lines: Sequence[Line], is_title: IsTitle) -> list[Entry]:
    items = _items(lines)
    first = next((item for item in items if not item.is_blank), None)
    if not any(item.period for item in items):
        return _undated(items)
    return _dated(items, is_title, names_below=first is not None and first.period is not None)


def _items(lines: Sequence[Line]) -> list[Item]:
    """The lines; broken ones joined to what they go on with. Points alone are lines."""
    only_points = all(line.is_bullet or line.text[:1].islower() for line in filled(lines))
    widest = max((len(line.text) for line in lines), default=0)
    items: list[Item] = []
    for line in lines:
        text = line.bare
        last = items[-1] if items else None
        remaining, period = dated(text)
        if line.is_bullet and not only_points:
            items.append(Item(line, text, is_body=True))
        elif last and last.is_body and text and not period and _goes_on(last, line, widest):
            joined = Line(f"{last.line.text} {text}", last.line.start, line.end)
            items[-1] = Item(joined, f"{last.text} {text}", is_body=True)
        else:
            is_sentence = len(text) > SENTENCE_CHARS or (text[-1:] == "." and text.count(" ") > 2)
            is_body = not period and (is_sentence or bool(_LABELLED.match(text)))
            items.append(Item(line, remaining, period, is_body))
    return items


def _goes_on(last: Item, line: Line, widest: int) -> bool:
    if line.is_bullet or last.text.endswith((".", "!", "?", ":")):
        return False
    return line.text[:1].islower() or len(last.line.text) >= widest * 0.75


def _undated(items: Sequence[Item], is_title: IsTitle | None = None) -> list[Entry]:
    """Without any date: lines that name two things each, or what stands between blank lines.

    `is_title` where they stand between dated ones: a line alone must name a title then.
    """
    groups = groupby(items, lambda item: item.is_blank)
    blocks = [list(block) for is_blank, block in groups if not is_blank]
    entries: list[Entry] = []
    for block in blocks:
        heads = [item for item in block if not item.is_body]
        names = [len(parts_of(item.text)) > 1 for item in heads]
        titles = [is_title is None or is_title(item.text) for item in heads]
        if heads and all(names) and all(titles):
            starts = [at for at, item in enumerate(block) if at == 0 or not item.is_body]
            ends = [*starts[1:], len(block)]
            entries += [entry_of(block[a:b]) for a, b in zip(starts, ends, strict=True)]
        else:
            bodies = [item.is_body for item in block]
            is_several = is_title or len(blocks) > 1 or len(block) > len(heads)
            is_sure = 1 < len(heads) <= MOST_HEADS and is_several and sorted(bodies) == bodies
            is_alone = is_title is None and len(heads) == 1
            entries.append(entry_of(block, is_sure=bool(is_sure) or is_alone))
    return entries


def _dated(items: Sequence[Item], is_title: IsTitle, *, names_below: bool) -> list[Entry]:
    """Each date makes an entry of the names above it, or of those below where dates come first."""

    def may_name(entry: Entry, item: Item) -> bool:
        """Whether a line below a date may tell of its entry, and is no second title."""
        has_title = any(map(is_title, entry.heads))
        return len(entry.heads) < MOST_HEADS and not (has_title and is_title(item.text))

    entries: list[Entry] = []
    pending: list[Item] = []  # names of which nobody knows yet whose they are
    is_apart = True  # from the date above, by a blank line or points
    for item, following in pairwise([*items, Item(Line("", 0, 0), "")]):
        last = entries[-1] if entries else None
        names_title = following.period and not is_title(following.text) and not names_below
        if item.is_blank and names_title and any(is_title(name.text) for name in pending):
            continue  # a page or a column ended between a title and its dates
        if item.period:
            if names_below:
                entries += _undated(pending, is_title)
                pending = []
            is_sure = len(pending) + bool(item.text) <= MOST_HEADS
            entries.append(entry_of([*pending, item], is_sure=is_sure))
            pending = []
        elif item.is_body and last and not is_apart and len(pending) == 1:
            # a single line between the date and the points tells more
            last.add(replace(pending.pop(), is_body=True))
            last.add(item)
        elif pending and (item.is_body or item.is_blank):
            entries += _undated([*pending, item], is_title)
            pending = []
        elif last and (item.is_body or (not is_apart and names_below and may_name(last, item))):
            last.add(item)
        elif not item.is_blank:
            pending.append(item)
        is_apart = not item.period and (is_apart or item.is_blank or item.is_body)
    return entries + _undated(pending, is_title)
