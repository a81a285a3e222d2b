"""Takes a section of a resume apart: which lines are one entry. What is not sure is left unread.

Headers in a row make a run. A run is cut into entries only where one cut alone gives entries that
are whole (`IsWhole`); two entries are never made one because a line could belong to both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from projects.portfolio.preprocess import months
from projects.portfolio.preprocess.months import Span
from projects.portfolio.preprocess.resume import wording
from projects.portfolio.preprocess.resume.sections import BULLET

_STRONG: Final = re.compile(r"\s+[|•·–—−@]\s+|\s*\|\s*|\s+-\s+|\s{2,}|\s+\bat\b\s+|\s*•\s*")
_LOOSE_END: Final = re.compile(
    r"(?:[,;:&/–—-]|\b(?:and|or|the|a|an|of|to|for|with|in|on|by|from|using|that))$", re.IGNORECASE
)
_SENTENCE_WORDS: Final = 4
_LONG_LINE: Final = 70
CUTS: Final = 2
"""Cuts of a run that are looked for; a second one means that none is sure."""


@dataclass
class Entry:
    """One position or study, before its words are told apart."""

    headers: list[str] = field(default_factory=list)
    bullets: list[str] = field(default_factory=list)
    prose: list[str] = field(default_factory=list)

    @property
    def span(self) -> Span | None:
        """When it was."""
        return next(filter(None, map(date_of, self.headers)), None)

    @property
    def text(self) -> str:
        """All of its words."""
        return "\n".join([*self.headers, *self.prose, *self.bullets])


IsWhole = Callable[[Sequence[str], Entry | None], bool]
"""Whether header lines are all of one entry and of one only; the entry above them, if any."""


@dataclass
class Run:
    """Headers in a row with what stands below them."""

    headers: list[str] = field(default_factory=list)
    body: list[tuple[bool, str]] = field(default_factory=list)

    @property
    def below(self) -> list[str]:
        """The body, as it stands there."""
        return [f"• {text}" if is_bullet else text for is_bullet, text in self.body]


def date_of(line: str) -> Span | None:
    """The date of a header: a span, or a single month or year at its beginning or end."""
    if span := months.find_span(line):
        return span
    single = months.find_month(line)
    if single is None:
        return None
    before, after = line[: single.place[0]], line[single.place[1] :]
    return single if not re.search(r"\w", before) or not re.search(r"\w", after) else None


def entries_of(lines: Iterable[str], is_whole: IsWhole) -> tuple[list[Entry], list[str]]:
    """The entries of a section that are sure, in order; and the lines that are not."""
    found: list[Entry] = []
    unread: list[str] = []
    is_lost = False
    for run in _runs(lines):
        above = found[-1] if found and not is_lost else None
        groups = _groups_of(run.headers, is_whole, above)
        is_lost = not groups or groups[-1][-1] is not run.headers[-1]
        found += [Entry(headers=list(one)) for one in groups]
        taken = {id(line) for one in groups for line in one}
        unread += [line for line in run.headers if id(line) not in taken]
        if is_lost:
            unread += run.below
        else:
            _settle(found[-1], run.body)
    return found, unread


def _runs(lines: Iterable[str]) -> list[Run]:
    found: list[Run] = []
    is_after_blank = False
    for line in lines:
        bare = line.strip()
        if not bare:
            is_after_blank = True
            continue
        run = found[-1] if found else None
        body = run.body if run else []
        if BULLET.match(line) and run:
            body.append((True, BULLET.sub("", line).strip()))
        elif run and body and _goes_on(bare, body[-1][1]) and not is_after_blank:
            body[-1] = (body[-1][0], _joined(body[-1][1], bare))
        elif run and _is_prose(bare):
            body.append((False, bare))
        elif run is None or body or (is_after_blank and any(map(date_of, run.headers))):
            found.append(Run([BULLET.sub("", bare).strip()]))
        else:
            run.headers.append(bare)
        is_after_blank = False
    return found


def _groups_of(
    headers: Sequence[str], is_whole: IsWhole, above: Entry | None
) -> Sequence[Sequence[str]]:
    """The header lines of each entry, where only one cut of the run is whole; else none.

    Where each line has its date the cut is sure, and lines that are not whole are left alone.
    """
    dates = [place for place, line in enumerate(headers) if date_of(line)]
    if not dates:
        # without dates nothing says where an entry ends but the line itself
        alone = [[line] for line in headers]
        return alone if all(is_whole(one, None) for one in alone) else []
    if len(dates) == len(headers) > 1:
        return [[line] for line in headers if is_whole([line], above)]
    cuts: list[list[list[str]]] = []
    for one in _cuts(list(headers), dates, is_whole, above):
        cuts.append(one)
        if len(cuts) == CUTS:
            return []
    return cuts[0] if cuts else []


def _cuts(
    headers: list[str], dates: Sequence[int], is_whole: IsWhole, above: Entry | None
) -> Iterator[list[list[str]]]:
    """Every way to cut a run into whole entries with one date each."""
    if len(dates) == 1:
        if is_whole(headers, above):
            yield [headers]
        return
    for end in range(dates[0] + 1, dates[1] + 1):
        first = headers[:end]
        if not is_whole(first, above):
            continue
        rest = [one - end for one in dates[1:]]
        for more in _cuts(headers[end:], rest, is_whole, Entry(headers=first)):
            yield [first, *more]


def _settle(entry: Entry, body: Sequence[tuple[bool, str]]) -> None:
    """Several sentences on lines of their own are points whose signs got lost on the way."""
    entry.bullets = [text for is_bullet, text in body if is_bullet]
    entry.prose = [text for is_bullet, text in body if not is_bullet]
    told = [one for one in entry.prose if not wording.TECHNOLOGIES.match(one)]
    if not entry.bullets and len(told) > 1:
        entry.bullets = told
        entry.prose = [one for one in entry.prose if one not in told]


def _goes_on(line: str, before: str) -> bool:
    """Whether a line continues the bullet or the paragraph before."""
    if date_of(line):
        return False
    if line[0].islower() or _LOOSE_END.search(before):
        return True
    return (
        len(before) > _LONG_LINE
        and not before.endswith((".", "!", "?"))
        and not wording.TITLE.search(line)
    )


def _joined(before: str, line: str) -> str:
    if before.endswith("-") and line[0].islower() and before[-2:-1].isalpha():
        return before[:-1] + line
    return f"{before} {line}"


def _is_prose(line: str) -> bool:
    """A sentence rather than a header."""
    if date_of(line):
        return False
    if wording.TECHNOLOGIES.match(line) or len(line) > _LONG_LINE + 20:
        return True
    words = line.split()
    is_sentence = line.endswith((".", "!")) and not wording.LEGAL_FORM.match(words[-1])
    return len(words) >= _SENTENCE_WORDS and is_sentence


@dataclass
class Pieces:
    """The parts of an entry's headers: what names a title, where, and everything else in order."""

    titles: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)


def pieces_of(headers: Iterable[str]) -> Pieces:
    """The headers without their dates, split where typesetters put a sign or a gap."""
    found = Pieces()
    for header in headers:
        for piece in _split(_without_dates(header)):
            _sort_in(piece, found)
    return found


def _without_dates(header: str) -> str:
    span = date_of(header)
    if span is None:
        return header
    return f"{header[: span.place[0]]}  {header[span.place[1] :]}"


def _split(header: str) -> list[str]:
    parts = (part.strip(" ,;:()|·–—-\t") for part in _STRONG.split(header))
    return [part for part in parts if part]


def _sort_in(piece: str, found: Pieces) -> None:
    if wording.PLACE.match(piece):
        found.places.append(piece)
        return
    if (place := wording.PLACE_AT_END.search(piece)) and place.start() > 0:
        found.places.append(place[1].strip())
        piece = piece[: place.start()].strip(" ,;(")
    for part in _at_commas(piece):
        (found.titles if wording.TITLE.search(part) else found.others).append(part)


def _at_commas(piece: str) -> list[str]:
    """“Senior Engineer, Acme, Inc.” apart; a comma within one kind of words stays."""
    parts = [part.strip() for part in piece.split(",") if part.strip()]
    found: list[str] = []
    for part in parts:
        is_title = wording.TITLE.search(part) is not None
        if found and (
            wording.LEGAL_FORM.match(part)
            or (wording.TITLE.search(found[-1]) is not None) == is_title
        ):
            found[-1] = f"{found[-1]}, {part}"
        else:
            found.append(part)
    return found
