"""Times of the day in running text: “3:30 pm”, “15h”, “at noon”, “in two hours”."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from projects.language.dates import number_of

_BEFORE: Final = r"(?<![\w:.,/$€£#–-])"
_CLOCK: Final = re.compile(
    rf"{_BEFORE}(?:(?P<h>1[0-2]|0?[1-9])(?:[:.](?P<m>[0-5][0-9]))?\s?(?P<half>[ap])\.?m\b\.?"
    r"|(?P<h24>[01]?[0-9]|2[0-3]):(?P<m24>[0-5][0-9])(?::[0-5][0-9])?"
    r"|(?P<hh>[01]?[0-9]|2[0-3])h(?P<mh>[0-5][0-9])?"
    r"|(?P<word>noon|midday|midnight))(?![\w:%]|[.,][0-9])",
    re.IGNORECASE,
)
_BARE: Final = re.compile(
    r"(?<!\S)at\s+(?P<h>1?[0-9]|2[0-3])(?:\s*o[’']?clock)?(?![\w:%]|[.,/-][0-9])", re.IGNORECASE
)
_SPAN: Final = re.compile(
    r"(?<!\S)in\s+(?P<many>[0-9]{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve"
    r"|half\s+an)\s*(?P<unit>hours?|hrs?|h|minutes?|mins?)(?!\w)",
    re.IGNORECASE,
)
_LED: Final = re.compile(r"(?<!\S)(?:at|by|around|from|@)\s*$|(?<!\S)@$", re.IGNORECASE)
_NOT: Final = re.compile(r"(?<!\w)(?:in|under|below|for|than|of|takes?)\s+$", re.IGNORECASE)
PARTS_OF_DAY: Final = {
    "morning": dt.time(9),
    "afternoon": dt.time(15),
    "evening": dt.time(19),
    "night": None,
}


@dataclass(frozen=True)
class ClockTime:
    """A time at `text[start:end]`, with the “at” that leads it.

    `is_sure` when it can be nothing but a time; `is_guess` when morning or afternoon was guessed.
    """

    start: int
    end: int
    time: dt.time
    is_sure: bool = False
    is_guess: bool = False


def clock_times(text: str) -> list[ClockTime]:
    """The times of a text in order; “at 3” is found too, but is not sure."""
    found = [_read(one, text) for one in _CLOCK.finditer(text) if not _is_amount(one, text)]
    taken = {one.start for one in found}
    found += [one for one in _bare_hours(text) if one.start not in taken]
    return sorted(found, key=lambda one: one.start)


def times_from_now(text: str, now: dt.datetime) -> Iterator[tuple[int, int, dt.datetime]]:
    """“in two hours”: its place and the moment."""
    for one in _SPAN.finditer(text):
        is_half = one["many"].lower().startswith("half")
        many = 0.5 if is_half else float(number_of(one["many"]))
        unit = "hours" if one["unit"].lower().startswith("h") else "minutes"
        yield one.start(), one.end(), now + dt.timedelta(**{unit: many})


def _read(found: re.Match[str], text: str) -> ClockTime:
    lead = _LED.search(text, max(0, found.start() - 9), found.start())
    start = lead.start() if lead else found.start()
    is_sure = bool(found["half"] or found["word"] or lead)
    if found["word"]:
        hour = 0 if found["word"].lower() == "midnight" else 12
        return ClockTime(start, found.end(), dt.time(hour), is_sure=is_sure)
    if found["half"]:
        hour = int(found["h"]) % 12 + (12 if found["half"].lower() == "p" else 0)
        return ClockTime(start, found.end(), dt.time(hour, int(found["m"] or 0)), is_sure=is_sure)
    if found["hh"]:
        time = dt.time(int(found["hh"]), int(found["mh"] or 0))
        return ClockTime(start, found.end(), time, is_sure=bool(lead))
    time, is_guess = _in_waking_hours(found["h24"], int(found["m24"]))
    return ClockTime(start, found.end(), time, is_sure=bool(lead), is_guess=is_guess)


def _is_amount(found: re.Match[str], text: str) -> bool:
    """“run it in 3:30”, “under 2h”: a length, not a time of day."""
    return not found["half"] and bool(_NOT.search(text, max(0, found.start() - 9), found.start()))


def _bare_hours(text: str) -> Iterator[ClockTime]:
    for one in _BARE.finditer(text):
        time, is_guess = _in_waking_hours(one["h"], 0)
        yield ClockTime(one.start(), one.end(), time, is_guess=is_guess or int(one["h"]) < 12)


def _in_waking_hours(hour: str, minute: int) -> tuple[dt.time, bool]:
    """“3:30” is taken for the afternoon, “03:30” and “9:30” for what they say."""
    if len(hour) == 1 and 1 <= int(hour) <= 6:
        return dt.time(int(hour) + 12, minute), True
    return dt.time(int(hour), minute), False
