"""Reads a day, a time or a repetition at one place of a text: exactly, or not at all.

A period (“next week”, “June”) is no day: only its beginning or end is one, where that is said.
"""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from dateutil.relativedelta import relativedelta
from dateutil.rrule import rrulestr

from futura.language.calendar_words import WORDS, CalendarWords, Language, compiled, index_of

BYDAY: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
Match = re.Match[str]


@dataclass(frozen=True)
class Day:
    """A day at `text[start:end]`.

    `is_plain`: it is only the name of a weekday or a number, which may mean something else.
    """

    start: int
    end: int
    date: dt.date
    is_plain: bool = False
    is_end: bool = False


@dataclass(frozen=True)
class Clock:
    """A time of the day at `text[start:end]`; `until` where a range ends, later on the same day."""

    start: int
    end: int
    time: dt.time
    until: dt.time | None = None
    is_plain: bool = False


@dataclass(frozen=True)
class Repeat:
    """A repetition at `text[start:end]`: an RFC 5545 rule without its start.

    `is_plain`: “every day”, “montags”, which are often part of a name.
    """

    start: int
    end: int
    rule: str
    is_plain: bool = False


class Unreadable(ValueError):
    """The words up to `end` look like a date and name none, or two, by which `reason`."""

    def __init__(self, reason: str = "", end: int = 0) -> None:
        super().__init__(reason)
        self.reason, self.end = reason, end


# Days -----------------------------------------------------------------------------------------
def day_at(text: str, at: int, today: dt.date, language: Language) -> Day | None:
    """The longest day that begins at a place. Raises Unreadable for one that does not exist."""
    longest: tuple[Match, str] | None = None
    for name, pattern in compiled(language, "patterns"):
        match = pattern.match(text, at)
        if match and (longest is None or match.end() > longest[0].end()):
            longest = match, name
    if longest is None:
        return None
    match, name = longest
    try:
        date = _READERS[name](match, today, WORDS[language])
    except Unreadable as error:
        raise Unreadable(error.reason, match.end()) from error
    except (OverflowError, KeyError, ValueError) as error:
        raise Unreadable("day", match.end()) from error
    is_plain = name == "nth" or (name == "weekday" and not (_group(match, "next", "this")))
    return Day(match.start(), match.end(), date, is_plain, name == "end_of")


def _group(match: Match, *names: str) -> str:
    details = match.groupdict()
    return next((details[name].lower() for name in names if details.get(name)), "")


def _iso(match: Match, _today: dt.date, _words: CalendarWords) -> dt.date:
    return dt.date(int(match["y"]), int(match["m"]), int(match["d"]))


def _numeric(match: Match, today: dt.date, words: CalendarWords) -> dt.date:
    """“25/12”, “12/25/2026”; in English only where one reading is possible."""
    first, second = int(match["d"]), int(match["m"])
    if (first, second) == (24, 7):
        raise Unreadable
    year = _group(match, "y")
    readings = {(first, second)} | ({(second, first)} if words.month_first else set())
    days = {date for d, m in readings if (date := _possible(d, m, _full_year(year), today))}
    if len(days) == 2:
        raise Unreadable("two")
    if not days:
        raise Unreadable("day")
    return days.pop()


def _possible(day: int, month: int, year: int | None, today: dt.date) -> dt.date | None:
    try:
        return dt.date(year, month, day) if year else _next_of(month, day, today)
    except ValueError:
        return None


def _full_year(year: str) -> int | None:
    return (int(year) + 2000 if len(year) == 2 else int(year)) if year else None


def _next_of(month: int, day: int, today: dt.date) -> dt.date:
    """That day in this year or the next one that has it. Raises ValueError when none has."""
    dt.date(2028, month, day)  # a leap year
    for year in range(today.year, today.year + 9):
        if day <= calendar.monthrange(year, month)[1]:
            date = dt.date(year, month, day)
            if date >= today:
                return date
    raise ValueError


def _dotted(match: Match, today: dt.date, words: CalendarWords) -> dt.date:
    """“12.12.” and “5.11.2026” have the day first wherever they are written."""
    year = _full_year(_group(match, "y"))
    day, month = int(match["d"]), int(match["m"])
    date = dt.date(year, month, day) if year else _next_of(month, day, today)
    return _of_weekday(match, date, words)


def _month_day(match: Match, today: dt.date, words: CalendarWords) -> dt.date:
    day, year = int(match["d"]), _full_year(_group(match, "y"))
    if which := _group(match, "which", "which2"):
        first: dt.date = today.replace(day=1) + relativedelta(months=_is_next(which, words))
        return first.replace(day=day)
    month = index_of(words.months, match["m"]) + 1
    date = dt.date(year, month, day) if year else _next_of(month, day, today)
    return _of_weekday(match, date, words)


def _of_weekday(match: Match, date: dt.date, words: CalendarWords) -> dt.date:
    """The same day; Unreadable where it is another weekday than the one that was written."""
    named = _group(match, "wd")
    if named and index_of(words.weekdays, named) != date.weekday():
        raise Unreadable("weekday")
    return date


def _relative(match: Match, today: dt.date, words: CalendarWords) -> dt.date:
    return today + dt.timedelta(words.relative[" ".join(match["rel"].lower().split())])


def _in_span(match: Match, today: dt.date, words: CalendarWords) -> dt.date:
    date: dt.date = today + _span(match, words)
    return date


def _span(match: Match, words: CalendarWords) -> relativedelta:
    number, unit = number_of(_group(match, "n") or "1", words), words.units[_group(match, "unit")]
    if unit not in {"day", "week", "fortnight", "month", "year"}:
        raise Unreadable
    if unit == "fortnight":
        return relativedelta(weeks=2 * number)
    return relativedelta(**{f"{unit}s": number})


def number_of(word: str, words: CalendarWords) -> int:
    """A number in figures or words."""
    return int(word) if word.isdecimal() else index_of(words.numbers, word) + 1


def _coming(weekday: int, today: dt.date) -> dt.date:
    return today + dt.timedelta((weekday - today.weekday()) % 7)


def _weeks_from(match: Match, today: dt.date, words: CalendarWords) -> dt.date:
    """“two weeks from Monday”, “Friday week”, “Montag in zwei Wochen”."""
    relative = _group(match, "rel")
    if relative:
        base = today + dt.timedelta(words.relative[" ".join(relative.split())])
    else:
        base = _coming(index_of(words.weekdays, match["wd"]), today)
    if eight := _group(match, "eight"):
        return base + dt.timedelta(weeks=2 if eight == "quinze" else 1)
    date: dt.date = base + _span(match, words)
    return date


def _nth_weekday(match: Match, today: dt.date, words: CalendarWords) -> dt.date:
    weekday, place = index_of(words.weekdays, match["wd"]), _place(match["ord"], words)
    if _group(match, "which"):
        is_this = match["which"].lower() == "this"
        first = today.replace(day=1) + relativedelta(months=0 if is_this else 1)
        return _weekday_of(first.year, first.month, weekday, place)
    month, year = index_of(words.months, match["m"]) + 1, _full_year(_group(match, "y"))
    if year:
        return _weekday_of(year, month, weekday, place)
    date = _weekday_of(today.year, month, weekday, place)
    return date if date >= today else _weekday_of(today.year + 1, month, weekday, place)


def _place(ordinal: str, words: CalendarWords) -> int:
    """1 to 5, -1 for the last."""
    return -1 if ordinal.lower() in words.last.split() else index_of(words.ordinals, ordinal) + 1


def _weekday_of(year: int, month: int, weekday: int, place: int) -> dt.date:
    """The first, second or last such weekday of a month. Raises ValueError for a missing fifth."""
    length = calendar.monthrange(year, month)[1]
    days = [day for day in range(1, length + 1) if dt.date(year, month, day).weekday() == weekday]
    if place > len(days):
        raise ValueError
    return dt.date(year, month, days[place - 1 if place > 0 else -1])


def _weekday(match: Match, today: dt.date, words: CalendarWords) -> dt.date:
    """The coming one, today included; “next Friday” is the one of next week."""
    weekday = index_of(words.weekdays, match["wd"])
    if _group(match, "next", "next2"):
        return today + dt.timedelta(7 + weekday - today.weekday())
    return _coming(weekday, today)


def _end_of(match: Match, today: dt.date, words: CalendarWords) -> dt.date:
    """The last day of a week (Sunday), month, quarter or year; `which` says the next one."""
    if _group(match, "m"):
        return _start_of_month(match, today, words, is_end=True)
    short = {"eow": "week", "eom": "month", "eoy": "year"}.get(_group(match, "eo"))
    unit = short or words.units.get(_group(match, "unit"), _group(match, "unit"))
    by = int(_is_next(_group(match, "which", "which2"), words))
    if unit == "day":
        if by:
            raise Unreadable
        return today
    return _begin_of(unit, today, by + 1) - dt.timedelta(1)


def _is_next(which: str, words: CalendarWords) -> bool:
    return which.startswith(words.next) or which.endswith("viene")


def _begin_of(unit: str, today: dt.date, by: int) -> dt.date:
    if unit == "week":
        return today + dt.timedelta(7 * by - today.weekday())
    if unit == "year":
        return dt.date(today.year + by, 1, 1)
    months = {"month": 1, "quarter": 3}[unit]
    first = today.replace(day=1)
    if unit == "quarter":
        first = first.replace(month=(today.month - 1) // 3 * 3 + 1)
    begin: dt.date = first + relativedelta(months=months * by)
    return begin


def _start_of(match: Match, today: dt.date, words: CalendarWords) -> dt.date:
    if _group(match, "m"):
        return _start_of_month(match, today, words)
    if not _is_next(_group(match, "which", "which2"), words):
        raise Unreadable
    return _begin_of(words.units[_group(match, "unit")], today, 1)


def _start_of_month(
    match: Match, today: dt.date, words: CalendarWords, *, is_end: bool = False
) -> dt.date:
    month = index_of(words.months, match["m"]) + 1
    year = _full_year(_group(match, "y")) or today.year
    months = [dt.date(item, month, 1) for item in (year, year + 1)]
    days = [month + relativedelta(months=1, days=-1) if is_end else month for month in months]
    return days[0] if _group(match, "y") or days[0] >= today else days[1]


def _nth(match: Match, today: dt.date, _words: CalendarWords) -> dt.date:
    """“the 5th”: the next day with that number."""
    day = int(match["d"])
    for ahead in range(4):
        first: dt.date = today.replace(day=1) + relativedelta(months=ahead)
        if day <= calendar.monthrange(first.year, first.month)[1]:
            date = first.replace(day=day)
            if date >= today:
                return date
    raise ValueError


_READERS: Final[dict[str, Callable[[Match, dt.date, CalendarWords], dt.date]]] = {
    "iso": _iso,
    "numeric": _numeric,
    "dotted": _dotted,
    "month_day": _month_day,
    "relative": _relative,
    "in_span": _in_span,
    "weeks_from": _weeks_from,
    "nth_weekday": _nth_weekday,
    "weekday": _weekday,
    "end_of": _end_of,
    "start_of": _start_of,
    "nth": _nth,
}


# Times ----------------------------------------------------------------------------------------
_HALF_DAY: Final = (
    r"(?P<{p}h>1[0-2]|0?[1-9])(?:[:.](?P<{p}m>[0-5]\d))?\s?(?P<{p}half>[ap])\.?m\b\.?"
)
_FULL_DAY: Final = r"(?P<{p}h24>[01]?\d|2[0-3]):(?P<{p}m24>[0-5]\d)(?:\s?(?:Uhr|h)(?!\w))?"
_HOURS: Final = (
    r"(?P<{p}hh>[01]?\d|2[0-3])(?:\.(?P<{p}mu>[0-5]\d)(?=\s?(?:Uhr|h)(?!\w)))?\s?"
    r"(?:h(?P<{p}mh>[0-5]\d)?|Uhr|(?(lead)(?:heures?|horas?)(?!\w)|(?!)))"
)
_DASH: Final = r"\s*[-–—]\s*|\s+(?:to|until|till|bis|a|à|hasta)\s+"


def _clock_pattern(prefix: str) -> str:
    return "|".join(item.format(p=prefix) for item in (_HALF_DAY, _FULL_DAY, _HOURS))


_CLOCK: Final = re.compile(
    rf"(?P<lead>(?:at|um|gegen|a\s+las?|às?|à|vers|@|(?P<span>from|von|de|entre))\s+)?"
    rf"(?:(?P<short>[01]?\d|2[0-3])(?=(?:{_DASH})\d\S*(?:[ap]m|h|\s?Uhr)(?!\w))|"
    rf"{_clock_pattern('')}|(?P<hour>1[0-2]|[1-9])(?=\s+de\s+la\s)|(?P<word>\w+))"
    rf"(?:(?:{_DASH})(?:{_clock_pattern('u')}))?(?![\w:%]|[.,]\d)",
    re.IGNORECASE,
)


# “by Friday 2h” takes two hours in English; “14h” and “at 9h” are times
_EFFORT: Final = re.compile(r"(?:0?[1-9]|1[0-2])\s?h", re.IGNORECASE)


def clock_at(text: str, at: int, language: Language) -> Clock | None:
    """A time of the day, or a range of times, that begins at a place."""
    match = _CLOCK.match(text, at)
    if not match:
        return None
    until, end = _time(match, "u"), match.end()
    if match["span"] and until is None:
        return None  # “from 3pm”
    if match["word"]:
        hour = WORDS[language].hours.get(match["word"].lower())
        time = None if hour is None else dt.time(hour)
    elif match["short"]:  # “3–5pm”, “15–17 Uhr”
        half, hour = (match["uhalf"] or "").lower(), int(match["short"])
        if half and not 0 < hour <= 12:
            return None
        time = dt.time(hour % 12 + (12 if half == "p" else 0)) if half else dt.time(hour)
        time = time.replace(hour=time.hour - 12) if half and until and time > until else time
    else:
        time = dt.time(int(match["hour"])) if match["hour"] else _time(match, "")
    part, end = _day_part(text, end, language) if until is None else ("", end)
    if time and part:
        if not 0 < time.hour < 12:  # “12 de la noche”
            return None
        time = time.replace(hour=time.hour + (12 if part == "pm" else 0))
    if time is None or (match["hour"] and not part) or (until is not None and until <= time):
        return None
    if language == "en" and not part and _EFFORT.fullmatch(match[0]):
        return None
    is_plain = bool(match["hh"] or match["h24"] or match["uhh"]) and not (match["lead"] or part)
    return Clock(match.start(), end, time, until, is_plain)


def _day_part(text: str, at: int, language: Language) -> tuple[str, int]:
    """The half of the day that words after an hour mean, and their end."""
    for half, words in WORDS[language].day_parts.items():
        if match := re.compile(rf"\s+(?:{words})(?!\w)", re.IGNORECASE).match(text, at):
            return half, match.end()
    return "", at


def _time(match: Match, prefix: str) -> dt.time | None:
    details = match.groupdict()
    if hour := details.get(f"{prefix}h"):
        late = 12 if details[f"{prefix}half"].lower() == "p" else 0
        return dt.time(int(hour) % 12 + late, int(details[f"{prefix}m"] or 0))
    if hour := details.get(f"{prefix}h24"):
        return dt.time(int(hour), int(details[f"{prefix}m24"]))
    if hour := details.get(f"{prefix}hh"):
        return dt.time(int(hour), int(details[f"{prefix}mh"] or details[f"{prefix}mu"] or 0))
    return None


# Repetitions ----------------------------------------------------------------------------------
def repeat_at(text: str, at: int, language: Language) -> Repeat | None:
    """The longest repetition that begins at a place."""
    longest: tuple[Match, str] | None = None
    for name, pattern in compiled(language, "repeats"):
        match = pattern.match(text, at)
        if match and (longest is None or match.end() > longest[0].end()):
            longest = match, name
    if longest is None:
        return None
    match, name = longest
    rule = _rule(match, name, WORDS[language])
    is_plain = name in {"repeat_unit", "repeat_plural"}
    return Repeat(match.start(), match.end(), rule, is_plain) if rule else None


def _rule(match: Match, name: str, words: CalendarWords) -> str:
    every = 2 if _group(match, "other") else number_of(_group(match, "n") or "1", words)
    interval = f";INTERVAL={every}" if every > 1 else ""
    if name in {"repeat_weekdays", "repeat_plural"}:
        named = re.findall(r"[^\W\d_]+", match["wds"])
        days = sorted({n for item in named if (n := index_of(words.weekdays, item)) >= 0})
        return f"FREQ=WEEKLY{interval};BYDAY={','.join(BYDAY[day] for day in days)}"
    if name == "repeat_nth_weekday":
        weekday = BYDAY[index_of(words.weekdays, match["wd"])]
        return f"FREQ=MONTHLY;BYDAY={_place(match['ord'], words)}{weekday}"
    if name == "repeat_month_day":
        day = int(_group(match, "d") or 0) or _place(_group(match, "ord"), words)
        return f"FREQ=MONTHLY;BYMONTHDAY={day}" if day <= 31 else ""
    if name == "repeat_year":
        month, day = index_of(words.months, match["m"]) + 1, int(match["d"])
        return f"FREQ=YEARLY;BYMONTH={month};BYMONTHDAY={day}" if day <= 31 else ""
    return _every_unit(words.units[_group(match, "unit")], every)


def _every_unit(unit: str, every: int) -> str:
    if not 0 < every <= 366:
        return ""
    if unit == "weekday":
        return "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR" if every == 1 else ""
    if unit in {"quarter", "fortnight"}:
        every *= {"quarter": 3, "fortnight": 2}[unit]
    freq = {"day": "DAILY", "week": "WEEKLY", "fortnight": "WEEKLY", "year": "YEARLY"}
    interval = f";INTERVAL={every}" if every > 1 else ""
    return f"FREQ={freq.get(unit, 'MONTHLY')}{interval}"


def occurrences(rule: str, first: dt.date) -> Iterator[dt.date]:
    """The days of a rule from a day on, endless ones too. Raises ValueError for no rule."""
    start = dt.datetime.combine(first, dt.time())
    return (item.date() for item in rrulestr(f"RRULE:{rule}", dtstart=start))
