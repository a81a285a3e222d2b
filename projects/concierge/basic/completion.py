"""Completes a line of the command line: verbs, the person's own things, days, lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from futura.language.calendar_words import Language
from futura.language.commands import DAYS, Opening, openings
from futura.language.quick_add import PRIORITY_MARKS
from futura.language.row_words import WORDS
from futura.text import quoted
from projects.models import Task
from projects.todos.basic import Known

OFFERED: Final = 6
_MARKED: Final = re.compile(r"(?:^|(?<=\s))(?P<mark>[#@!])\"?(?P<begun>[^\s#@!\"]*)$")
_QUOTES: Final = '“”"„«» \u00a0\u202f'


@dataclass(frozen=True)
class Completion:
    """A whole line to take instead of what was typed, and the piece of it that is new."""

    line: str
    label: str


def completions(line: str, known: Known, language: Language) -> list[Completion]:
    """How a line may go on, at most six; none where nothing of the person's fits."""
    if not line.strip() or "\n" in line:
        return []
    mark = _MARKED.search(line)
    offered = _marked(line, mark, known, language) if mark else _command(line, known, language)
    unlike = (one for one in offered if one.line.strip().casefold() != line.strip().casefold())
    return list(islice(dict.fromkeys(unlike), OFFERED))


def _marked(
    line: str, mark: re.Match[str], known: Known, language: Language
) -> Iterator[Completion]:
    """`#project`, `#tag`, `@person`, `!priority`."""
    names: dict[str, Iterable[str]] = {
        "#": (*(project.name for project in known.projects), *known.tags),
        "@": known.people,
        "!": PRIORITY_MARKS[language],
    }
    for name in _begun(mark["begun"], names[mark["mark"]]):
        word = f'"{name}"' if " " in name and mark["mark"] == "#" else name
        yield Completion(f"{line[: mark.start()]}{mark['mark']}{word} ", f"{mark['mark']}{name}")


def _command(line: str, known: Known, language: Language) -> Iterator[Completion]:
    typed = line.lstrip().casefold()
    table = [*openings(language), *(openings("en") if language != "en" else ())]
    for opening in table:
        if opening.words.startswith(typed):
            yield Completion(f"{opening.words} " if opening.slot else opening.words, opening.words)
        elif typed.startswith(f"{opening.words} "):
            rest = line.lstrip()[len(opening.words) + 1 :]
            yield from _slot(opening, rest.lstrip(), known, language)


def _slot(opening: Opening, rest: str, known: Known, language: Language) -> Iterator[Completion]:
    """What comes after the verb."""
    head = opening.words
    if opening.slot == "list":
        names = [*WORDS[language].names, *(project.name for project in known.projects)]
        yield from (Completion(f"{head} {name}", name) for name in _begun(rest, names))
    elif opening.slot == "project":
        names = [project.name for project in known.projects]
        yield from (Completion(f"{head} {name}", name) for name in _begun(rest, names))
    elif opening.slot == "todo":
        named, _blank, day = rest.rpartition(f" {opening.then} ") if opening.then else ("", "", "")
        if named and opening.has_day:
            begun = f"{head} {named} {opening.then}"
            yield from (Completion(f"{begun} {name}", name) for name in _begun(day, DAYS[language]))
            return
        titles = [task.title for task in known.tasks if task.status in Task.ACTIVE]
        end = f" {opening.then} " if opening.then else ""
        for title in _begun(rest.strip(_QUOTES), titles):
            name = quoted(title) if " " in title else title
            yield Completion(f"{head} {name}{end}", title)


def _begun(begun: str, names: Iterable[str]) -> Iterator[str]:
    """The names that begin with what was typed, then those of which a later word does."""
    start = begun.casefold().strip()
    later = []
    for name in names:
        plain = name.casefold()
        if plain.startswith(start):
            yield name
        elif any(word.startswith(start) for word in plain.split()):
            later.append(name)
    yield from later
