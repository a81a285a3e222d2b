"""Rules for what shall come again: to-dos do not repeat, so one is offered, or that is said."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace
from typing import Final

from django.utils import formats
from django.utils.translation import gettext as _

from projects.concierge.calls import CreateTask
from projects.concierge.understanding import creating
from projects.concierge.understanding.hearing import Clause, masked
from projects.concierge.understanding.references import Scene, tasks_meant
from projects.concierge.understanding.said import Said
from projects.concierge.understanding.shapes import Pending

_DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY: Final = r"(?:mon|tues?|wed(?:nes)?|thur?s?|fri|sat(?:ur)?|sun)(?:day)?"
_ORDER: Final = r"(?:\d{1,2}(?:st|nd|rd|th)?|first|last)"
_SPAN: Final = r"(?:day|week|weekday|weekend|month|quarter|year|morning|evening|night)"
_EVERY: Final = re.compile(
    rf"\s*,?\s*\b(?:"
    rf"(?:on\s+|by\s+)?(?:the\s+)?(?P<nth>{_ORDER})(?:\s+day)?\s+(?:of\s+)?(?:every|each)\s+month"
    rf"|(?:on\s+)?(?:the\s+)?(?:every|each)\s+(?:first|second|third|fourth|last)\s+{_DAY}"
    r"(?:\s+(?:of|in)\s+(?:the|a|every|each)\s+month)?"
    rf"|(?:on\s+)?(?:every|each)\s+month\s+on\s+the\s+(?P<nth2>{_ORDER})"
    rf"|(?:on\s+)?(?:every|each)\s+(?:single\s+|other\s+|second\s+|\d+\s+)?"
    rf"(?:(?P<day>{_DAY})s?|{_SPAN}s?)\b(?:\s+and\s+(?:{_DAY}))*"
    rf"|on\s+(?P<days>(?:mon|tues|wednes|thurs|fri|satur|sun)day)s"
    r"|(?:once|twice|three\s+times)\s+(?:a|per|every)\s+(?:day|week|month|year)"
    r"|(?:daily|weekly|fortnightly|biweekly|monthly|quarterly|yearly|annually)(?=\s*$|\s*[,.])"
    r")",
    re.IGNORECASE,
)
_RECURRING: Final = re.compile(
    r"\b(?:daily|weekly|fortnightly|monthly|quarterly|yearly|annual|recurring|repeating|regular)\s+"
    r"(?=(?:task|to-?do|reminder|item)s?\b)",
    re.IGNORECASE,
)
_THERE: Final = re.compile(
    r"^(?:make|let|set|have|schedule|move|repeat|put)\s+(?P<ref>\S.*?)"
    r"(?:\s+(?:to\s+)?(?:repeat|recur|come\s+(?:back|again)|happen|be(?:\s+due)?|due|on|to))*$",
    re.IGNORECASE,
)


def repeated(scene: Scene, clause: Clause) -> Said | None:
    """“add … every Monday”: the next one is offered; “make X weekly”: that it cannot be."""
    if clause.is_question:
        return None
    found = _EVERY.search(clause.masked)
    named = _RECURRING.search(clause.masked)
    if found is None and named is None:
        return None
    text = clause.text
    for one in sorted(filter(None, (found, named)), key=lambda one: -one.start()):
        text = f"{text[: one.start()]}{' ' if one is named else ''}{text[one.end() :]}"
    text = " ".join(text.split()).strip(" ,")
    due = _next(found, scene.today) if found else None
    there = _THERE.match(text)
    if there and tasks_meant(there["ref"], scene).rows:
        return Said("unknown", reply=_cannot())
    return _offered(scene, replace(clause, text=text, masked=masked(text)), due)


def _cannot() -> str:
    return _(
        "To-dos do not repeat here, so I left it as it is. When it is done, add it again for the "
        "next time; its day can be changed on its page."
    )


def _offered(scene: Scene, clause: Clause, due: dt.date | None) -> Said | None:
    rules = (creating.asked, creating.marked, creating.needed, creating.imperative, _acted)
    for rule in rules:
        said = rule(scene, clause)
        if said is None:
            continue
        calls = said.calls or (tuple(said.pending.calls) if said.pending else ())
        made = [one for one in calls if isinstance(one, CreateTask)]
        if not made or len(made) != len(calls):
            return said
        dated = [one.model_copy(update={"due": one.due or due}) for one in made]
        return Said(
            "offer", question=_once(dated), pending=Pending(kind="offer", calls=list(dated))
        )
    return None


def _acted(scene: Scene, clause: Clause) -> Said | None:
    """“water the plants daily”."""
    is_deed = creating.acts(clause.text) and len(clause.text.split()) > 1
    return creating.offered(clause.text, scene) if is_deed else None


def _once(made: list[CreateTask]) -> str:
    names = ", ".join(f"“{one.title}”" for one in made)
    due = made[0].due
    if due is None:
        question = _("To-dos do not repeat here. Shall I add %(names)s once?")
        return question % {"names": names}
    question = _("To-dos do not repeat here. Shall I add %(names)s once, for %(day)s?")
    return question % {"names": names, "day": formats.date_format(due, "l j F")}


def _next(found: re.Match[str], today: dt.date) -> dt.date | None:
    """The next day that a repetition names, today included; None for “every week”."""
    day = (found["day"] or found["days"] or "").lower()
    if day:
        number = next(n for n, name in enumerate(_DAYS) if name.startswith(day[:3]))
        return today + dt.timedelta((number - today.weekday()) % 7)
    nth = (found["nth"] or found["nth2"] or "").lower()
    if nth:
        return _day_of_month(nth, today)
    is_daily = re.search(r"\b(?:day|daily|morning|evening|night)\b", found.group(0), re.IGNORECASE)
    return today if is_daily and not re.search(r"\d|other|second", found.group(0)) else None


def _day_of_month(nth: str, today: dt.date) -> dt.date | None:
    """The next first, last or fifteenth."""
    next_month = (today.replace(day=1) + dt.timedelta(32)).replace(day=1)
    if nth == "last":
        return next_month - dt.timedelta(1)
    digits = re.match(r"\d+", nth)
    number = int(digits.group(0)) if digits else 1
    if not 1 <= number <= 28:  # a day that some months do not have
        return None
    return (today if number >= today.day else next_month).replace(day=number)
