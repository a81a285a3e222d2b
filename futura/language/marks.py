"""The marks of quick add (`#project`, `#tag`, `@person`, `!priority`, `~2h`), read from a line."""

from __future__ import annotations

import datetime as dt
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Final, Literal

from futura.language.calendar_words import Language
from futura.language.titles import Field, Span

Priority = Literal["critical", "high", "normal", "low"]
Note = Literal[
    "past", "no_day", "two_readings", "wrong_weekday", "two_dates", "no_project", "two_projects",
]  # fmt: skip
HOURS_A_DAY: Final = 8
_PRIORITIES: Final[dict[str, Priority]] = {
    **dict.fromkeys(
        "critical urgent dringend kritisch kritische urgente crítica critico critique".split(),
        "critical",
    ),
    **dict.fromkeys("high hoch hohe alta alto haute".split(), "high"),
    **dict.fromkeys("normal medium mittel normale media moyenne".split(), "normal"),
    **dict.fromkeys("low niedrig niedrige baja basse faible".split(), "low"),
    "!!!": "critical",
    "!!": "high",
}
PRIORITY_MARKS: Final[Mapping[Language, Sequence[str]]] = {
    "en": ("critical", "high", "normal", "low"), "de": ("kritisch", "hoch", "normal", "niedrig"),
    "es": ("crítica", "alta", "normal", "baja"), "fr": ("critique", "haute", "normale", "basse"),
}  # fmt: skip
PRIORITY_WORDS: Final = "|".join(word for word in _PRIORITIES if word.isalpha())
_PRIORITY_NOUN: Final = "(?:priority|priorität|prioridad|priorité)"
_PRIORITY: Final = re.compile(
    r"(?<!\S)(?:!(?P<word>[^\W\d_]+)|(?P<marks>!!!?))(?=$|\s|[,;.:)](?:\s|$))"
    rf"|(?<![\w-])(?:(?P<plain>{PRIORITY_WORDS})\s+{_PRIORITY_NOUN}|{_PRIORITY_NOUN}:?\s+(?P<after>{PRIORITY_WORDS}))"
    r"(?=\s*(?:,|[.!]?\s*$))",
    re.IGNORECASE,
)
_TAG: Final = re.compile(r"(?<![\w#&/])#(?:\"(?P<quoted>[^\"]+)\"|(?P<plain>[\w][\w&-]*))")
PERSON: Final = re.compile(r"(?<!\S)@(?P<words>[^\W\d_][\w'’-]*)")
_ESTIMATE: Final = re.compile(
    r"(?<!\S)~?(?P<n>\d{1,2}(?:[.,]\d)?)(?P<unit>h|d|j|\s?std\.?)(?=\s*(?:$|[#!@]))",
    re.IGNORECASE,
)
_NO_ESTIMATE: Final = re.compile(
    r"(?:^|\s)(?:in|for|under|of|a|the|every|than|within|at|by|um|gegen|bis|von|für|alle|las|de|en"
    r"|por|para|cada|hasta|à|vers|dans|pour|toutes\s+les)\s+$",
    re.IGNORECASE,
)
_HIDDEN: Final = re.compile(
    r"[\"“„«][^\"”“»\n]*[\"”“»]|(?<!\w)[‘'](?=\S)[^‘’'\n]*[’'](?!\w)|`[^`\n]*`"
    r"|(?<!\S)\S*(?:://|\w@\w)\S*|(?<!\S)www\.\S+"
)
BLANK: Final = "\ue000"


@dataclass
class Reading:
    """What is gathered while a line is read."""

    text: str
    today: dt.date
    language: Language
    spans: list[Span] = field(default_factory=list)
    notes: list[tuple[Note, str]] = field(default_factory=list)

    def masked(self) -> str:
        """The line with quotations, addresses and what was read blanked out, of the same length."""
        letters = list(self.text)
        places = [item.span() for item in _HIDDEN.finditer(self.text)]
        places += [(span.start, span.end) for span in self.spans]
        for start, end in places:
            letters[start:end] = BLANK * (end - start)
        return "".join(letters)

    def take(self, place: tuple[int, int], field: Field) -> None:
        """Notes what was read at a place, which the title then leaves out."""
        self.spans.append(_tidy(self, Span(*place, field)))


def priority_of(word: str) -> Priority:
    """What a word says of a priority, in any of the languages; normal for any other word."""
    return _PRIORITIES.get(word.lower(), "normal")


def priority_in(reading: Reading) -> Priority | None:
    """The first one that is written; a second one stays in the title."""
    for match in _PRIORITY.finditer(reading.masked()):
        word = (match["word"] or match["marks"] or match["plain"] or match["after"]).lower()
        if word in _PRIORITIES:
            reading.take(match.span(), "priority")
            return _PRIORITIES[word]
    return None


def marked_in(
    reading: Reading, projects: Sequence[tuple[uuid.UUID, str]], tags: Sequence[str]
) -> tuple[uuid.UUID | None, tuple[str, ...]]:
    """The first project that is named, and the tags; other marks stay in the title."""
    project, named = None, []
    by_name = {_folded(tag): tag for tag in tags}
    for match in _TAG.finditer(reading.text):
        words = match["quoted"] or match["plain"]
        matches = projects_named(words, projects)
        if len(matches) == 1 and project is None:
            reading.take(match.span(), "project")
            project = matches[0]
        elif (tag := by_name.get(_folded(words))) and tag not in named:
            reading.take(match.span(), "tag")
            named.append(tag)
        elif project is None and not words.isdigit():
            reading.notes.append(("two_projects" if matches else "no_project", words))
    return project, tuple(named)


def assignee_in(reading: Reading, people: Sequence[str]) -> str:
    """The first of the people whose name follows an `@`; other names stay in the title."""
    for match in PERSON.finditer(reading.masked()):
        words = match["words"]
        exact = [name for name in people if _folded(name) == _folded(words)]
        first = [name for name in people if _folded(name.split()[0]) == _folded(words)]
        matches = exact or first
        if len(matches) == 1:
            reading.take(match.span(), "assignee")
            return matches[0]
    return ""


def projects_named(words: str, projects: Sequence[tuple[uuid.UUID, str]]) -> list[uuid.UUID]:
    """The projects that a tag may mean: by their whole name, its beginning, or one of its words."""
    requested, is_number = _folded(words), words.isdigit()
    folded = [(pk, _folded(name), name.split()) for pk, name in projects]
    by_name = [pk for pk, name, _words in folded if name == requested]
    by_start = [pk for pk, name, _words in folded if name.startswith(requested) and not is_number]
    by_word = [pk for pk, _name, own in folded if requested in {_folded(word) for word in own}]
    return by_name or by_start or by_word


def _folded(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def estimate_in(reading: Reading) -> Decimal | None:
    masked = reading.masked()
    for match in _ESTIMATE.finditer(masked.replace(BLANK, "#")):
        number = Decimal(match["n"].replace(",", "."))
        is_hours = match["unit"].lower() not in {"d", "j"}
        if _NO_ESTIMATE.search(masked, 0, match.start()) or not 0 < number <= (
            12 if is_hours else 99
        ):
            continue
        reading.take(match.span(), "estimate")
        return days_of(number) if is_hours else number
    return None


def days_of(hours: Decimal) -> Decimal:
    return round(hours / HOURS_A_DAY, 2)


def _tidy(reading: Reading, span: Span) -> Span:
    """With the brackets around it, or the comma, colon or dash that ties it to the rest."""
    text, start, end = reading.text, span.start, span.end
    if text[start - 1 : start] == "(" and text[end : end + 1] == ")":
        return replace(span, start=start - 1, end=end + 1)
    taken = [(span.start, span.end) for span in reading.spans]
    lead = text[:start]
    for low, high in taken:
        lead = lead[:low] + " " * (high - low) + lead[high:]
    if not lead.strip():
        mark = re.compile(r"\s*[:,;]|\s+[-–—](?=\s)").match(text, end)
        return replace(span, end=mark.end()) if mark else span
    is_last = re.compile(r"\s*(?:$|[,;)#!])").match(text, end)
    mark = re.search(r"\s*[,;]\s*$|\s+[-–—]\s+$", lead)
    if mark and is_last and all(high <= mark.start() or low >= mark.end() for low, high in taken):
        return replace(span, start=mark.start())
    return span
