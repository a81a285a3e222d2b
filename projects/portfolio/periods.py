"""Months and spans of months: as they are stored (2024-06, or 2024), in words, counted, and as
resumes write them: “Jan 2022 – present”, “03/2020–2021”.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from typing import Any, Final

from django.utils.formats import date_format
from django.utils.translation import gettext as _


def period_text(started: str, ended: str, *, is_current: bool = False) -> str:
    """“June 2021 to March 2024”, “since June 2021”, “2019”; empty for nothing."""
    first, last = month(started), month(ended)
    if first and (is_current and not last):
        return _("since %(month)s") % {"month": first}
    if first and last and first != last:
        return _("%(first)s to %(last)s") % {"first": first, "last": last}
    return first or last


def period_of(row: Any) -> str:
    """When a row was, which has `started` and `ended`, and perhaps `is_current`."""
    is_current = getattr(row, "is_current", False)
    return period_text(row.started, row.ended, is_current=is_current)


def month(text: str) -> str:
    """“June 2024” for 2024-06; a year stays as it is; empty for what is no month."""
    if len(text) < len("2024-06"):
        return text
    try:
        return date_format(dt.date(int(text[:4]), int(text[5:7]), 1), "F Y")
    except ValueError:
        return text


def months_between(start: str, end: str, *, today: dt.date, is_current: bool) -> int | None:
    """Months from one month to another; the present month closes what goes on.

    None where a bound is missing or names only a year (ambiguous), or the end lies before.
    """
    last = f"{today:%Y-%m}" if is_current and not end else end
    if len(start) < len("2024-06") or len(last) < len("2024-06"):
        return None
    difference = 12 * (int(last[:4]) - int(start[:4])) + int(last[5:]) - int(start[5:])
    return difference if difference >= 0 else None


# Reading -----------------------------------------------------------------------------------------
_MONTHS: Final = """january jan januar; february feb februar; march mar märz; april apr; may mai;
    june jun juni; july jul juli; august aug; september sept sep; october oct oktober okt;
    november nov; december dec dezember dez"""
_NAMES: Final = {
    name: place for place, names in enumerate(_MONTHS.split(";"), start=1) for name in names.split()
}
_SEASONS: Final = {"spring": (3, 5), "summer": (6, 8), "fall": (9, 11), "autumn": (9, 11)}
_NAMED: Final = "|".join(sorted(_NAMES, key=len, reverse=True))
_YEAR: Final = r"(?:19[5-9]\d|20\d\d)"
_MONTH: Final = (
    rf"(?:(?:{_NAMED})\.?,?\s+{_YEAR}|(?:0?[1-9]|1[0-2])\s?[/.]\s?{_YEAR}"
    rf"|{_YEAR}[-/.](?:0[1-9]|1[0-2])(?!\d)|(?:{'|'.join(_SEASONS)}|winter)\s+{_YEAR}|{_YEAR})"
)
_NOW: Final = r"(?:present|current(?:ly)?|now|today|ongoing|to\s+date|heute|dato|laufend|jetzt)"
_DASH: Final = r"\s*(?:-|–|—|−|‒|\bto\b|\buntil\b|\bbis\b|\bthrough\b|→)\s*"
SPAN: Final = re.compile(
    rf"(?<![\w/])\(?(?P<start>{_MONTH}|(?:{_NAMED})\.?(?={_DASH}(?:{_NAMED})))"
    rf"(?:{_DASH}(?P<end>{_NOW}|{_MONTH}))\)?(?!\w)",
    re.IGNORECASE,
)
SINCE: Final = re.compile(rf"\b(?:since|seit)\s+(?P<start>{_MONTH})(?!\w)", re.IGNORECASE)
SINGLE: Final = re.compile(rf"(?<![\w/])\(?(?P<start>{_MONTH})\)?(?![\w/])", re.IGNORECASE)


@dataclass(frozen=True)
class Span:
    """Months as YYYY-MM (or years as YYYY), and where in the text they stand."""

    start: str
    end: str
    is_current: bool
    place: tuple[int, int]
    is_single: bool = False


def find_span(text: str) -> Span | None:
    """The first span in a text; None when there is none."""
    if match := SPAN.search(text):
        is_current = re.fullmatch(_NOW, match["end"], re.IGNORECASE) is not None
        last = "" if is_current else _month(match["end"], last=True)
        # “Jun – Aug 2021”: the first month borrows the year
        start = _month(match["start"]) or _month(f"{match['start']} {last[:4]}")
        return Span(start, last, is_current, match.span()) if not last or start <= last else None
    if match := SINCE.search(text):
        return Span(_month(match["start"]), "", True, match.span())
    return None


def find_month(text: str) -> Span | None:
    """The last single month or year in a text, as a span of one."""
    match = next(reversed([*SINGLE.finditer(text)]), None)
    if match is None:
        return None
    start, end = _month(match["start"]), _month(match["start"], last=True)
    return Span(start, end, False, match.span(), is_single=True)


def normalised(text: str | None) -> str | None:
    """A month as somebody wrote it, as YYYY-MM or YYYY; None where it says neither."""
    month = find_month(text or "")
    return (month.start or None) if month else None


def _month(text: str, *, last: bool = False) -> str:
    """YYYY-MM or YYYY; empty for a month without its year."""
    words = text.casefold().replace(".", " . ").replace(",", " ")
    year = re.search(_YEAR, words)
    if year is None:
        return ""
    season = next((bounds for name, bounds in _SEASONS.items() if name in words), None)
    if season:
        return f"{year[0]}-{season[last]:02d}"
    if name := re.match(rf"(?:{_NAMED})\b", words):
        return f"{year[0]}-{_NAMES[name[0]]:02d}"
    number = re.search(r"\d{1,2}", words.replace(year[0], " ", 1))
    return f"{year[0]}-{int(number[0]):02d}" if number else year[0]
