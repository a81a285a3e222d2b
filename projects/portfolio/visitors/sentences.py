"""Numbered sentences: what prompts show of documents, and what evidence and answers cite.

A sentence's id (`s12`) holds for one build of the index; facts (`f3`, see `facts`) are cited alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from chat.memory.tokens import count
from futura.text import sentences
from projects.portfolio.documents import Doc

SentenceId = str
Key = tuple[str, str]
"""Source and id of a document."""
QUOTE_CHARS: Final = 300
LABEL_CHARS: Final = 22
_BULLET: Final = re.compile(r"^\s*(?:[-*•·–]|\d+[.)])\s+")


@dataclass(frozen=True)
class Sentence:
    """A sentence of a document, or a fact and the documents that it was computed from.

    Only facts have a `kind`.
    """

    id: SentenceId
    text: str
    docs: tuple[Doc, ...] = field(hash=False)
    kind: str = ""

    @property
    def is_fact(self) -> bool:
        """Whether it was computed and stands in no document."""
        return bool(self.kind)

    @property
    def line(self) -> str:
        """As prompts show it."""
        return f"[{self.id}] {self.text}"

    @property
    def tokens(self) -> int:
        """What it costs in a prompt."""
        return _tokens(self.line)


@lru_cache(maxsize=16_384)
def _tokens(line: str) -> int:
    return count(line)


def numbered(docs: Iterable[Doc]) -> dict[Key, list[Sentence]]:
    """Every sentence of an index, in the order of its documents; a title where there is none."""
    by_doc: dict[Key, list[Sentence]] = {}
    number = 0
    for doc in docs:
        rows = by_doc.setdefault(doc.key, [])
        for text in sentences_of(doc.text) or (doc.title,):
            number += 1
            rows.append(Sentence(f"s{number}", text, (doc,)))
    return by_doc


@lru_cache(maxsize=4096)
def sentences_of(text: str) -> tuple[str, ...]:
    """The sentences and lines of a document, in order, without signs of lists."""
    lines = (_BULLET.sub("", line) for line in text.splitlines())
    return tuple(sentence.text for line in lines for sentence in sentences(line))


def shortened(quote: str, limit: int = QUOTE_CHARS) -> str:
    """A quote that is not too long, cut at a word; what is left still stands in the document."""
    if len(quote) <= limit:
        return quote
    return quote[:limit].rsplit(" ", 1)[0].rstrip(" ,;:-–—")


def is_label(text: str) -> bool:
    """Whether it is a field with its name, as documents have them: “Company: Acme”."""
    return ": " in text[:LABEL_CHARS]
