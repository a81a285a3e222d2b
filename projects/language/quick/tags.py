"""Marks in a line of quick add: “#launch” for a project, “!high” or “urgent” for a priority."""

from __future__ import annotations

import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rapidfuzz import fuzz

from projects.language.quick.shapes import Priority

Projects = Sequence[tuple[uuid.UUID, str]]

_TAG: Final = re.compile(
    r"(?<![^\s(,;])#(?:[\"“](?P<quoted>[^\"”\n]{1,80})[\"”]|(?P<plain>[^\s#\"“]+))"
)
_AROUND: Final = ".,;:!?()[]{}…"
_NAMES: Final[dict[str, Priority]] = {
    "critical": "critical", "crit": "critical", "urgent": "critical", "asap": "critical",
    "top": "critical", "highest": "critical", "1": "critical",
    "high": "high", "hi": "high", "important": "high", "2": "high",
    "normal": "normal", "norm": "normal", "medium": "normal", "med": "normal", "3": "normal",
    "low": "low", "lo": "low", "lowest": "low", "4": "low",
}  # fmt: skip
_BANG: Final = re.compile(
    rf"(?<![^\s(,;])(?:!(?P<name>{'|'.join(_NAMES)})(?![\w-])|(?P<marks>!{{2,3}})(?!\S))",
    re.IGNORECASE,
)
_LEVEL: Final = r"critical|urgent|top|highest|high|normal|medium|low|lowest"
_SAID: Final = re.compile(
    rf"(?<!\w)(?:(?:with|at)\s+(?:an?\s+)?(?P<with>{_LEVEL})[\s-]+priority"
    rf"|(?:with\s+)?prio(?:rity)?\s*[:=]\s*(?P<set>{_LEVEL}))(?!\w)",
    re.IGNORECASE,
)
_LEADING: Final = re.compile(
    rf"^\W*(?:(?P<level>{_LEVEL})[\s-]+priority|(?P<word>urgent|critical))\s*(?:!+|[:,–—]|-\s)\s*",
    re.IGNORECASE,
)
_TRAILING: Final = re.compile(
    rf"(?<!\w)(?:(?P<level>{_LEVEL})[\s-]+prio(?:rity)?|prio(?:rity)?\s+(?P<set>{_LEVEL})"
    r"|(?:very\s+|it[’']?s\s+|super\s+)?(?P<word>urgent(?:ly)?))(?!\w)",
    re.IGNORECASE,
)
_NO_TRAILING: Final = re.compile(
    r"(?<!\w)(?:is|are|was|be|not|isn[’']?t|less|more|most|what[’']?s|as|so|too|how|the|a|an|and|or"
    r"|if|of|our|my|how|with|no|than|or)\s+$",
    re.IGNORECASE,
)
_CLOSE: Final = 82.0
_AHEAD: Final = 6.0


@dataclass(frozen=True)
class Mark:
    """A priority at `text[start:end]`; one that `needs_end` counts only where the line ends."""

    start: int
    end: int
    priority: Priority
    needs_end: bool = False


@dataclass(frozen=True)
class Tag:
    """A project's tag at `text[start:end]`, `words` without the sign."""

    start: int
    end: int
    words: str


def tags_in(text: str) -> list[Tag]:
    """The tags of a line in order."""
    found = []
    for one in _TAG.finditer(text):
        if one["quoted"]:
            found.append(Tag(one.start(), one.end(), one["quoted"].strip()))
            continue
        words = one["plain"].rstrip(_AROUND)
        if words and any(letter.isalnum() for letter in words):
            found.append(Tag(one.start(), one.start() + 1 + len(words), words))
    return [one for one in found if one.words]


def priorities_in(text: str) -> list[Mark]:
    """The priorities that a line may name, in order, without overlap."""
    marks = [
        Mark(one.start(), one.end(), _of(one["name"] or one["marks"]))
        for one in _BANG.finditer(text)
    ]
    marks += [
        Mark(one.start(), one.end(), _of(one["with"] or one["set"])) for one in _SAID.finditer(text)
    ]
    lead = _LEADING.match(text)
    if lead:
        begin = lead.start("level") if lead["level"] else lead.start("word")
        marks.append(Mark(begin, lead.end(), _of(lead["level"] or lead["word"])))
    marks += [
        Mark(one.start(), one.end(), _of(one["level"] or one["set"] or one["word"]), needs_end=True)
        for one in _TRAILING.finditer(text)
        if not _NO_TRAILING.search(text, max(0, one.start() - 12), one.start())
    ]
    marks.sort(key=lambda one: (one.start, one.needs_end))
    kept: list[Mark] = []
    for mark in marks:
        if not kept or mark.start >= kept[-1].end:
            kept.append(mark)
    return kept


def _of(name: str) -> Priority:
    if name.startswith("!"):
        return "critical" if len(name) > 2 else "high"
    return _NAMES[name.lower().removesuffix("ly")]


def projects_named(words: str, projects: Projects) -> list[tuple[uuid.UUID, str]]:
    """The projects that a tag may name: one, several equally near, or none.

    Whole name, then beginning of the name, then of one of its words, then likeness.
    """
    wanted = _key(words)
    if not wanted:
        return []
    for is_named in (_is_name, _is_beginning, _is_word, _begins_word):
        found = [one for one in projects if is_named(wanted, one[1])]
        if found:
            return found
    if wanted.isdigit() or len(wanted) < 4:
        return []
    scored = [(_likeness(wanted, one[1]), one) for one in projects]
    best = max((score for score, _one in scored), default=0.0)
    return [one for score, one in scored if score > best - _AHEAD] if best >= _CLOSE else []


def _key(words: str) -> str:
    return "".join(letter for letter in words.casefold() if letter.isalnum())


def _parts(name: str) -> list[str]:
    return [_key(part) for part in re.split(r"[\W_]+", name) if _key(part)]


def _is_name(wanted: str, name: str) -> bool:
    return wanted == _key(name)


def _is_beginning(wanted: str, name: str) -> bool:
    return len(wanted) > 1 and _key(name).startswith(wanted)


def _is_word(wanted: str, name: str) -> bool:
    return len(wanted) > 1 and wanted in _parts(name)


def _begins_word(wanted: str, name: str) -> bool:
    return len(wanted) > 2 and any(part.startswith(wanted) for part in _parts(name))


def _likeness(wanted: str, name: str) -> float:
    return max(
        fuzz.ratio(wanted, _key(name)),
        *(fuzz.ratio(wanted, part) for part in _parts(name) if len(part) > 3),
        0.0,
    )
