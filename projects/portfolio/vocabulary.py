"""Recognises names of languages, frameworks, tools and fields in a text, by a list of them; and
reads the lists of words of basic mode.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

_FILE: Final = Path(__file__).with_suffix(".toml")
# what ends a name of several words
_SEGMENTS: Final = re.compile(r"[,;:!?()\[\]{}\"“”„|•*`<>]+|\.(?=\s|$)|\s[–—-]\s")
_LONGEST: Final = 4
"""Words of the longest name."""
# words that are also English: with these behind them they are rather that ("Go to …")
_VERB_BEFORE: Final = frozenset("to through into ahead the this your yourself".split())


@dataclass(frozen=True)
class Term:
    """A name as it is written here, with its category."""

    name: str
    category: str


@cache
def _vocabulary() -> tuple[dict[str, Term], dict[str, Term]]:
    """Terms by spelling: in any case (keys in lower case), and in one case only."""
    loose: dict[str, Term] = {}
    exact: dict[str, Term] = {}
    for category, listed in tomllib.loads(_FILE.read_text(encoding="utf-8")).items():
        for entry in " ".join(listed.split()).split(";"):
            spellings = [spelling.strip() for spelling in entry.split("|") if spelling.strip()]
            for spelling in spellings:
                term = Term(spellings[0].removeprefix("="), category)
                if spelling.startswith("="):
                    exact.setdefault(spelling[1:], term)
                else:
                    loose.setdefault(spelling.casefold(), term)
    return loose, exact


def _term(name: str) -> Term | None:
    loose, exact = _vocabulary()
    return loose.get(name.casefold()) or exact.get(name)


def terms_in(text: str) -> list[Term]:
    """The names that stand in a text, each once, in the order of their first place."""
    matches: dict[Term, None] = {}
    for segment in _SEGMENTS.split(text):
        words = _words(segment)
        place = 0
        while place < len(words):
            term, length = _longest_at(words, place)
            if term is not None:
                matches.setdefault(term)
            place += length
    return list(matches)


def _words(segment: str) -> list[str]:
    """Words of a segment; “React/Redux” are two, “CI/CD” is one."""
    words: list[str] = []
    for word in segment.split():
        text = word.strip("'’‘…").removesuffix("'s").removesuffix("’s")
        words += [text] if "/" not in text or _term(text) else text.split("/")
    return [word for word in words if word]


def _longest_at(words: Sequence[str], place: int) -> tuple[Term | None, int]:
    """The longest name that begins there and how many words it has; one word where none does."""
    for length in range(min(_LONGEST, len(words) - place), 0, -1):
        name = " ".join(words[place : place + length])
        term = _term(name)
        if term is not None and len(name) > 1 and name.casefold() not in _vocabulary()[0]:
            after = words[place + length] if place + length < len(words) else ""
            if after.casefold() in _VERB_BEFORE:
                term = None
        if term is not None and term.category == "domain":  # tools have one right name, fields many
            term = Term(name if name.isupper() else name.casefold(), term.category)
        if term is not None:
            return term, length
    return None, 1


def category_of(name: str) -> str | None:
    """Which category a single name belongs to; None for one that is not listed."""
    term = _term(name.strip())
    return term.category if term else None


@lru_cache(maxsize=4096)
def spellings_of(name: str) -> frozenset[str]:
    """Every spelling of a name, lower case, its own included."""
    term = _term(name.strip())
    if term is None:
        return frozenset({name.strip().casefold()})
    spellings = (item for spellings in _vocabulary() for item in spellings.items())
    return frozenset(spelling.casefold() for spelling, other in spellings if other == term)


@cache
def word_lists(file: Path) -> Mapping[str, Mapping[str, frozenset[str]]]:
    """Words by table and name of a list; in the file they end at semicolons."""
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    return {
        table: {
            name: frozenset(filter(None, map(str.strip, listed.split(";"))))
            for name, listed in lists.items()
        }
        for table, lists in tables.items()
    }
