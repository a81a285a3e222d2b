"""Awards of a resume: one of each line or point that is sure; the other lines are unread."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from projects.portfolio.corpus import AwardRecord
from projects.portfolio.preprocess import months
from projects.portfolio.preprocess.resume import wording
from projects.portfolio.preprocess.resume.sections import BULLET

_PARTS: Final = re.compile(
    r"\s+[–—|·-]\s+|,\s+|\s{2,}|\s+(?:by|from|awarded by)\s+|\(|\)", re.IGNORECASE
)


def awards_of(lines: Sequence[str]) -> tuple[list[AwardRecord], list[str]]:
    """The awards that are sure, without ids; and the lines that are not."""
    items = _paired([part for line in _joined(lines) for part in _apart(line)])
    has_points = any(map(BULLET.match, lines))
    found: list[AwardRecord] = []
    unread: list[str] = []
    for item in items:
        is_sure = _dates(item) == 1 or (
            not _dates(item) and (has_points or wording.AWARD.search(item) is not None)
        )
        one = _award(item) if is_sure else None
        if one is None:
            unread.append(item)
        else:
            found.append(one)
    return found, unread


def _joined(lines: Sequence[str]) -> list[str]:
    """Points and lines; what goes on in small letters belongs to the line above."""
    found: list[str] = []
    for line in lines:
        bare = BULLET.sub("", line).strip()
        if not bare:
            continue
        if found and bare[0].islower() and not BULLET.match(line):
            found[-1] = f"{found[-1]} {bare}"
        else:
            found.append(bare)
    return found


def _apart(line: str) -> list[str]:
    """What semicolons part, where each part has its date."""
    parts = [one.strip() for one in line.split(";") if one.strip()]
    return parts if len(parts) > 1 and all(_dates(one) == 1 for one in parts) else [line]


def _paired(items: Sequence[str]) -> list[str]:
    """A date on a line of its own joined to its award: above it, or below where dates come first.

    “Design Week Award” above “Centaur Media, 2021” is one as well: only the first names an award.
    """
    is_date_first = bool(items) and _is_date(items[0])
    found: list[str] = []
    waiting = ""
    for item in items:
        if is_date_first:
            if _is_date(item):
                found += [waiting] if waiting else []
                waiting = item
            else:
                found.append(f"{item}  {waiting}".rstrip())
                waiting = ""
        elif found and not _dates(found[-1]) and (_is_date(item) or _is_issuer(found[-1], item)):
            found[-1] = f"{found[-1]}, {item}"
        else:
            found.append(item)
    return [*found, waiting] if waiting else found


def _is_issuer(title: str, line: str) -> bool:
    is_award = wording.AWARD.search(title) is not None
    return is_award and _dates(line) == 1 and wording.AWARD.search(line) is None


def _is_date(item: str) -> bool:
    when = months.find_span(item) or months.find_month(item)
    return when is not None and not re.search(
        r"\w", f"{item[: when.place[0]]}{item[when.place[1] :]}"
    )


def _dates(item: str) -> int:
    """How many dates stand in it; a span is one."""
    rest = months.SPAN.sub(" ", item)
    return len(months.SPAN.findall(item)) + len(months.SINGLE.findall(rest))


def _award(item: str) -> AwardRecord | None:
    when = months.find_span(item) or months.find_month(item)
    words = f"{item[: when.place[0]]}  {item[when.place[1] :]}" if when else item
    parts = [one for told in _PARTS.split(words) if (one := told.strip(" ,;:.()–—-"))]
    if not parts:
        return None
    return AwardRecord(
        id="",
        title=parts[0],
        issuer=parts[1] if len(parts) > 1 else None,
        date=((when.end or when.start) if when else None) or None,
        summary=", ".join(parts[2:]) or None,
    )
