"""Dates in running text, resolved against a day: “Q3”, “next Friday”, “in two weeks”, “12/5”."""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["day", "week", "month", "quarter", "half", "year", "season", "ambiguous"]

MONTHS: Final = {
    name: number
    for number, names in enumerate(
        ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul",
         "august aug", "september sept sep", "october oct", "november nov", "december dec"),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
WEEKDAYS: Final = {
    name: number
    for number, names in enumerate(
        ("monday mon", "tuesday tue tues", "wednesday wed", "thursday thu thur thurs",
         "friday fri", "saturday sat", "sunday sun")
    )
    for name in names.split()
}  # fmt: skip
NUMBERS: Final = {
    word: value
    for value, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve".split(), start=1
    )
} | {"a": 1, "an": 1, "couple": 2, "a couple of": 2, "few": 3, "a few": 3}
SEASONS: Final = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}

_MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DAY: Final = r"(?:[12]?\d|3[01])"
_WEEKDAY: Final = (
    r"(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?"
    r"|sat(?:urday)?|sun(?:day)?)\b"
)
_NUMBER: Final = (
    r"(?:\d{1,3}|an?(?:\s+couple\s+of|\s+few)?|one|two|three|four|five|six|seven|eight|nine|ten"
    r"|eleven|twelve|couple\s+of|few)"
)
_YEAR: Final = r"(?:19|20|21)\d\d"
_PART: Final = (
    r"(?P<part>(?:(?:at\s+|by\s+)?the\s+)?(?:end|start|beginning|middle|close)\s+of|early(?:\s+in)?"
    r"|late(?:\s+in)?|mid(?:-|\s+)?|year[’']?s?\s+end)"
)


@dataclass(frozen=True)
class FoundDate:
    """A stretch of text that names a day or a period.

    `date` is the day to use: the day itself, else the last day of the period (or of the part of it
    that was named). It is None for `ambiguous` ones, which have two `options`. `first` is the
    period's first day.
    """

    start: int
    end: int
    date: dt.date | None
    text: str
    kind: Kind
    first: dt.date | None = None
    options: tuple[dt.date, ...] = ()


@dataclass(frozen=True)
class _Period:
    first: dt.date
    last: dt.date
    kind: Kind


def find_dates(text: str, today: dt.date) -> list[FoundDate]:
    """The dates of a text in order; where readings overlap, the longer one counts.

    Days without a year are taken to lie ahead.
    """
    return apart(one for pattern, read in _READERS for one in _all(pattern, read, text, today))


def apart(found: Iterable[FoundDate]) -> list[FoundDate]:
    """Readings in the order of the text, without overlap: the longer one counts."""
    kept: list[FoundDate] = []
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
        elif one.end - one.start > kept[-1].end - kept[-1].start:
            kept[-1] = one
    return kept


def find_span(text: str) -> tuple[int, int, dt.timedelta | int] | None:
    """A length of time such as “two weeks” or “a month”: its place, and days or (int) months."""
    found = re.search(rf"\b({_NUMBER})\s+(day|week|month|year|quarter)s?\b", text, re.IGNORECASE)
    if found is None:
        return None
    many, unit = number_of(found[1]), found[2].lower()
    if unit in {"day", "week"}:
        return found.start(), found.end(), dt.timedelta(days=many * (7 if unit == "week" else 1))
    return found.start(), found.end(), many * {"month": 1, "quarter": 3, "year": 12}[unit]


def shifted(date: dt.date, by: dt.timedelta | int) -> dt.date:
    """A day later (or earlier) by days or by months; the 31st becomes the last of a short month."""
    if isinstance(by, dt.timedelta):
        return date + by
    month = date.month - 1 + by
    year, month = date.year + month // 12, month % 12 + 1
    return date.replace(year, month, min(date.day, calendar.monthrange(year, month)[1]))


def number_of(word: str) -> int:
    """A small number in figures or words."""
    word = " ".join(word.lower().split())
    return int(word) if word.isdigit() else NUMBERS.get(word) or NUMBERS.get(word.split()[-1]) or (
        NUMBERS.get(word.removesuffix(" of").split()[-1], 1)
    )  # fmt: skip


Reader = Callable[["re.Match[str]", dt.date], "FoundDate | _Period | dt.date | None"]


def _all(pattern: re.Pattern[str], read: Reader, text: str, today: dt.date) -> Iterator[FoundDate]:
    for found in pattern.finditer(text):
        try:
            value = read(found, today)
        except (ValueError, OverflowError):
            continue
        if value is None:
            continue
        if isinstance(value, FoundDate):
            yield value
        elif isinstance(value, dt.date):
            yield FoundDate(*found.span(), value, found.group(0), "day", value)
        else:
            yield FoundDate(*found.span(), value.last, found.group(0), value.kind, value.first)


# Periods --------------------------------------------------------------------------------------
def _month(year: int, month: int, kind: Kind = "month", length: int = 1) -> _Period:
    last = month + length - 1
    end_year, end_month = year + (last - 1) // 12, (last - 1) % 12 + 1
    end = dt.date(end_year, end_month, calendar.monthrange(end_year, end_month)[1])
    return _Period(dt.date(year, month, 1), end, kind)


def _ahead(period: Callable[[int], _Period], year: str | None, today: dt.date) -> _Period:
    """The period of a year, or the next one that is not over."""
    if year:
        return period(int(year))
    this = period(today.year)
    return this if this.last >= today else period(today.year + 1)


def _part(period: _Period, part: str | None) -> _Period:
    """The first, middle or last stretch of a period."""
    word = " ".join((part or "").lower().replace("-", " ").split())
    third = (period.last - period.first).days // 3
    if not word or "end" in word or "close" in word:
        return period if not word else _Period(period.last, period.last, period.kind)
    if word.startswith("late"):
        return _Period(period.last - dt.timedelta(third), period.last, period.kind)
    if "start" in word or "beginning" in word:
        return _Period(period.first, period.first, period.kind)
    if word.startswith("early"):
        return _Period(period.first, period.first + dt.timedelta(third), period.kind)
    middle = period.first + (period.last - period.first) / 2
    return _Period(middle, middle, period.kind)


# Readers --------------------------------------------------------------------------------------
def _iso(found: re.Match[str], _today: dt.date) -> dt.date:
    return dt.date(int(found["y"]), int(found["m"]), int(found["d"]))


def _named_day(found: re.Match[str], today: dt.date) -> dt.date:
    month = MONTHS[found["m"].lower().rstrip(".")]
    day, year = int(found["d"]), found["y"]
    if year:
        return dt.date(int(year), month, day)
    return next(date for date in _same_days(today.year, month, day) if date >= today)


def _same_days(year: int, month: int, day: int) -> Iterator[dt.date]:
    """The day in this year and the next ones that have it. ValueError when no year has."""
    dt.date(2028, month, day)  # a leap year
    for one in range(year, year + 9):
        if day <= calendar.monthrange(one, month)[1]:
            yield dt.date(one, month, day)


def _slashed(found: re.Match[str], today: dt.date) -> FoundDate | None:
    a, b, year = int(found["a"]), int(found["b"]), found["y"]
    years = [_full_year(year)] if year else [today.year, today.year + 1]

    def day(month: int, number: int) -> dt.date | None:
        for one in years:
            try:
                date = dt.date(one, month, number)
            except ValueError:
                return None
            if year or date >= today:
                return date
        return None

    both = [date for date in (day(b, a), day(a, b)) if date is not None]
    if not both:
        return None
    if found["dot"] and not (year or found.group(0).endswith(".")):
        return None  # a decimal
    if found.group(0) == "24/7":
        return None
    if found["dot"] or len(set(both)) == 1:
        date = both[0] if not found["dot"] else day(b, a)
        return FoundDate(*found.span(), date, found.group(0), "day", date) if date else None
    return FoundDate(
        *found.span(), None, found.group(0), "ambiguous", None, tuple(sorted(set(both)))
    )


def _full_year(year: str) -> int:
    return int(year) + 2000 if len(year) == 2 else int(year)


def _word_day(found: re.Match[str], today: dt.date) -> dt.date:
    word = " ".join(found.group(0).lower().split())
    days = {"yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1}
    return today + dt.timedelta(2 if "after" in word else days[word])


def _in_span(found: re.Match[str], today: dt.date) -> dt.date:
    span = find_span(found.group(0))
    by = span[2] if span else dt.timedelta()
    if found["ago"]:
        by = -by
    return shifted(today, by)


def _weekday(found: re.Match[str], today: dt.date) -> dt.date | None:
    """“next Friday” is Friday of next week, “Friday” and “this Friday” the coming one."""
    if re.match(r"\s+(?:of|in)\s+\w", found.string[found.end() :], re.IGNORECASE):
        return None  # “the last Friday of June” is no day of this week
    wanted = WEEKDAYS[found["day"].lower()]
    which = (found["which"] or "").lower()
    is_led = which or found.group(0).lower().startswith(("on", "by"))
    if found["day"].lower() in {"sun", "sat", "mon", "wed"} and not is_led:
        return None  # words of their own
    monday = today - dt.timedelta(today.weekday())
    if which == "next":
        return monday + dt.timedelta(7 + wanted)
    if which == "last":
        date = monday + dt.timedelta(wanted)
        return date if date < today else date - dt.timedelta(7)
    date = monday + dt.timedelta(wanted)
    return date if date >= today else date + dt.timedelta(7)


def _relative(found: re.Match[str], today: dt.date) -> _Period | None:
    step = {"this": 0, "the": 0, "next": 1, "last": -1, "coming": 1, "": 0}
    which = " ".join((found["which"] or "").lower().split()).removeprefix("the ")
    unit, by = found["unit"].lower(), step[which or "the"]
    if which in {"", "the"} and not found["part"]:
        return None  # “the week” alone names no time
    if unit == "week":
        first = today - dt.timedelta(today.weekday()) + dt.timedelta(7 * by)
        return _part(_Period(first, first + dt.timedelta(6), "week"), found["part"])
    if unit == "month":
        first = shifted(today.replace(day=1), by)
        return _part(_month(first.year, first.month), found["part"])
    if unit == "quarter":
        first = shifted(dt.date(today.year, (today.month - 1) // 3 * 3 + 1, 1), 3 * by)
        return _part(_month(first.year, first.month, "quarter", 3), found["part"])
    return _part(_month(today.year + by, 1, "year", 12), found["part"])


def _quarter(found: re.Match[str], today: dt.date) -> _Period:
    ordinals = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4}
    number = int(found["q"]) if found["q"] else ordinals[found["o"].lower()]
    period = _ahead(
        lambda year: _month(year, 3 * number - 2, "quarter", 3), found["y"] or found["yb"], today
    )
    return _part(period, found["part"])


def _half(found: re.Match[str], today: dt.date) -> _Period:
    number = 1 if (found["h"] or found["o"]).lower() in {"1", "first"} else 2
    return _ahead(lambda year: _month(year, 6 * number - 5, "half", 6), found["y"], today)


_DAY_AFTER = re.compile(r"\.?\s+(?:the\s+)?[0-9]{1,2}(?:st|nd|rd|th)?(?![0-9])", re.IGNORECASE)


def _month_name(found: re.Match[str], today: dt.date) -> _Period | None:
    month = MONTHS[found["m"].lower().rstrip(".")]
    if not found["y"] and _DAY_AFTER.match(found.string, found.end()):
        return None  # “by December 20” is a day, whatever stands before it
    is_guessed = not (found["y"] or found["part"] or found["lead"])
    if is_guessed and (found["m"].lower() in {"may", "march", "mar", "sep", "dec", "jan"}):
        return None  # verbs and scraps
    if is_guessed and not found["m"][0].isupper():
        return None
    by_next = " ".join((found["lead"] or "").lower().split()).endswith("next")
    year = found["y"] or (str(today.year + 1) if by_next and month >= today.month else None)
    return _part(_ahead(lambda one: _month(one, month), year, today), found["part"])


def _season(found: re.Match[str], today: dt.date) -> _Period:
    month = SEASONS[found["s"].lower()]
    period = _ahead(lambda year: _month(year, month, "season", 3), found["y"], today)
    if (found["which"] or "").lower() == "next" and period.first <= today:
        period = _month(period.first.year + 1, month, "season", 3)
    return _part(period, found["part"])


def _year(found: re.Match[str], _today: dt.date) -> _Period:
    return _part(_month(int(found["y"]), 1, "year", 12), found["part"])


def _year_end(_found: re.Match[str], today: dt.date) -> _Period:
    return _part(_month(today.year, 1, "year", 12), "end of")


def _ordinal(found: re.Match[str], today: dt.date) -> dt.date | None:
    day = int(found["d"])
    for ahead in range(14):
        first = shifted(today.replace(day=1), ahead)
        if day <= calendar.monthrange(first.year, first.month)[1]:
            date = first.replace(day=day)
            if date >= today:
                return date
    return None


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_LEAD: Final = (
    r"(?P<lead>\b(?:in|by|until|till|to|for|from|since|before|after|during|around|about|this|next"
    r"|end|of)\s+(?:the\s+)?)?"
)
_READERS: Final[tuple[tuple[re.Pattern[str], Reader], ...]] = (
    (_compiled(r"\b(?P<y>\d{4})[-/](?P<m>\d{1,2})[-/](?P<d>\d{1,2})\b"), _iso),
    (
        _compiled(
            rf"\b(?:the\s+)?(?P<d>{_DAY})(?:st|nd|rd|th)?\.?\s+(?:of\s+)?(?P<m>{_MONTH})"
            rf"(?:,?\s+(?P<y>{_YEAR}))?\b"
        ),
        _named_day,
    ),
    (
        _compiled(
            rf"\b(?P<m>{_MONTH})\s+(?:the\s+)?(?P<d>{_DAY})(?:st|nd|rd|th)?(?![\d:])"
            rf"(?:,?\s+(?P<y>{_YEAR}))?\b"
        ),
        _named_day,
    ),
    (
        _compiled(
            r"(?<![\d./])(?P<a>\d{1,2})(?:/|(?P<dot>\.))(?P<b>\d{1,2})"
            r"(?:(?(dot)\.|/)(?P<y>\d{4}|\d\d))?(?(dot)\.?)(?![\d/%]|\.\d|\s*(?:percent|hours?|of\b))"
        ),
        _slashed,
    ),
    (
        _compiled(
            r"\b(?:the\s+)?day\s+after\s+tomorrow\b|\b(?:today|tonight|tomorrow|yesterday)\b"
        ),
        _word_day,
    ),
    (
        _compiled(
            rf"\b(?:in|within)\s+{_NUMBER}\s+(?:day|week|month|year|quarter)s?(?:[’']\s+time)?\b(?P<ago>(?!))?"
            rf"|\b{_NUMBER}\s+(?:day|week|month|year)s?\s+(?:from\s+(?:now|today)|hence|later)\b"
        ),
        _in_span,
    ),
    (_compiled(rf"\b{_NUMBER}\s+(?:day|week|month|year)s?\s+(?P<ago>ago)\b"), _in_span),
    (
        _compiled(
            rf"\b(?:on\s+|by\s+)?(?:(?P<which>next|this|last|coming)\s+)?(?P<day>{_WEEKDAY})"
        ),
        _weekday,
    ),
    (
        _compiled(
            rf"\b(?:{_PART}\s+)?(?P<which>this|(?:the\s+)?next|last|(?:the\s+)?coming|the)\s+"
            r"(?P<unit>week|month|quarter|year)\b"
        ),
        _relative,
    ),
    (
        _compiled(
            rf"\b(?:{_PART}\s+)?(?:(?:the\s+)?(?P<o>first|second|third|fourth|last)\s+quarter"
            rf"|(?:(?P<yb>{_YEAR})[-\s/]?)?Q(?P<q>[1-4]))(?:\s+(?:of\s+)?[’']?(?P<y>{_YEAR}))?\b"
        ),
        _quarter,
    ),
    (
        _compiled(
            rf"\b(?:(?:the\s+)?(?P<o>first|second)\s+half(?:\s+of)?(?:\s+the\s+year)?|H(?P<h>[12]))"
            rf"(?:\s+(?:of\s+)?(?P<y>{_YEAR}))?\b"
        ),
        _half,
    ),
    (
        _compiled(
            rf"{_LEAD}(?<!\d )\b(?:{_PART}\s*)?(?P<m>{_MONTH})(?:\s+(?:of\s+)?(?P<y>{_YEAR}))?\b"
        ),
        _month_name,
    ),
    (
        _compiled(
            rf"\b(?:{_PART}\s+)?(?:(?P<which>this|next|the)\s+)?(?P<s>spring|summer|autumn|fall|winter)"
            rf"(?:\s+(?:of\s+)?(?P<y>{_YEAR}))?\b(?!\s+(?:back|through|behind|apart))"
        ),
        _season,
    ),
    (_compiled(rf"\b(?:(?:in|by|until|during|before)\s+|{_PART}\s+)(?P<y>{_YEAR})\b"), _year),
    (
        _compiled(r"\b(?:the\s+)?(?:end\s+of\s+(?:the\s+)?year|year(?:[’']s|-|\s)?\s?end)\b"),
        _year_end,
    ),
    (_compiled(rf"\b(?:on\s+|by\s+)?the\s+(?P<d>{_DAY})(?:st|nd|rd|th)\b"), _ordinal),
)
