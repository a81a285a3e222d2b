"""The days a line of quick add names, short forms and common slips (“tmrw”, “eom”) included."""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Callable, Iterator
from typing import Final

from projects.language.dates import WEEKDAYS, FoundDate, apart, find_dates, number_of, shifted

_WEEKDAY: Final = (
    r"(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?"
    r"|sat(?:urday)?|sun(?:day)?)"
)
_MANY: Final = r"(?:[0-9]{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve)"

Reader = Callable[["re.Match[str]", dt.date], dt.date]


def _to_end_of(found: re.Match[str], today: dt.date) -> dt.date:
    unit = (
        found["unit"]
        or {"d": "day", "w": "week", "m": "month", "y": "year"}[found["eo"][-1].lower()]
    ).lower()
    if unit == "day":
        return today
    if unit == "week":
        return today + dt.timedelta((4 - today.weekday()) % 7)
    month = {"month": today.month, "quarter": (today.month + 2) // 3 * 3, "year": 12}[unit]
    return today.replace(month=month, day=calendar.monthrange(today.year, month)[1])


def _weekend(found: re.Match[str], today: dt.date) -> dt.date:
    saturday = today + dt.timedelta((5 - today.weekday()) % 7)
    if today.weekday() == 6:
        saturday = today - dt.timedelta(1)
    return saturday + dt.timedelta(8 if (found["which"] or "").lower() == "next" else 1)


def _weeks_after(found: re.Match[str], today: dt.date) -> dt.date:
    """“Friday week”, “a week on Friday”, “two weeks from Monday”, “a week tomorrow”."""
    word = (found["day"] or found["after"]).lower()
    if word in {"today", "tomorrow"}:
        base = today + dt.timedelta(word == "tomorrow")
    else:
        base = today + dt.timedelta((WEEKDAYS[word] - today.weekday()) % 7)
    unit = (found["unit"] or found["units"]).lower()
    many = number_of(found["many"]) if found["many"] else 1
    return base + dt.timedelta(7 * many * (2 if unit.startswith("fortnight") else 1))


def _of_month(found: re.Match[str], today: dt.date) -> dt.date:
    ahead = 1 if found["which"].lower() == "next" else 0
    return shifted(today.replace(day=1), ahead).replace(day=int(found["d"]))


def _bare_ordinal(found: re.Match[str], today: dt.date) -> dt.date:
    return next(one.date for one in find_dates(f"the {found['d']}th", today) if one.date)


_READERS: Final[tuple[tuple[re.Pattern[str], Reader], ...]] = tuple(
    (re.compile(pattern, re.IGNORECASE), read)
    for pattern, read in (
        (
            r"\b(?:tmrw|tmr|tmw|2moro(?:w)?|tomm?orr?ow|tommorow|tomoro(?:w)?|tomrrow|tomorow)\b",
            lambda _found, today: today + dt.timedelta(1),
        ),
        (
            r"\b(?:tonite|2day|2nite|this\s+(?:morning|afternoon|evening))\b",
            lambda _found, today: today,
        ),
        (
            (
                r"\b(?:(?P<eo>EO[DWMY])|(?:the\s+)?end\s+of\s+(?:the\s+|this\s+)?"
                r"(?P<unit>day|week|month|quarter|year))\b"
            ),
            _to_end_of,
        ),
        (r"\b(?:(?P<which>this|next|the)\s+)weekend\b", _weekend),
        (
            r"\b(?:in\s+)?a\s+fortnight(?:[’']s\s+time)?\b(?!\s+(?:on|from))",
            lambda _found, today: today + dt.timedelta(14),
        ),
        (
            (
                rf"\b(?:(?P<day>{_WEEKDAY}|today|tomorrow)\s+(?P<unit>week|fortnight)"
                rf"|(?P<many>{_MANY})\s+(?P<units>weeks?|fortnights?)\s+(?:(?:on|from|after)\s+)?"
                rf"(?P<after>{_WEEKDAY}|today|tomorrow))\b"
            ),
            _weeks_after,
        ),
        (
            r"\b(?:the\s+)?(?P<d>[12]?[0-9]|3[01])(?:st|nd|rd|th)\s+of\s+(?P<which>this|next)\s+month\b",
            _of_month,
        ),
        (r"(?<=\bon )(?P<d>[12]?[0-9]|3[01])(?:st|nd|rd|th)\b(?!\s+of)", _bare_ordinal),
        (r"(?<=\bby )(?P<d>[12]?[0-9]|3[01])(?:st|nd|rd|th)\b(?!\s+of)", _bare_ordinal),
        (r"(?<=\bdue )(?P<d>[12]?[0-9]|3[01])(?:st|nd|rd|th)\b(?!\s+of)", _bare_ordinal),
    )
)
_SHORT: Final = re.compile(r"(?<![\w-])(?P<day>mon|wed|sat|sun)(?![\w-]|[’'])", re.IGNORECASE)
_NOT_SHORT: Final = re.compile(
    r"(?<!\w)(?:the|a|an|in|of|he|she|it|they|we|i|who|that|our|my|full|morning)\s+$", re.IGNORECASE
)


def days_in(text: str, today: dt.date) -> list[FoundDate]:
    """The dates of a text in order, without overlap, the longer reading first."""
    return apart([*find_dates(text, today), *_own(text, today), *_short(text, today)])


def _own(text: str, today: dt.date) -> Iterator[FoundDate]:
    for pattern, read in _READERS:
        for one in pattern.finditer(text):
            try:
                date = read(one, today)
            except (ValueError, OverflowError, StopIteration):
                continue
            yield FoundDate(one.start(), one.end(), date, one.group(0), "day", date)


def _short(text: str, today: dt.date) -> Iterator[FoundDate]:
    """“mon” and “Sat”, but not “the sun” and “where she sat”."""
    for one in _SHORT.finditer(text):
        word = one["day"]
        if _NOT_SHORT.search(text, max(0, one.start() - 12), one.start()):
            continue
        is_word = word in {"sat", "sun"}
        if is_word and not re.match(r"\s+(?:at\s+)?[0-9]", text[one.end() : one.end() + 8]):
            continue
        date = today + dt.timedelta((WEEKDAYS[word.lower()] - today.weekday()) % 7)
        yield FoundDate(one.start(), one.end(), date, word, "day", date)
