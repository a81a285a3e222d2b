"""Words of documents and questions as the index counts them: stems, and names of tools."""

from __future__ import annotations

from typing import Final

from futura.text import STOP_WORDS, stems, words
from projects.portfolio import vocabulary

# words of every question to a portfolio, which tell nothing of what is asked for
ASKING: Final = frozenset(
    """tell know show ever use used using work worked working experience experiences project
    projects portfolio please give list name anything everything example examples background
    familiar involved done made built""".split()
)
# kept when nothing else is left of a question: “Which projects …?”
_TERM: Final = "="


def terms_of(text: str) -> list[str]:
    """Stems of a document's words, names of tools besides as `=name`; with repeats."""
    plain = [one for one in words(text) if one not in STOP_WORDS]
    return [*stems(plain), *_names(text)]


def asked_terms(query: str) -> list[str]:
    """The same of a question, without the words that every question has."""
    plain = [one for one in words(query) if one not in STOP_WORDS]
    telling = [one for one in plain if one not in ASKING]
    return [*stems(telling), *_names(query)]


def _names(text: str) -> list[str]:
    return [f"{_TERM}{min(vocabulary.spellings_of(one.name))}" for one in vocabulary.terms_in(text)]
