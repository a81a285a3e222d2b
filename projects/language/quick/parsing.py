"""Reads one line of quick add: what is certain leaves the title, everything else stays in it."""

from __future__ import annotations

import datetime as dt
import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from django.utils.translation import gettext as _

from projects.language.quick.moments import (
    Moment,
    hidden,
    is_free,
    is_joined,
    is_when,
    leads,
    merged,
    moments_in,
)
from projects.language.quick.shapes import Priority, QuickTask, Span, SpanKind
from projects.language.quick.tags import Mark, Projects, priorities_in, projects_named, tags_in

TITLE_CHARS: Final = 200
_TRAIL: Final = re.compile(r"[^\w\ue000]*$")
_REPEATS: Final = re.compile(
    r"\b(?:(?:every|each)\s+(?:other\s+|second\s+)?(?:day|week|month|year|morning|evening|weekday"
    r"|mon|tue|wed|thu|fri|sat|sun)\w*|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b",
    re.IGNORECASE,
)
_MOVES: Final = re.compile(
    r"^\W*(?:move|shift|reschedule|postpone|push|change|swap|bring|pull|delay)\b", re.IGNORECASE
)


@dataclass
class _Line:
    """What was understood of one line so far."""

    text: str
    now: dt.datetime
    spans: list[Span] = field(default_factory=list)
    unclear: list[str] = field(default_factory=list)
    due: dt.date | None = None
    due_time: dt.time | None = None
    start: dt.date | None = None
    priority: Priority | None = None
    project: uuid.UUID | None = None
    project_words: str = ""

    def take(self, start: int, end: int, kind: SpanKind) -> None:
        self.spans.append(Span(start, end, kind))

    def has(self, start: int, end: int) -> bool:
        return any(one.start < end and start < one.end for one in self.spans)


def parse(text: str, *, now: dt.datetime, projects: Sequence[tuple[uuid.UUID, str]]) -> QuickTask:
    """What a line such as “call the printer Friday 3pm #launch !high” says.

    `now` is aware and in the person's zone. No word is lost: each is in the title or in a span. A
    date counts where it is marked (on, by, due …) or where the line ends or begins with it.
    """
    line = _Line(text, now)
    veiled = hidden(text)
    _take_project(line, projects, veiled)
    marks = priorities_in(hidden(veiled, [(one.start, one.end) for one in line.spans]))
    _take_priority(line, [one for one in marks if not one.needs_end])
    veiled = hidden(veiled, [(one.start, one.end) for one in line.spans])
    moments = _take_ranges(line, veiled, moments_in(veiled, now))
    _take_marked(line, veiled, moments)
    _take_at_end(line, veiled, moments, [one for one in marks if one.needs_end])
    _take_at_start(line, veiled, moments)
    _tell(line, veiled, moments)
    return _task(line)


# Project and priority --------------------------------------------------------------------------
def _take_project(line: _Line, projects: Projects, veiled: str) -> None:
    for tag in tags_in(line.text):
        if veiled[tag.start] != "#":
            continue
        found = projects_named(tag.words, projects)
        if tag.words.isdigit() and len(found) != 1:
            continue  # the number of something
        line.project_words = line.project_words or tag.words
        if len(found) == 1 and line.project in {None, found[0][0]}:
            line.project, line.project_words = found[0][0], tag.words
            line.take(tag.start, tag.end, "project")
        elif len(found) == 1:
            line.unclear.append(
                _("A task has one project; “#%(tag)s” stays in the title.") % {"tag": tag.words}
            )
        elif found:
            names = _(" or ").join(f"“{name}”" for _id, name in found[:4])
            line.unclear.append(
                _("“#%(tag)s” may be %(names)s.") % {"tag": tag.words, "names": names}
            )
        else:
            line.unclear.append(_("You have no project called “%(tag)s”.") % {"tag": tag.words})


def _take_priority(line: _Line, marks: Sequence[Mark]) -> None:
    for mark in marks:
        if line.priority not in {None, mark.priority}:
            said = line.text[mark.start : mark.end].strip()
            line.unclear.append(
                _("A task has one priority; “%(said)s” stays in the title.") % {"said": said}
            )
        elif not line.has(mark.start, mark.end):
            line.priority = mark.priority
            line.take(mark.start, mark.end, "priority")


# Dates -----------------------------------------------------------------------------------------
def _take_ranges(line: _Line, veiled: str, moments: list[Moment]) -> list[Moment]:
    if _MOVES.match(veiled):
        return moments
    for first, last in merged(moments, veiled):
        if line.due is None and first.date and last.date and is_free(veiled, last):
            line.start, line.due, line.due_time = first.date, last.date, last.time
            line.take(first.start, first.end, "start")
            line.take(first.end, last.end, "due")
    return [one for one in moments if not line.has(one.start, one.end)]


def _take_marked(line: _Line, veiled: str, moments: Sequence[Moment]) -> None:
    """Dates that a word marks wherever they stand; the last one counts."""
    for one in reversed(moments):
        if one.mark == "start" and not is_joined(veiled, one) and line.start is None:
            _take_start(line, one)
        elif one.mark == "strong" and not is_joined(veiled, one) and _may_be_due(line, veiled, one):
            _take_due(line, one)
    for one in reversed(moments):
        is_on = one.mark == "on" and not one.is_period and is_free(veiled, one)
        if (
            (is_on or is_when(veiled, one))
            and not line.has(one.start, one.end)
            and _may_be_due(line, veiled, one)
        ):
            _take_due(line, one)


def _take_at_end(
    line: _Line, veiled: str, moments: Sequence[Moment], marks: Sequence[Mark]
) -> None:
    """What the line ends with, piece by piece from its end."""
    by_end = {one.end: one for one in moments}
    marks_by_end = {one.end: one for one in marks}
    place = len(veiled)
    while place > 0:
        spans = [one for one in line.spans if one.end == place]
        found, mark = by_end.get(place), marks_by_end.get(place)
        if spans:
            place = spans[0].start
        elif mark and line.priority is None and veiled[: mark.start].strip():
            _take_priority(line, [mark])
            place = mark.start
        elif found and _may_end(line, veiled, found) and _may_be_due(line, veiled, found):
            _take_due(line, found)
            place = found.start
        else:
            before = _TRAIL.search(veiled, max(0, place - 40), place)
            if before is None or before.start() == place:
                return
            ends = [end for end in (*by_end, *marks_by_end) if before.start() < end < place]
            place = max(ends, default=before.start())


def _take_at_start(line: _Line, veiled: str, moments: Sequence[Moment]) -> None:
    for one in moments[:1]:
        if (
            one.mark != "blocked"
            and not line.has(one.start, one.end)
            and leads(veiled, one)
            and _may_be_due(line, veiled, one)
        ):
            _take_due(line, one)


def _may_end(line: _Line, veiled: str, one: Moment) -> bool:
    """Whether a date at the end tells when, rather than what (“plan Q3”, “notes from Friday”)."""
    if one.mark == "blocked" or is_joined(veiled, one) or one.mark == "start":
        return False
    is_relative = bool(re.search(r"week|next|this|end|eo[dwmy]|month$", one.words, re.IGNORECASE))
    rest = _words_left(line, one)
    if one.is_period:
        return one.mark != "for" and is_relative and rest >= 2
    if re.match(r"the\s+[0-9]+(?:st|nd|rd|th)$", one.words, re.IGNORECASE):
        return one.mark != "none"
    return rest >= 1


def _words_left(line: _Line, one: Moment) -> int:
    taken = sum(
        len(line.text[span.start : span.end].split())
        for span in line.spans
        if span.end <= one.start
    )
    return len(line.text[: one.start].split()) + len(line.text[one.end :].split()) - taken


def _may_be_due(line: _Line, veiled: str, one: Moment) -> bool:
    if line.due is not None or not (veiled[: one.start] + veiled[one.end :]).strip(
        "\ue000 \t\n.,;:!?-"
    ):
        return False
    if one.date is None:
        if one.options:
            names = _(" or ").join(spoken(date) for date in one.options)
            line.unclear.append(
                _("“%(words)s” may be %(names)s.") % {"words": one.words, "names": names}
            )
        return False
    if one.date < line.now.date() and one.mark != "strong":
        line.unclear.append(
            _("%(date)s is past, so it stays in the title.") % {"date": spoken(one.date)}
        )
        return False
    return True


def _take_due(line: _Line, one: Moment) -> None:
    if one.date is None:
        return
    line.due, line.due_time = one.date, one.time
    line.take(one.start, one.end, "due")
    is_passed = one.time is not None and line.now.date() == one.date and one.time <= line.now.time()
    if (
        is_passed
        and re.fullmatch(r"(?:on\s+|by\s+)?[a-z]{3,9}", one.words, re.IGNORECASE)
        and not one.is_dated
    ):
        line.due = one.date + dt.timedelta(7)
        line.unclear.append(
            _("That time has passed today, so the day is %(date)s.") % {"date": spoken(line.due)}
        )
    elif one.date < line.now.date() or is_passed:
        line.unclear.append(_("%(date)s is in the past.") % {"date": spoken(one.date)})
    elif not one.has_own_day and one.date > line.now.date():
        line.unclear.append(
            _("That time has passed today, so the day is %(date)s.") % {"date": spoken(one.date)}
        )
    if one.wrong_weekday:
        line.unclear.append(
            _("%(date)s is no %(day)s.") % {"date": spoken(one.date), "day": one.wrong_weekday}
        )
    if one.is_guess and one.time:
        line.unclear.append(
            _("The time is read as %(time)s.") % {"time": one.time.strftime("%H:%M")}
        )


def _take_start(line: _Line, one: Moment) -> None:
    if one.date is None:
        return
    line.start = one.date
    line.take(one.start, one.end, "start")


def _tell(line: _Line, veiled: str, moments: Sequence[Moment]) -> None:
    """What else a person should know about the line."""
    if _REPEATS.search(veiled):
        line.unclear.append(_("A task is due once; it does not repeat."))
    others = [
        one
        for one in moments
        if one.has_own_day and one.mark in {"strong", "on"} and not line.has(one.start, one.end)
    ]
    if line.due and any(one.date for one in others):
        line.unclear.append(
            _("There is more than one date; %(date)s counts.") % {"date": spoken(line.due)}
        )
    if line.start and line.due and line.start > line.due:
        line.unclear.append(_("The start lies after the due date."))


def spoken(date: dt.date) -> str:
    """A date as the notes tell it: “Friday 4 December 2026”."""
    return f"{date:%A} {date.day} {date:%B %Y}"


# Title -----------------------------------------------------------------------------------------
def _task(line: _Line) -> QuickTask:
    title = _title(line)
    if not any(letter.isalnum() for letter in title):
        whole = " ".join(line.text.split())
        if not whole or not any(letter.isalnum() for letter in whole):
            return QuickTask(whole)
        return QuickTask(whole, unclear=(_("There is no title besides this."),))
    if len(title) > TITLE_CHARS:
        line.unclear.append(
            _("The title is longer than %(limit)d characters.") % {"limit": TITLE_CHARS}
        )
    return QuickTask(
        title, line.due, line.due_time, line.start, line.priority, line.project, line.project_words,
        tuple(sorted(line.spans, key=lambda one: one.start)), tuple(dict.fromkeys(line.unclear)),
    )  # fmt: skip


def _title(line: _Line) -> str:
    kept, place = [], 0
    for span in sorted(line.spans, key=lambda one: one.start):
        kept.append(line.text[place : span.start])
        place = span.end
    kept.append(line.text[place:])
    if not line.spans:
        return _capital(" ".join(line.text.split()))
    title = re.sub(r"\(\s*\)|\[\s*\]", " ", " ".join(kept))
    title = re.sub(r"\s([,;.!?)]+)(?=\s|$)", r"\1", " ".join(title.split()))
    title = re.sub(r"[,;](?=[,;.])", "", title)
    bare = title.rstrip(" ,;:–—-")
    return _capital(bare.lstrip(" ,;:–—-") or bare)


def _capital(title: str) -> str:
    """With a capital, unless the first word has its own ways (“iPhone”, “git-annex”)."""
    first = title.split(maxsplit=1)[0] if title else ""
    return title[:1].upper() + title[1:] if first.isalpha() and first.islower() else title
