"""Sentences and list items of a Markdown text with their places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_SENTENCE: Final = re.compile(r"[^.!?\n]*(?:[.!?](?!\s|$)[^.!?\n]*)*(?:[.!?]+|\n|$)")
_LEAD: Final = re.compile(r"^\s*(?:[-*+•]|\d+[.)]|#+|>)?\s*")


@dataclass(frozen=True)
class Sentence:
    """One sentence or list item: its words, and where they stand in the text."""

    text: str
    start: int
    end: int


def sentences_of(text: str) -> Iterator[Sentence]:
    """The sentences and list items of a Markdown text, without their marks."""
    for found in _SENTENCE.finditer(text):
        lead = _LEAD.match(found[0])
        start = found.start() + (lead.end() if lead else 0)
        words = text[start : found.end()].rstrip()
        if any(one.isalnum() for one in words):
            yield Sentence(words, start, start + len(words))
