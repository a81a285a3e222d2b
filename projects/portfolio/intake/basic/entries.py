"""Takes a section apart into entries by dates, blank lines and points.

An entry never takes a line that may be another one's: such lines become entries that are not sure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from projects.portfolio.intake.basic.headings import Line, filled
from projects.portfolio.intake.periods import Span, find_month, find_span

SENTENCE_CHARS: Final = 100
"""A longer line is no name of anything."""
MOST_HEADS: Final = 3
_EDGES: Final = " \t,;|·•()[]–—-:"
_LABELLED: Final = re.compile(r"^[^:,;|]{2,30}:\s+\S")
_SEPARATORS: Final = tuple(
    re.compile(pattern)
    for pattern in (r"\s+[|·•–—-]\s+|\s{2,}|\t", r"\s@\s|\s(?:at|bei)\s", r",\s+")
)
IsTitle = Callable[[str], bool]
"""Whether a line names a role or a degree."""


@dataclass(frozen=True)
class Item:
    """A line with what its shape says: `text` is without its dates, `is_body` tells of an entry."""

    line: Line
    text: str = ""
    period: Span | None = None
    is_body: bool = False

    @property
    def is_blank(self) -> bool:
        """It says nothing."""
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
            (self.body if item.is_body else self.heads).append(item.text)
        self.period = self.period or item.period


def entry_of(items: Iterable[Item], *, is_sure: bool = True) -> Entry:
    """One entry of these lines."""
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


def entries_of(lines: Sequence[Line], is_title: IsTitle) -> list[Entry]:
    """The entries of a section."""
    items = _items(lines)
    while items and items[0].is_blank:
        items.pop(0)
    if not any(item.period for item in items):
        return _undated(items)
    return _dates_first(items, is_title) if items[0].period else _dates_below(items)


def _items(lines: Sequence[Line]) -> list[Item]:
    """The lines; broken ones joined to what they go on with. Points alone are lines."""
    only_points = all(line.is_bullet or line.text[:1].islower() for line in filled(lines))
    widest = max((len(line.text) for line in lines), default=0)
    items: list[Item] = []
    for line in lines:
        text = line.bare
        if line.is_bullet and not only_points:
            items.append(Item(line, text, is_body=True))
            continue
        rest, period = dated(text)
        last = items[-1] if items else None
        is_told = period is None and (_is_sentence(text) or bool(_LABELLED.match(text)))
        if text and last and last.is_body and period is None and _goes_on(last, line, widest):
            joined = Line(f"{last.line.text} {text}", last.line.start, line.end)
            items[-1] = Item(joined, f"{last.text} {text}", is_body=True)
        else:
            items.append(Item(line, rest, period, is_told))
    return items


def _goes_on(last: Item, line: Line, widest: int) -> bool:
    """Whether a line is the rest of the one above."""
    if line.is_bullet or last.text.endswith((".", "!", "?", ":")):
        return False
    return line.text[:1].islower() or len(last.line.text) >= widest * 0.75


def _is_sentence(text: str) -> bool:
    return len(text) > SENTENCE_CHARS or (text.endswith(".") and len(text.split()) > 3)


def _undated(items: Sequence[Item]) -> list[Entry]:
    """Without any date: lines of the same shape are entries, or what stands between blank lines."""
    blocks: list[list[Item]] = [[]]
    for item in items:
        if item.is_blank:
            blocks.append([])
        else:
            blocks[-1].append(item)
    blocks = [block for block in blocks if block]
    entries: list[Entry] = []
    for block in blocks:
        heads = [item for item in block if not item.is_body]
        if len(heads) == 1:
            entries.append(entry_of(block))
        elif heads and all(len(parts_of(item.text)) > 1 for item in heads):
            entries += _one_each(block)
        else:
            bodies = [item.is_body for item in block]
            is_several = len(blocks) > 1 or len(block) > len(heads)
            is_sure = 1 < len(heads) <= MOST_HEADS and is_several and sorted(bodies) == bodies
            entries.append(entry_of(block, is_sure=is_sure))
    return entries


def _one_each(block: Sequence[Item]) -> list[Entry]:
    entries: list[Entry] = []
    for item in block:
        if item.is_body and entries:
            entries[-1].add(item)
        else:
            entries.append(entry_of([item]))
    return entries


def _dates_first(items: Sequence[Item], is_title: IsTitle) -> list[Entry]:
    """Each line with a date begins an entry; an undated one below belongs to it or stays apart."""
    entries: list[Entry] = []
    is_after_blank = False
    tail = 0
    for place, item in enumerate(items):
        if item.is_blank:
            is_after_blank = True
            continue
        last = entries[-1] if entries else None
        is_apart = is_after_blank or bool(last and last.body)
        if last is None or (item.period and (item.text or last.period or is_apart)):
            entries.append(entry_of([item]))
            tail = 0
        elif item.period or item.is_body:
            last.add(item)
        elif not is_apart and _belongs(last, items, place, is_title, tail):
            last.add(item)
            tail += 1
        else:
            is_new = is_title(item.text) and len(parts_of(item.text)) > 1
            if is_new or is_after_blank or last.is_sure:
                entries.append(entry_of([item], is_sure=is_new))
            else:
                last.add(item)
            tail = MOST_HEADS
        is_after_blank = False
    return entries


def _belongs(entry: Entry, items: Sequence[Item], place: int, is_title: IsTitle, tail: int) -> bool:
    """Whether an undated line below a dated one tells of the same entry."""
    text = items[place].text
    has_title = any(map(is_title, entry.heads))
    if tail >= 2 or (has_title and is_title(text)):
        return False
    if not has_title and is_title(text):
        return True
    after = items[place + 1] if place + 1 < len(items) else None
    is_last = after is None or after.is_blank or after.period is not None
    return bool(after and after.is_body) or (is_last and "," in text)


def _dates_below(items: Sequence[Item]) -> list[Entry]:
    """Names stand above or beside the date of their entry; those below it are the next one's."""
    entries: list[Entry] = []
    pending: list[Item] = []
    sizes: list[int] = []
    for item, after in zip(items, [*items[1:], None], strict=True):
        last = entries[-1] if entries else None
        if item.is_blank:
            if pending:
                entries.append(entry_of(pending, is_sure=len(pending) > 1))
            pending = []
        elif item.period:
            sizes.append(len(pending))
            is_sure = len(pending) + bool(item.text) <= MOST_HEADS
            entries.append(entry_of([*pending, item], is_sure=is_sure))
            pending = []
        elif item.is_body and (pending or last is None):
            # a point below names without a date makes an entry of them
            entries.append(entry_of([*pending, item], is_sure=len(pending) > 1))
            pending = []
        elif item.is_body and last:
            last.add(item)
        elif last and not pending and not last.body and after and after.is_body:
            last.add(Item(item.line, item.text, is_body=True))
        else:
            pending.append(item)
    if pending:
        is_sure = len(pending) > 1 and len(pending) in sizes
        entries.append(entry_of(pending, is_sure=is_sure))
    return entries


def parts_of(text: str, *, by_preposition: bool = True) -> list[str]:
    """What a line names, between strong separators where it has any, else between commas."""
    for separator in _SEPARATORS if by_preposition else (_SEPARATORS[0], *_SEPARATORS[2:]):
        parts = [part for raw in separator.split(text) if (part := raw.strip(" \t,;|·•–—-:"))]
        if len(parts) > 1:
            return parts
    return [text.strip()] if text.strip() else []
