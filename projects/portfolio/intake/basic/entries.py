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
_TRIM: Final = " \t,;|·•–—-:"
_SEPARATORS: Final = tuple(
    re.compile(one) for one in (r"\s+[|·•–—-]\s+|\s{2,}|\t", r"\s@\s|\s(?:at|bei)\s", r",\s+")
)


@dataclass
class Entry:
    """Lines that belong together: `heads` name it (dates taken out), `body` tells more."""

    heads: list[str] = field(default_factory=list)
    period: Span | None = None
    body: list[str] = field(default_factory=list)
    start: int = 0
    end: int = 0
    is_sure: bool = True

    def take(self, line: Line) -> None:
        """Stretches its place over a line."""
        self.start = min(self.start, line.start) if self.end else line.start
        self.end = max(self.end, line.end)


@dataclass(frozen=True)
class _Item:
    """A line with what its shape says."""

    line: Line
    text: str
    period: Span | None = None
    is_blank: bool = False
    is_body: bool = False

    @property
    def is_dated(self) -> bool:
        return self.period is not None


def dated(text: str) -> tuple[str, Span | None]:
    """A line without its dates, and these: a span anywhere, a single date at an edge."""
    found = find_span(text)
    if found is None:
        single = find_month(text)
        if single is not None:
            start, end = single.place
            is_edge = not text[:start].strip(_EDGES) or not text[end:].strip(_EDGES)
            found = single if is_edge else None
    if found is None:
        return text, None
    start, end = found.place
    before, after = text[:start].rstrip(_EDGES), text[end:].lstrip(_EDGES)
    return ("  ".join(filter(None, (before, after)))), found


def entries_of(lines: Sequence[Line], is_title: Callable[[str], bool]) -> list[Entry]:
    """The entries of a section. `is_title`: whether a line names a role or a degree."""
    items = _items(lines)
    while items and items[0].is_blank:
        items.pop(0)
    if not any(one.is_dated for one in items):
        return _undated(items)
    if not items[0].is_dated:
        return _dates_below(items)
    return _dates_first(items, is_title)


def _items(lines: Sequence[Line]) -> list[_Item]:
    """The lines; broken ones joined to what they go on with. Points alone are lines."""
    only_points = all(one.is_bullet or _goes_on(one) for one in filled(lines))
    widest = max((len(one.text) for one in lines), default=0)
    found: list[_Item] = []
    for line in lines:
        last = found[-1] if found else None
        is_point = line.is_bullet and not only_points
        text = line.bare if line.is_bullet else line.text
        if not text:
            found.append(_Item(line, "", is_blank=True))
            continue
        rest, period = dated(text) if not is_point else (text, None)
        is_broken = last is not None and last.is_body and period is None and not line.is_bullet
        if last is not None and is_broken and _continues(last, line, widest):
            joined = Line(f"{last.line.text} {text}", last.line.start, line.end)
            found[-1] = _Item(joined, f"{last.text} {text}", is_body=True)
            continue
        is_told = _is_sentence(text) or _LABELLED.match(text) is not None
        is_body = is_point or (period is None and is_told)
        found.append(
            _Item(line, text if is_body else rest, None if is_body else period, False, is_body)
        )
    return found


def _goes_on(line: Line) -> bool:
    return line.text[:1].islower()


def _continues(last: _Item, line: Line, widest: int) -> bool:
    if last.text.endswith((".", "!", "?", ":")):
        return False
    return line.text[:1].islower() or len(last.line.text) >= widest * 0.75


def _is_sentence(text: str) -> bool:
    return len(text) > SENTENCE_CHARS or (text.endswith(".") and len(text.split()) > 3)


def _entry(items: Iterable[_Item], *, is_sure: bool = True) -> Entry:
    entry = Entry(is_sure=is_sure)
    for item in items:
        entry.take(item.line)
        if item.is_body:
            entry.body.append(item.text)
        elif item.text:
            entry.heads.append(item.text)
        if item.period is not None and entry.period is None:
            entry.period = item.period
    return entry


def _blocks(items: Iterable[_Item]) -> list[list[_Item]]:
    """What stands between blank lines."""
    found: list[list[_Item]] = [[]]
    for item in items:
        if item.is_blank:
            found.append([])
        else:
            found[-1].append(item)
    return [one for one in found if one]


def _undated(items: Sequence[_Item]) -> list[Entry]:
    """Without any date: lines of the same shape are entries, or what stands between blank lines."""
    found: list[Entry] = []
    blocks = _blocks(items)
    for block in blocks:
        heads = [one for one in block if not one.is_body]
        if len(heads) == 1:
            found.append(_entry(block))
        elif heads and all(len(parts_of(one.text)) > 1 for one in heads):
            found += _one_each(block)
        else:
            is_sure = 1 < len(heads) <= MOST_HEADS and (len(blocks) > 1 or len(block) > len(heads))
            found.append(_entry(block, is_sure=is_sure and not _is_mixed(block)))
    return found


def _is_mixed(block: Sequence[_Item]) -> bool:
    """Whether something that names an entry follows something that tells of one."""
    bodies = [one.is_body for one in block]
    return sorted(bodies) != bodies


def _one_each(block: Sequence[_Item]) -> list[Entry]:
    found: list[Entry] = []
    for item in block:
        if item.is_body and found:
            found[-1].take(item.line)
            found[-1].body.append(item.text)
        else:
            found.append(_entry([item]))
    return found


def _dates_first(items: Sequence[_Item], is_title: Callable[[str], bool]) -> list[Entry]:
    """Each line with a date begins an entry; an undated one below belongs to it or stays apart."""
    found: list[Entry] = []
    is_after_blank = False
    tail = 0
    for place, item in enumerate(items):
        if item.is_blank:
            is_after_blank = True
            continue
        last = found[-1] if found else None
        if last and item.is_dated and not (item.text or last.period or last.body or is_after_blank):
            last.take(item.line)
            last.period = item.period
        elif item.is_dated or last is None:
            found.append(_entry([item]))
            tail = 0
        elif item.is_body:
            found[-1].take(item.line)
            found[-1].body.append(item.text)
        elif (
            is_after_blank
            or found[-1].body
            or not _belongs(found[-1], items, place, is_title, tail)
        ):
            is_new = is_title(item.text) and len(parts_of(item.text)) > 1
            joins = bool(found) and not is_after_blank and not found[-1].is_sure
            if joins and not is_new:
                found[-1].take(item.line)
                found[-1].heads.append(item.text)
            else:
                found.append(_entry([item], is_sure=is_new))
            tail = MOST_HEADS
        else:
            found[-1].take(item.line)
            found[-1].heads.append(item.text)
            tail += 1
        is_after_blank = False
    return found


def _belongs(
    entry: Entry,
    items: Sequence[_Item],
    place: int,
    is_title: Callable[[str], bool],
    tail: int,
) -> bool:
    """Whether an undated line below a dated one tells of the same entry."""
    text = items[place].text
    has_title = any(is_title(one) for one in entry.heads)
    if tail >= 2 or (has_title and is_title(text)):
        return False
    if not has_title and is_title(text):
        return True
    after = items[place + 1] if place + 1 < len(items) else None
    is_last = after is None or after.is_blank or after.is_dated
    return bool(after and after.is_body) or (is_last and "," in text)


def _dates_below(items: Sequence[_Item]) -> list[Entry]:
    """Names stand above or beside the date of their entry; those below it are the next one's."""
    found: list[Entry] = []
    pending: list[_Item] = []
    sizes: list[int] = []
    for place, item in enumerate(items):
        if item.is_blank:
            if pending:
                found.append(_entry(pending, is_sure=len(pending) > 1))
            pending = []
        elif item.is_dated:
            sizes.append(len(pending))
            is_sure = len(pending) + bool(item.text) <= MOST_HEADS
            found.append(_entry([*pending, item], is_sure=is_sure))
            pending = []
        elif item.is_body:
            _tell(found, pending, item)
            pending = []
        else:
            after = items[place + 1] if place + 1 < len(items) else None
            if found and not pending and not found[-1].body and after and after.is_body:
                found[-1].take(item.line)
                found[-1].body.append(item.text)
            else:
                pending.append(item)
    if pending:
        found.append(_entry(pending, is_sure=len(pending) > 1 and len(pending) in sizes))
    return found


def _tell(found: list[Entry], pending: Sequence[_Item], item: _Item) -> None:
    """A point below names without a date makes an entry of them, else it is the last one's."""
    if pending or not found:
        found.append(_entry([*pending, item], is_sure=len(pending) > 1))
        return
    found[-1].take(item.line)
    found[-1].body.append(item.text)


def parts_of(text: str, *, by_preposition: bool = True) -> list[str]:
    """What a line names, between strong separators where it has any, else between commas."""
    for separator in _SEPARATORS if by_preposition else (_SEPARATORS[0], *_SEPARATORS[2:]):
        parts = [one.strip(_TRIM) for one in separator.split(text)]
        if len(found := [one for one in parts if one]) > 1:
            return found
    return [text.strip()] if text.strip() else []
