"""Takes a section of a resume apart: headers, bullets and prose of one entry after the other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
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


@dataclass
class Entry:
    """One position or study, before its words are told apart."""

    headers: list[str] = field(default_factory=list)
    bullets: list[str] = field(default_factory=list)
    prose: list[str] = field(default_factory=list)

    @property
    def span(self) -> Span | None:
        """When it was."""
        return next(filter(None, map(months.find_span, self.headers)), None)

    @property
    def has_body(self) -> bool:
        """Whether anything stands below its headers."""
        return bool(self.bullets or self.prose)

    @property
    def text(self) -> str:
        """All of its words."""
        return "\n".join([*self.headers, *self.prose, *self.bullets])


def entries_of(lines: Iterable[str]) -> list[Entry]:
    """The entries of a section, in order."""
    told = list(lines)
    is_dated = any(map(months.find_span, told))
    found: list[Entry] = []
    is_after_blank = False
    for place, line in enumerate(told):
        if not line.strip():
            is_after_blank = True
            continue
        if not found:
            found.append(Entry())
        opens = not is_dated or _opens(told, place)
        _take(line, found, opens=opens, is_after_blank=is_after_blank)
        is_after_blank = False
    for one in found:
        _settle(one)
    return [one for one in found if one.headers or one.has_body]


def _opens(lines: Sequence[str], place: int) -> bool:
    """Whether a line may begin an entry: dates stand in it, or in one of the next two headers."""
    following = (line for line in lines[place : place + 6] if line.strip())
    for line in islice(following, 3):
        if BULLET.match(line):
            return False
        if months.find_span(line) or _ends_in_a_year(line):
            return True
    return False


def _ends_in_a_year(line: str) -> bool:
    single = months.find_month(line)
    return single is not None and not re.search(r"\w", line[single.place[1] :])


def _take(line: str, found: list[Entry], *, opens: bool, is_after_blank: bool) -> None:
    entry = found[-1]
    bare = line.strip()
    if BULLET.match(line):
        entry.bullets.append(BULLET.sub("", line).strip())
    elif _goes_on(bare, entry) and not is_after_blank:
        body = entry.bullets or entry.prose
        body[-1] = _joined(body[-1], bare)
    elif entry.headers and (_is_prose(bare) or (entry.has_body and not opens)):
        entry.prose.append(bare)
    else:
        if entry.has_body or (entry.span and months.find_span(bare)):
            entry = Entry()
            found.append(entry)
        entry.headers.append(bare)


def _settle(entry: Entry) -> None:
    """Several sentences on lines of their own are points whose signs got lost on the way."""
    told = [one for one in entry.prose if not wording.TECHNOLOGIES.match(one)]
    if not entry.bullets and len(told) > 1:
        entry.bullets = told
        entry.prose = [one for one in entry.prose if one not in told]


def _goes_on(line: str, entry: Entry) -> bool:
    """Whether a line continues the bullet or the paragraph before."""
    body = entry.bullets or entry.prose
    if not body or months.find_span(line):
        return False
    before = body[-1]
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
    if months.find_span(line):
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
    span = months.find_span(header) or None
    if span is None:
        single = months.find_month(header)
        span = (
            single if single and re.fullmatch(r"[\s,|·–—()-]*", header[single.place[1] :]) else None
        )
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
