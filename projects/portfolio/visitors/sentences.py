"""Numbered sentences: what prompts show of documents, and what evidence and answers cite.

A sentence's id (`s12`) holds for one build of the index; facts (`f3`, see `facts`) are cited alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
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
_ID: Final = re.compile(r"\W*([sf]\d+)\W*", re.IGNORECASE)


@dataclass(frozen=True)
class Sentence:
    """A sentence of a document, or a fact and the documents that it was computed from."""

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


class Numbering:
    """Every sentence of an index, in the order of its documents."""

    def __init__(self, docs: Iterable[Doc]) -> None:
        self.by_doc: dict[Key, list[Sentence]] = {}
        number = 0
        for doc in docs:
            rows = self.by_doc.setdefault(key_of(doc), [])
            for text in sentences_of(doc.text) or (doc.title,):
                number += 1
                rows.append(Sentence(f"s{number}", text, (doc,)))

    def of(self, doc: Doc) -> list[Sentence]:
        """The sentences of a document."""
        return self.by_doc.get(key_of(doc), [])

    @property
    def tokens(self) -> int:
        """What all of them cost in a prompt."""
        return sum(tokens_of(row) for rows in self.by_doc.values() for row in rows)


def key_of(doc: Doc) -> Key:
    """What names a document within its portfolio."""
    return doc.corpus, doc.doc_id


def tokens_of(sentence: Sentence) -> int:
    """What a sentence costs in a prompt."""
    return _tokens(sentence.line)


@lru_cache(maxsize=16_384)
def _tokens(line: str) -> int:
    return count(line)


def id_in(text: str) -> SentenceId:
    """The id that a model wrote, without brackets and blanks; the text itself if it is none."""
    match = _ID.fullmatch(text)
    return match[1].lower() if match else text.strip()


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


def month_span(doc: Doc) -> str:
    """When something was: “2021-03 to present”."""
    if doc.is_current and doc.started:
        return f"{doc.started} to present"
    return " to ".join(filter(None, (doc.started, doc.ended)))


def titles_of(docs: Sequence[Doc]) -> list[str]:
    """The titles of documents, each once."""
    return list(dict.fromkeys(doc.title for doc in docs if doc.title))
