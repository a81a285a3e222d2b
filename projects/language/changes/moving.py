"""Dates that move: “push the launch to Q3”, “the test slips by a week”, “it starts on Monday”."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from projects.language.changes.shapes import (
    Ambiguity,
    Found,
    ProposedChange,
    Reading,
    chosen,
    day_words,
)
from projects.language.dates import FoundDate, find_dates, find_span, shifted
from projects.language.targets import Target, targets_of

_SHIFT: Final = re.compile(
    r"^(?P<verb>push|move|postpone|delay|shift|reschedule|bring|pull|slip|extend|set|change|put)\b"
    r"(?:\s+(?:back|forward|out|up|in|off))?\s+(?P<what>.+)$",
    re.IGNORECASE,
)
_MOVES: Final = re.compile(
    r"^(?P<what>.{2,80}?)\s+(?:(?:now\s+)?(?P<starts>starts?|begins?|kicks?\s+off)"
    r"|moves?|slips?|shifts?|ends?|launch(?:es)?|(?:is|are|was|has\s+been|have\s+been|will\s+be"
    r"|(?:should|shall|must)\s+be|becomes?|gets?)(?:\s+(?:now|delayed|postponed|pushed|moved|due|shifted|scheduled|planned|set|rescheduled"
    r"|brought|pulled))*)\s+(?:back\s+|forward\s+|out\s+)?(?:now\s+)?(?:to|until|till|by|on|in|for|at)?\s*$",
    re.IGNORECASE,
)
_SLIPS: Final = re.compile(
    r"^(?P<what>.{2,80}?)\s+(?:moves?|slips?|shifts?|(?:is|are|was|were|has\s+been|will\s+be|gets?)\s+"
    r"(?:now\s+)?(?:delayed|postponed|pushed|moved|late|behind))\s+(?:back\s+|forward\s+|out\s+)?(?:by\s+)?",
    re.IGNORECASE,
)
_EARLIER: Final = re.compile(
    r"\bforward\b|\bearlier\b|\bpull\w*\s+in\b|\bbring\b|\bsooner\b", re.IGNORECASE
)
_PREPOSITION: Final = re.compile(
    r"\s*\b(?:back\s+|forward\s+|out\s+|up\s+)?(?:from\s+.{2,30}\s+)?(?:to|until|till|by|into|for|on|in|at)?"
    r"\s*(?:the\s+)?$",
    re.IGNORECASE,
)
_VAGUELY: Final = re.compile(
    r"\s*\b(?:(?:back|forward|out|up|off)\s*)?(?:(?:a|by\s+a)\s+(?:bit|little|while)|some(?:what|\s+more)?"
    r"|slightly|later|earlier|sooner|further)?\s*$",
    re.IGNORECASE,
)
_START: Final = re.compile(r"\b(?:start(?:s|ing)?|kick-?\s?off|begin(?:s|ning)?)\b", re.IGNORECASE)


def moved(one: Reading) -> list[Found]:
    """A date of a task or of the project, by a day or by a length of time."""
    asked = _SHIFT.match(one.text)
    dates = find_dates(one.text, one.today)
    span = _span_in(one.text, dates)
    if asked and span:
        return _shift_by(one, asked["what"], *span)
    if span and (slips := _SLIPS.match(one.text)):
        return _shift_by(one, slips["what"], len(one.text), span[1])
    if not dates:
        return _shift_without_date(one, asked)
    when = dates[-1]
    before = one.text[: when.start]
    if asked:
        what = _PREPOSITION.sub("", before[asked.start("what") :])
        return _to_date(one, what, when, is_start=bool(_START.search(what)))
    moved = _MOVES.match(before)
    if moved:
        is_start = bool(moved["starts"] or _START.search(moved["what"]))
        return _to_date(one, moved["what"], when, is_start=is_start)
    return []


def _shift_without_date(one: Reading, asked: re.Match[str] | None) -> list[Found]:
    if asked is None or asked["verb"].lower() in {"set", "change", "put", "move", "bring"}:
        return []
    meant = targets_of(_VAGUELY.sub("", asked["what"]), one.known)
    if not meant:
        return []
    return [_lacking(meant[0], _("By how much, or to which day, shall %(what)s move?"))]


def _lacking(target: Target, question: str) -> Ambiguity:
    if target.kind == "project":
        return Ambiguity(question % {"what": _("the end of the project")}, moves=_("the project"))
    return Ambiguity(question % {"what": f"“{target.name}”"}, moves=target.name)


def named_in(one: Reading) -> str:
    """What a wish to move something calls it; empty for no such wish."""
    asked = _SHIFT.match(one.text)
    if asked is None:
        return ""
    dates = find_dates(one.text, one.today)
    span = find_span(one.text)
    ends = [len(one.text), *(date.start for date in dates), *([span[0]] if span else [])]
    what = one.text[asked.start("what") : min(ends)]
    return _VAGUELY.sub("", _PREPOSITION.sub("", what)).strip() if dates or span else ""


def moved_by_answer(what: str, answer: str) -> str:
    """The whole wish of an open question about a day and its answer."""
    is_length = find_span(answer) and not re.match(r"\W*in\b", answer, re.IGNORECASE)
    bare = re.sub(r"^\W*(?:by|to|until|till|on)\s+", "", answer.strip(), flags=re.IGNORECASE)
    return f"push {what} by {bare}" if is_length else f"move {what} to {bare}"


def _span_in(text: str, dates: Sequence[FoundDate]) -> tuple[int, dt.timedelta | int] | None:
    """Where “by two weeks” or “two weeks later” stands, and how long it is."""
    span = find_span(text)
    if span is None or any(one.start <= span[0] < one.end for one in dates):
        return None
    start, _end, by = span
    return start, -by if _EARLIER.search(text) else by


def _shift_by(one: Reading, what: str, start: int, by: dt.timedelta | int) -> list[Found]:
    offset = one.text.index(what)
    named = _PREPOSITION.sub("", what[: max(0, start - offset)])
    named = re.sub(r"\s+(?:back|forward|out|up)$", "", named, flags=re.IGNORECASE)
    options: list[ProposedChange] = []
    for target in targets_of(named, one.known):
        old = target.start if _START.search(named) and target.kind != "task" else target.date
        if old is None:
            return [
                _lacking(target, _("There is no date for %(what)s yet. Which day shall it be?"))
            ]
        options.append(_dated(target, shifted(old, by), is_start=old != target.date))
    return chosen(named, options)


def _to_date(one: Reading, what: str, when: FoundDate, *, is_start: bool) -> list[Found]:
    meant = targets_of(what, one.known)
    if not meant:
        return []
    if when.kind == "ambiguous":
        options = [_dated(meant[0], date, is_start=is_start) for date in when.options]
        question = _("Does %(date)s mean %(one)s or %(other)s?") % {
            "date": when.text, "one": day_words(when.options[0]), "other": day_words(when.options[1])
        }  # fmt: skip
        return [Ambiguity(question, options)]
    date = when.first if is_start and when.first else when.date
    if date is None:
        return []
    return chosen(what, [_dated(target, date, is_start=is_start) for target in meant])


def _dated(target: Target, date: dt.date, *, is_start: bool) -> ProposedChange:
    names = {True: "start_date", False: "end_date" if target.kind == "project" else "due_date"}
    values: dict[str, Any] = {names[is_start]: date}
    if not is_start and target.start and target.start > date:
        # what would end before it starts keeps its length
        length = (target.date - target.start) if target.date else dt.timedelta()
        values["start_date"] = date - max(length, dt.timedelta())
    label = f"{target.name}: {day_words(date)}"
    if target.kind == "project":
        return ProposedChange("project", values, label=label)
    return ProposedChange("task", values, target.id, label=label)
