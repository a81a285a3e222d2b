"""The words that the phrase finder knows, from `lexicon.toml`: verbs, nouns, people, tools."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final

_LISTS: Final[dict[str, str]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)


def _words(name: str) -> frozenset[str]:
    return frozenset(_LISTS[name].split())


BASES: Final = _words("bases")
"""Base forms of verbs that people use for what they do at work."""
LIGHT_BASES: Final = _words("light_bases")
"""Real verbs, but too general to begin an item of a list by themselves."""
NOUN_LIKE: Final = _words("noun_like")
"""Bases that are as often nouns; alone at the end of a list they are read as nouns."""
PARTICLES: Final = _words("particles")
"""Words that belong to the verb before them ("write up", "sign off")."""
NOT_GERUNDS: Final = _words("not_gerunds")
"""Words in -ing that are no action."""
NOT_ACTIONS: Final = _words("not_actions")
"""Nouns in -tion and -ment that are no action."""
WORK_NOUNS: Final = _words("work_nouns")
"""Nouns (singular) that name work when they stand alone."""
PERSONS: Final = _words("persons")
"""Nouns that name people or organisations that do things."""
NO_PERSONS: Final = _words("no_persons")
"""Nouns that end as those of people do, and name none."""
STATIVES: Final = _words("statives")
"""Verbs that tell of no work by themselves."""
VAGUE: Final = _words("vague")
"""Words that could mean any work, and words of the talk itself."""
TOOLS: Final = _words("tools")
"""Names of programs and languages, which are no work by themselves."""
IRREGULAR: Final = {
    entry.partition("+")[0]: entry.split("+")[1:] for entry in _LISTS["irregular"].split()
}
"""Base → past and participle of irregular verbs."""
