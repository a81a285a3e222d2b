"""Quick add: one line becomes a to-do; what is not read for sure stays in its title.

The title and the spans are together the line, so no word is ever lost.
"""

from __future__ import annotations

import datetime as dt
import re
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from futura.language.calendar_words import (
    LANGUAGES,
    WORDS,
    Language,
    alternatives,
    calendar_word,
)
from futura.language.dates import Clock, Unreadable, day_at, occurrences
from futura.language.marks import (
    BLANK,
    Note,
    Priority,
    Reading,
    assignee_in,
    days_of,
    estimate_in,
    marked_in,
    priority_in,
)
from futura.language.moments import Moment, date_of, moment_at
from futura.language.titles import Field, Span, capitalized, title_of

_END: Final = rf"\s*(?:$|[,;:!?)\]…{BLANK}]|\.(?!\w)|[-–—]\s|[(#!~@]|\d{{1,2}}(?:[.,]\d)?[hdj]\b)"
_WORD_BEFORE: Final = re.compile(r"(?P<word>[\w’'&]+)\s+$")
_NOT_REPEATED: Final = frozenset(
    "of not from like about called von vom wie über de del como sobre du des comme sur".split()
)
_MOVING: Final = re.compile(
    r"\s*(?:move|shift|reschedule|change|switch|swap|postpone|translate|convert)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class QuickAdd:
    """A to-do as a line says it.

    `due_time` is a wall clock time on `due_date` in the person's zone, `repeat` an RFC 5545 rule
    whose first day is `due_date`, `estimate_days` working days. `priority` is None where none was
    said. `notes` tell why something that looks like a date or a tag was left in the title, with
    the words that they are about.
    """

    title: str
    due_date: dt.date | None = None
    due_time: dt.time | None = None
    start_date: dt.date | None = None
    repeat: str = ""
    priority: Priority | None = None
    project: uuid.UUID | None = None
    estimate_days: Decimal | None = None
    assignee: str = ""
    tags: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()
    notes: tuple[tuple[Note, str], ...] = ()


def language_of(code: str) -> Language:
    """The language of a code such as `de-at`; English for those that are not read."""
    short = code[:2].lower()
    return next((language for language in LANGUAGES if language == short), "en")


def read(
    text: str,
    *,
    today: dt.date,
    language: Language = "en",
    clock: dt.time | None = None,
    projects: Sequence[tuple[uuid.UUID, str]] = (),
    people: Sequence[str] = (),
    tags: Sequence[str] = (),
) -> QuickAdd:
    """What a line says. `clock` is the person's time, where `today` is the present day; `#` names
    one of the projects or tags, `@` one of the people.
    """
    reading = Reading(text, today, language)
    priority = priority_in(reading)
    project, named_tags = marked_in(reading, projects, tags)
    assignee = assignee_in(reading, people)
    when = _when(list(_moments(reading)), reading, clock)
    estimate = estimate_in(reading)
    if estimate is not None:
        when = replace(when, estimate_days=estimate)
    title = title_of(text, reading.spans)
    if not any(letter.isalnum() for letter in title):  # nothing would be left to do
        return QuickAdd(capitalized(" ".join(text.split())), notes=tuple(reading.notes))
    spans = tuple(sorted(reading.spans, key=lambda span: span.start))
    return replace(
        when, title=title, priority=priority, project=project, assignee=assignee, tags=named_tags,
        spans=spans,
        notes=tuple(dict.fromkeys(reading.notes)),
    )  # fmt: skip


def find_day(
    text: str, *, today: dt.date, language: Language = "en"
) -> tuple[dt.date, dt.time | None] | None:
    """The day that a text is as a whole, such as “next Friday 3pm”; None for all else."""
    label = text.strip()
    try:
        moment = moment_at(label, 0, today, language)
    except Unreadable:
        return None
    if moment is None or moment.end < len(label) or moment.day is None or moment.last:
        return None
    return date_of(moment, today), moment.clock.time if moment.clock else None


# Moments --------------------------------------------------------------------------------------
def _moments(reading: Reading) -> Iterator[Moment]:
    """The moments that count, in their order."""
    masked, at = reading.masked(), 0
    while at < len(masked):
        if masked[at].isspace() or not _begins(masked, at):
            at += 1
            continue
        try:
            moment = moment_at(masked, at, reading.today, reading.language)
        except Unreadable as error:
            reasons: dict[str, Note] = {
                "two": "two_readings",
                "day": "no_day",
                "weekday": "wrong_weekday",
            }
            if error.reason in reasons:
                reading.notes.append((reasons[error.reason], _word_at(masked, at)))
            at = max(error.end, _behind(masked, at))
            continue
        if moment is None:
            at = _behind(masked, at)
            continue
        other = _joined(masked, moment, reading)
        if other is not None:
            at = other
        elif _counts(masked, moment, reading):
            yield moment
            at = moment.end
        else:
            at = _behind(masked, at) if moment.lead else moment.end


def _begins(text: str, at: int) -> bool:
    return at == 0 or text[at - 1].isspace() or text[at - 1] in f"({BLANK}"


def _behind(text: str, at: int) -> int:
    """The end of the word at a place."""
    word = re.compile(r"[\w’'-]+|\S").match(text, at)
    return word.end() if word else at + 1


def _word_at(text: str, at: int) -> str:
    match = re.compile(r"\S+(?:\s+\S+){0,3}").match(text, at)
    return match.group().replace(BLANK, "").strip() if match else ""


def _joined(text: str, moment: Moment, reading: Reading) -> int | None:
    """The end of another day that stands beside one (“Friday or Monday”); neither is read."""
    if moment.day is None or moment.lead == "range":
        return None
    pattern = r"\s*(?:,|/|&|[-–—]|\s(?:and|or|to|till|through|und|oder|bis|y|o|a|al|et|ou|au))\s*"
    gap = re.compile(pattern, re.IGNORECASE).match(text, moment.end)
    if not gap:
        return None
    try:
        other = day_at(text, gap.end(), reading.today, reading.language)
    except Unreadable:
        return None
    if other is None:
        return None
    reading.notes.append(("two_dates", text[moment.start : other.end]))
    return other.end


def _counts(text: str, moment: Moment, reading: Reading) -> bool:
    """Whether a moment is what the line says about its to-do, and not part of its words."""
    own = WORDS[reading.language]
    before = _WORD_BEFORE.search(text, 0, moment.start)
    previous = before["word"].lower() if before else ""
    is_first = not text[: moment.start].strip(f" \t{BLANK}")
    is_bounded = _is_bounded(text, moment.end, own.followers)
    is_number = moment.day is not None and moment.day.is_plain and text[moment.day.start].isdigit()
    if not is_bounded and (is_first or (own.verb_last and not is_number)):
        is_bounded = bool(re.compile(rf"\s+{own.opening}", re.IGNORECASE).match(text, moment.end))
    if moment.repeat:
        is_whole = is_bounded or not (
            moment.repeat.is_plain or text[moment.end : moment.end + 1] in "’'-"
        )
        return is_whole and previous not in _NOT_REPEATED
    if not is_bounded:
        return False
    if moment.lead == "before" and previous in own.blockers.split():
        return False
    if not moment.lead and previous in own.blockers.split():
        return False
    if moment.lead == "range" and _MOVING.match(text):
        return False
    if moment.day is None:
        clock = moment.clock
        return moment.lead == "due" or (clock is not None and not clock.is_plain)
    return _is_sure(text, moment, reading)


def _is_bounded(text: str, at: int, followers: str) -> bool:
    if re.compile(_END).match(text, at):
        return True
    return bool(
        re.compile(rf"\s+(?:{alternatives(followers)})(?![\w’'-])", re.IGNORECASE).match(text, at)
    )


def _is_sure(text: str, moment: Moment, reading: Reading) -> bool:
    """Whether a day is one: not past, no short word that may mean something else."""
    day = moment.day
    assert day is not None  # noqa: S101 - the caller has looked
    word = text[day.start : day.end].strip(".")
    if date_of(moment, reading.today) < reading.today:
        reading.notes.append(("past", text[moment.start : moment.end]))
        return False
    is_led = bool(moment.lead or moment.clock)
    if day.is_plain and word[:1].isdigit():
        return moment.lead != "" and moment.lead != "range"  # “the 5th book” is no day
    if day.is_plain and word.lower().startswith("the "):
        return is_led
    own = WORDS[reading.language]
    if word.lower() in own.ambiguous and not is_led:
        return reading.language == "en" and word[0].isupper() and moment.start > 0
    # “am Morgen” is no day
    return not (reading.language == "de" and word == "Morgen" and moment.start > 0)


# What the moments make of the to-do ----------------------------------------------------------
def _when(moments: Sequence[Moment], reading: Reading, clock: dt.time | None) -> QuickAdd:
    """The fields that say when; moments that stand against each other are left in the title."""
    repeats = [moment for moment in moments if moment.repeat]
    starts = [moment for moment in moments if moment.lead == "start" and moment.day]
    dues = [when for when in moments if not when.repeat and when.lead != "start" and when.day]
    clocks = [moment for moment in moments if not moment.repeat and not moment.day and moment.clock]
    dues = _agreeing(dues, reading)
    starts = starts[:1] if len(starts) == 1 else []
    repeats = repeats if len(repeats) == 1 else []
    has_clock = any(due.clock for due in (*dues, *repeats))
    clocks = clocks if len(clocks) == 1 and not has_clock else []
    if clocks and not (dues or repeats) and _names_days(reading, clocks[0]):
        clocks = []  # “next week at 3pm” is not today
    chosen = [*dues, *starts, *repeats, *clocks]
    add = QuickAdd("")
    if dues:
        first = dues[0]
        due = date_of(
            replace(first, day=first.last, lead="") if first.last else first, reading.today
        )
        start = first.day.date if first.last and first.day else None
        add = replace(add, due_date=due, start_date=start)
    if starts and starts[0].day:
        if add.due_date and starts[0].day.date > add.due_date:
            chosen.remove(starts[0])
        else:
            add = replace(add, start_date=starts[0].day.date)
    timed = next((due for due in (*dues, *repeats, *clocks) if due.clock), None)
    if timed and timed.clock:
        add = _at_clock(add, timed.clock, reading.today, clock, is_repeated=bool(repeats))
    if repeats and repeats[0].repeat:
        add = _repeated(add, repeats[0].repeat.rule, dues, reading.today, clock)
        if not add.repeat:
            chosen = [item for item in chosen if item is not repeats[0]]
    for item in chosen:
        name: Field = "repeat" if item.repeat else "start" if item.lead == "start" else "due"
        reading.take((item.start, item.end), name)
    return add


def _names_days(reading: Reading, clock: Moment) -> bool:
    """Whether the rest of the line has words of the calendar that were not read."""
    text = f"{reading.text[: clock.start]} {reading.text[clock.end :]}"
    return bool(calendar_word(reading.language).search(text))


def _agreeing(dues: Sequence[Moment], reading: Reading) -> list[Moment]:
    """The one day that is meant; none where two are said."""
    if len(dues) < 2:
        return list(dues)
    strong = [due for due in dues if due.lead in {"due", "before"}]
    if len(strong) == 1:
        return strong
    reading.notes.append(
        ("two_dates", "; ".join(reading.text[due.start : due.end] for due in dues))
    )
    return []


def _at_clock(
    todo: QuickAdd, at: Clock, today: dt.date, clock: dt.time | None, *, is_repeated: bool
) -> QuickAdd:
    """With a time; today's, or tomorrow's where it is past and no day was said."""
    due = todo.due_date
    if due is None and not is_repeated:
        due = today + dt.timedelta(1) if clock is not None and at.time <= clock else today
    todo = replace(todo, due_date=due, due_time=at.time)
    if at.until:
        minutes = (at.until.hour - at.time.hour) * 60 + at.until.minute - at.time.minute
        todo = replace(todo, estimate_days=days_of(Decimal(minutes) / 60))
    return todo


def _repeated(
    todo: QuickAdd, rule: str, dues: Sequence[Moment], today: dt.date, clock: dt.time | None
) -> QuickAdd:
    """With a repetition from its first day on. “until” a day ends it; another day begins it."""
    first, until = todo.start_date or today, None
    if todo.due_date and dues:
        if dues[0].lead in {"due", "before"}:
            until = todo.due_date
        else:
            first = todo.due_date
    ended = f"{rule};UNTIL={until:%Y%m%d}" if until else rule
    try:
        # “every other Tuesday” begins on the next one
        days = occurrences(re.sub(r";INTERVAL=\d+", "", ended), first)
        day = next(days, None)
        if day == today and todo.due_time and clock and todo.due_time <= clock:
            day = next(days, None)
    except ValueError:
        day = None
    if day is None:
        return todo
    return replace(todo, due_date=day, repeat=ended)
