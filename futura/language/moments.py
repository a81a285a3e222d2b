"""Reads one moment at a place of a line: its lead, a day, a time, a range or a repetition."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, replace

from futura.language.calendar_words import WORDS, CalendarWords, Language
from futura.language.dates import Clock, Day, Repeat, clock_at, day_at, repeat_at


@dataclass(frozen=True)
class Moment:
    """A stretch that says when: a day, a time, a range of days or a repetition, with its lead."""

    start: int
    end: int
    lead: str = ""
    day: Day | None = None
    last: Day | None = None
    clock: Clock | None = None
    repeat: Repeat | None = None


def moment_at(text: str, at: int, today: dt.date, language: Language) -> Moment | None:
    """The moment that begins at a place. Raises Unreadable for a day that does not exist."""
    words = WORDS[language]
    if repeat := repeat_at(text, at, language):
        clock = _clock_after(text, repeat.end, language)
        return Moment(at, clock.end if clock else repeat.end, repeat=repeat, clock=clock)
    lead, body = _lead_at(text, at, words)
    moment = _led_moment(text, at, lead, body, today, language)
    return _led_moment(text, at, "", at, today, language) if moment is None and lead else moment


def _lead_at(text: str, at: int, words: CalendarWords) -> tuple[str, int]:
    lead, body = "", at
    for name, pattern in words.leads.items():
        match = re.compile(
            rf"(?:{pattern})(?:\s*[:=]\s*|\s+|(?<=@))(?:the\s+(?=\d))?", re.IGNORECASE
        ).match(text, at)
        if match and match.end() > body:
            lead, body = name, match.end()
    return lead, body


def _led_moment(
    text: str, at: int, lead: str, body: int, today: dt.date, language: Language
) -> Moment | None:
    if not lead and (ranged := _range_at(text, at, today, language)):
        return ranged
    day = day_at(text, body, today, language)
    if day:
        clock = _clock_after(text, day.end, language)
        return Moment(at, clock.end if clock else day.end, lead, day, clock=clock)
    clock = clock_at(text, body, language)
    if clock is None:
        return None
    gap = re.compile(r"\s*,?\s+(?:on\s+|am\s+)?").match(text, clock.end)
    day = day_at(text, gap.end(), today, language) if gap else None
    return Moment(at, day.end if day else clock.end, lead, day, clock=clock)


def _clock_after(text: str, at: int, language: Language) -> Clock | None:
    gap = re.compile(r"\s*,?\s+").match(text, at)
    return clock_at(text, gap.end(), language) if gap else None


def _range_at(text: str, at: int, today: dt.date, language: Language) -> Moment | None:
    """“from Monday to Friday”, “1 Dec – 3 Dec”; None where it is no range of days in order."""
    words = WORDS[language]
    led = re.compile(words.range_lead, re.IGNORECASE).match(text, at)
    first = day_at(text, led.end() if led else at, today, language)
    if first is None:
        return None
    join = re.compile(words.range_join, re.IGNORECASE).match(text, first.end)
    if join is None or (not led and join.group().strip().casefold() in {"and", "und", "y", "et"}):
        return None
    last = day_at(text, join.end(), today, language)
    if last is not None and last.is_plain and last.date <= first.date:
        last = replace(last, date=last.date + dt.timedelta(7))  # “from Monday to Friday”
    if last is None or last.date <= first.date:
        return None
    if not led and first.is_plain and not re.search(r"[-–—]", join.group()):
        return None  # “Friday to Monday”
    return Moment(at, last.end, "range", first, last)


def date_of(moment: Moment, today: dt.date) -> dt.date:
    """The day that a moment makes something due; “before” a day is the day before it."""
    date = moment.day.date if moment.day else today
    is_end = moment.day is not None and moment.day.is_end  # “before the end of the month”
    if moment.lead == "before" and moment.day and not (moment.clock or is_end):
        return date - dt.timedelta(1)
    return date
