"""Recognises names of languages, frameworks, tools and fields in a text, by a list of them."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

CATEGORIES: Final = ("language", "framework", "tool", "domain")
_FILE: Final = Path(__file__).with_suffix(".toml")
_EDGE: Final = r"(?<![\w#+./-])(?:{})(?![\w#+]|[./-]\w)"


@dataclass(frozen=True)
class Term:
    """A name as it is written here, with its category."""

    name: str
    category: str


@dataclass(frozen=True)
class _Vocabulary:
    by_spelling: dict[str, Term]
    exact: dict[str, Term]
    pattern: re.Pattern[str]
    exact_pattern: re.Pattern[str]


@cache
def _vocabulary() -> _Vocabulary:
    loose: dict[str, Term] = {}
    exact: dict[str, Term] = {}
    for category, listed in tomllib.loads(_FILE.read_text(encoding="utf-8")).items():
        for entry in " ".join(listed.split()).split(";"):
            spellings = [one.strip() for one in entry.split("|") if one.strip()]
            if not spellings:
                continue
            term = Term(spellings[0].removeprefix("="), category)
            for one in spellings:
                if one.startswith("="):
                    exact.setdefault(one[1:], term)
                else:
                    loose.setdefault(one.casefold(), term)
    return _Vocabulary(loose, exact, _pattern(loose, re.IGNORECASE), _pattern(exact, 0))


def _pattern(spellings: dict[str, Term], flags: int) -> re.Pattern[str]:
    longest_first = sorted(spellings, key=len, reverse=True)
    words = "|".join(re.escape(one).replace(r"\ ", r"\s+") for one in longest_first)
    return re.compile(_EDGE.format(words), flags)


def terms_in(text: str) -> list[Term]:
    """The names that stand in a text, each once, in the order of their first place."""
    known = _vocabulary()
    found: dict[Term, int] = {}
    for match in known.pattern.finditer(text):
        told = " ".join(match[0].split())
        term = known.by_spelling[told.casefold()]
        if term.category == "domain":  # tools have one right name, fields many
            term = Term(told if told.isupper() else told.casefold(), term.category)
        found[term] = min(found.get(term, match.start()), match.start())
    for match in known.exact_pattern.finditer(text):
        term = known.exact[match[0]]
        if _is_a_name(match, text):
            found[term] = min(found.get(term, match.start()), match.start())
    return sorted(found, key=lambda term: (found[term], term.name))


# words that are also English: at the start of a sentence they are rather that ("Go to …")
_VERBLIKE: Final = re.compile(
    r"\s+(?:to|through|into|ahead|the|this|your|yourself)\b", re.IGNORECASE
)


def _is_a_name(match: re.Match[str], text: str) -> bool:
    return not (len(match[0]) > 1 and _VERBLIKE.match(text, match.end()))


def category_of(name: str) -> str | None:
    """Which category a single name belongs to; None for one that is not listed."""
    known = _vocabulary()
    term = known.by_spelling.get(name.strip().casefold()) or known.exact.get(name.strip())
    return term.category if term else None


def spellings_of(name: str) -> frozenset[str]:
    """Every spelling of a name, lower case, its own included."""
    known = _vocabulary()
    term = known.by_spelling.get(name.strip().casefold()) or known.exact.get(name.strip())
    if term is None:
        return frozenset({name.strip().casefold()})
    loose = {one for one, other in known.by_spelling.items() if other == term}
    return frozenset(
        loose | {one.casefold() for one, other in known.exact.items() if other == term}
    )
