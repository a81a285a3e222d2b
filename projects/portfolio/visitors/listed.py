"""What a portfolio lists of itself, by which a question is read: tools, materials, topics."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from projects.portfolio.documents import Doc
from projects.portfolio.visitors.lexicon import is_soft

_LISTED: Final = re.compile(
    r"^(Technologies|Languages|Materials|Techniques|Topics|Kind): (.+)$", re.MULTILINE
)


def plain_words(text: str) -> str:
    """A text as small words with blanks between, nothing else."""
    return " ".join(re.findall(r"\w+", text.casefold()))


def as_listed(text: str, docs: Sequence[Doc]) -> str:
    """“used go on”, “r projects”: names that are small words, too, as the portfolio has them."""
    told = {name for doc in docs if doc.facet in {"project", "skill"} for name in _short_in(doc)}
    for name in sorted(told):
        text = re.sub(
            rf"\b(used?|using|with|in|know|which|what|all|any|your)\s+{re.escape(name.lower())}"
            r"(?=\s+(?:projects?|code|work|on|in|at|for|or|and)\b|\s*[?.!,]|$)",
            rf"\1 {name}",
            text,
            flags=re.IGNORECASE,
        )
    return text


def _short_in(doc: Doc) -> list[str]:
    """Languages and tools of a document that are words of the language as well."""
    named = [one for _label, line in _LISTED.findall(doc.text) for one in line.split(", ")]
    named += [doc.title] if doc.facet == "skill" else []
    return [
        one
        for one in named
        if one.isalpha() and one != one.lower() and (len(one) < 2 or is_soft(one.lower()))
    ]


@lru_cache(maxsize=2048)
def listed_in(text: str) -> frozenset[str]:
    """The entries of a document's lists, in plain words."""
    lines = _LISTED.findall(text)
    return frozenset(plain_words(one) for _label, line in lines for one in line.split(", "))
