"""When something is due or starts, as a line of quick add says it: days, times and their marks."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Literal

from projects.language.dates import WEEKDAYS, FoundDate
from projects.language.quick.clock import PARTS_OF_DAY, ClockTime, clock_times, times_from_now
from projects.language.quick.days import days_in
from projects.language.todos import starts_with_verb

Mark = Literal["strong", "on", "for", "start", "none", "blocked"]

_STRONG: Final = (
    r"(?:(?:is\s+|it[’']?s\s+)?due(?:\s+date)?(?:\s+(?:on|by|at|is))?|deadline(?:\s+(?:is|on))?"
    r"|no\s+later\s+than|not\s+later\s+than|latest(?:\s+(?:on|by))?|on\s+or\s+before|until|till|by|before)"
)
_START: Final = r"(?:start(?:s|ing)?(?:\s+(?:from|on))?|beginning(?:\s+(?:on|from))?|not\s+before)"
_MARKS: Final = re.compile(
    rf"(?<![\w-])(?:(?P<strong>{_STRONG})|(?P<start>{_START})|(?P<on>on|@|at)|(?P<for>for)"
    r"|(?P<blocked>about|of|since|after|during|around|from|like|called|named|than|vs|to|and|or|&|every"
    r"|each|last|past|black|good|cyber|ash|palm|easter|casual|super|all|via|per|in|with|is|was|the|a|an"
    r"|until\s+last|no|any|some|what|which|how|between|regarding|re))"
    r"(?:\s*[:=])?\s*(?:the\s+)?$",
    re.IGNORECASE,
)
_INNER: Final = re.compile(
    r"(?P<strong>by|until|till|before)\s+(?:the\s+)?|(?P<on>on)\s+(?:the\s+)?"
    r"|(?P<blocked>in|to|for|from|since|after|during|around|about|this|of)\s+(?:the\s+)?",
    re.IGNORECASE,
)
_WEEKDAY_LEAD: Final = re.compile(
    r"(?<![\w-])(?P<day>mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?"
    r"|sat(?:urday)?|sun(?:day)?)\.?,?\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_PART_OF_DAY: Final = re.compile(
    r"\s+(?:in\s+the\s+)?(morning|afternoon|evening|night)(?!\w)", re.IGNORECASE
)
_DATED: Final = re.compile(r"[0-9]|today|tomorrow|tmrw|tonight|week", re.IGNORECASE)
_GOES_ON: Final = re.compile(r"[’']s\b|s[’']|[-–—/][\w]|\w", re.IGNORECASE)
_BOUNDARY: Final = re.compile(
    r"\s*(?:$|[,;:.!?()\[\]…|–—#!\ue000]|-\s|(?:about|with|to|at|in|for|from|and|then|because|if|when|so|re"
    r"|regarding|via|using|over|by|before|after|or|but|unless|please|pls|as|on|start(?:s|ing)?|due|until)(?!\w))",
    re.IGNORECASE,
)
_HIDDEN: Final = re.compile(
    r"[\"“][^\"”\n]*[\"”]|(?<!\w)[‘'](?=\S)[^‘’'\n]*[’'](?!\w)|`[^`\n]*`|(?<!\S)\S*(?:://|@\w)\S*|(?<!\S)www\.\S+"
)


@dataclass(frozen=True)
class Moment:
    """A day and perhaps a time at `text[start:end]`, marks included.

    `options` are the readings of a date that may be two; then `date` is None.
    """

    start: int
    end: int
    date: dt.date | None
    time: dt.time | None = None
    mark: Mark = "none"
    is_period: bool = False
    is_dated: bool = False
    is_guess: bool = False
    has_own_day: bool = True
    words: str = ""
    options: tuple[dt.date, ...] = ()
    wrong_weekday: str = ""


def hidden(text: str, spans: Sequence[tuple[int, int]] = ()) -> str:
    """The text with quotations, addresses and given spans blanked out, of the same length."""
    blank = list(text)
    for start, end in [*(one.span() for one in _HIDDEN.finditer(text)), *spans]:
        blank[start:end] = "\ue000" * (end - start)
    return "".join(blank)


def moments_in(text: str, now: dt.datetime) -> list[Moment]:
    """All moments that a text names, in order, without overlap; which count is decided later."""
    today, times = now.date(), clock_times(text)
    found = [_with_day(text, day, times) for day in days_in(text, today)]
    found += [
        Moment(
            start,
            end,
            then.date(),
            then.time().replace(second=0, microsecond=0),
            is_dated=True,
            words=text[start:end],
        )
        for start, end, then in times_from_now(text, now)
    ]
    found += [_alone(one, text, now) for one in times if one.is_sure]
    found.sort(key=lambda one: (one.start, -one.end))
    kept: list[Moment] = []
    for one in found:
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
        elif one.end > kept[-1].end and kept[-1].has_own_day < one.has_own_day:
            kept[-1] = one
    return kept


def _with_day(text: str, day: FoundDate, times: Sequence[ClockTime]) -> Moment:
    start, inner = day.start, None if _is_span(day) else _INNER.match(day.text)
    date, mark = day.date, "none" if inner is None else str(inner.lastgroup)
    core = start + (inner.end() if inner else 0)
    led = _WEEKDAY_LEAD.search(text, max(0, core - 14), core) if core == start else None
    wrong = ""
    if led and day.kind == "day" and re.search(r"[0-9]", day.text):
        start = led.start()
        is_right = date is None or date.weekday() == WEEKDAYS[led["day"].lower()]
        wrong = "" if is_right else led["day"]
    end, time, is_guess = _timed(text, day.end, times)
    if time is None:
        start, time, is_guess = _timed_before(text, start, times)
    if inner is None or start != day.start:
        start, mark = _marked(text, start, mark)
    if mark == "strong" and date and text[start : start + 6].lower() == "before" and not time:
        date = (day.first or date) - dt.timedelta(1)
    return Moment(
        start, end, date, time, _as_mark(mark), is_period=day.kind not in {"day", "ambiguous"},
        is_dated=bool(_DATED.search(day.text)), is_guess=is_guess, words=day.text,
        options=day.options, wrong_weekday=wrong,
    )  # fmt: skip


def _is_span(day: FoundDate) -> bool:
    """“in three days”, “this Friday”, “end of March” name a day whatever they begin with."""
    lead = day.text.split(maxsplit=1)[0].lower()
    return lead == "this" or (lead in {"in", "end"} and day.kind == "day") or lead == "end"


def _as_mark(mark: str) -> Mark:
    known: dict[str, Mark] = {
        "strong": "strong", "on": "on", "for": "for", "start": "start", "blocked": "blocked",
    }  # fmt: skip
    return known.get(mark, "none")


def _marked(text: str, start: int, mark: str) -> tuple[int, str]:
    """The place from the word that marks a date on, and what it marks."""
    found = _MARKS.search(text, max(0, start - 30), start)
    if found is None:
        return start, mark
    if found["blocked"]:
        return start, "blocked"
    return found.start(), str(found.lastgroup)


def _timed(text: str, end: int, times: Sequence[ClockTime]) -> tuple[int, dt.time | None, bool]:
    """The end of a time that follows a day, the time, and whether it was guessed."""
    part = _PART_OF_DAY.match(text, end)
    after = part.end() if part else end
    for one in times:
        if one.start >= after and re.fullmatch(r"[\s,T]*", text[after : one.start]):
            return one.end, _in_part(one.time, part), one.is_guess and not part
        if one.start > after + 4:
            break
    if part:
        return after, PARTS_OF_DAY[part[1].lower()], False
    return end, None, False


def _in_part(time: dt.time, part: re.Match[str] | None) -> dt.time:
    is_late = part is not None and part[1].lower() != "morning"
    return time.replace(hour=time.hour + 12) if is_late and 1 <= time.hour < 12 else time


def _timed_before(
    text: str, start: int, times: Sequence[ClockTime]
) -> tuple[int, dt.time | None, bool]:
    """The same for a time that stands before the day (“3pm on Friday”)."""
    for one in times:
        if one.end <= start and re.fullmatch(
            r"[\s,]*(?:on\s+)?", text[one.end : start], re.IGNORECASE
        ):
            return one.start, one.time, one.is_guess
        if one.start > start:
            break
    return start, None, False


def _alone(one: ClockTime, text: str, now: dt.datetime) -> Moment:
    """A time without a day: today if that is to come, else tomorrow."""
    day = now.date() + dt.timedelta(one.time <= now.time())
    start, mark = _marked(text, one.start, "none")
    has_at = text[one.start : one.start + 2].lower() in {"at", "by"} or text[one.start] == "@"
    return Moment(
        start, one.end, day, one.time, _as_mark("on" if has_at else mark), is_guess=one.is_guess,
        has_own_day=False, words=text[one.start : one.end],
    )  # fmt: skip


def is_free(text: str, moment: Moment) -> bool:
    """Whether a moment stands where no noun can hang on it (“on Friday with Ben”)."""
    return bool(_BOUNDARY.match(text, moment.end)) and not is_joined(text, moment)


def is_joined(text: str, moment: Moment) -> bool:
    """“Friday's”, “Friday-afternoon”, “2026-12-01b”: part of another word."""
    before = text[moment.start - 1 : moment.start] if moment.start else ""
    return before in {"-", "–", "/", "_", "."} or bool(_GOES_ON.match(text, moment.end))


def is_when(text: str, moment: Moment) -> bool:
    """“lunch tomorrow with Ana”, “lunch Friday 1pm with Ana”: cannot be what the task is about."""
    is_adverb = re.fullmatch(r"today|tonight|tomorrow|in\s+\w+\s+\w+", moment.words, re.IGNORECASE)
    is_timed = moment.time is not None and moment.has_own_day
    return moment.mark == "none" and bool(is_adverb or is_timed) and is_free(text, moment)


def leads(text: str, moment: Moment) -> bool:
    """Whether the line begins with a moment and then goes on to say what: “Tomorrow: call Ben”."""
    if text[: moment.start].strip():
        return False
    rest = text[moment.end :]
    if re.match(r"\s*(?:[:,–—]|-\s)\s*\S", rest):
        return True
    if not starts_with_verb(rest) or is_joined(text, moment):
        return False
    return moment.is_dated or bool(
        re.match(
            r"\s*\w+\s+(?:the|an?|my|our|his|her|their|with|to|up|for|all|back|[0-9])\b",
            rest,
            re.IGNORECASE,
        )
    )


def merged(moments: Sequence[Moment], text: str) -> Iterator[tuple[Moment, Moment]]:
    """The pairs that are a range: “from Monday to Friday”, “1 December – 5 December”."""
    for one, following in pairwise(moments):
        other = following
        between = text[one.end : other.start]
        led = re.search(
            r"(?<!\w)(from|between)\s+(?:the\s+)?$", text[: one.start][-16:], re.IGNORECASE
        )
        joint = re.fullmatch(r"\s*(-|–|—|to|and)\s*", between, re.IGNORECASE)
        is_until = led and not between.strip() and other.mark == "strong"
        is_range = joint and (
            joint[1] in "-–—" or (led and (led[1].lower() == "from") != (joint[1].lower() == "and"))
        )
        if not (is_range or is_until) or one.date is None or other.date is None:
            continue
        if other.date < one.date and not other.is_dated:
            other = replace(other, date=other.date + dt.timedelta(7))
        if other.date and one.date <= other.date:
            begin = one.start - len(led.group(0)) if led else one.start
            yield replace(one, start=begin), other
