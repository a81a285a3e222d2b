"""Holds a model's reading against its source: what does not stand there is dropped."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from projects.portfolio import vocabulary

_BLANKS: Final = re.compile(r"[\s\u00a0]+")
_QUOTES: Final = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "‑": "-"}
)
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_LINE_BREAK_HYPHEN: Final = re.compile(r"(?<=[^\W\d_])-\s+(?=[a-zà-þ])")


class Ground:
    """A source, normalised once."""

    def __init__(self, text: str) -> None:
        self.source = text
        self.text = normal(text)
        self._squeezed = re.sub(r"\W", "", self.text)

    def holds(self, words: str | None) -> bool:
        """Whether the words stand in the source, whatever the case, blanks and dashes."""
        told = normal(words or "")
        if not told:
            return False
        if re.search(rf"(?<!\w){re.escape(told)}(?!\w)", self.text):
            return True
        squeezed = re.sub(r"\W", "", told)
        return len(squeezed) > 6 and squeezed in self._squeezed

    def kept(self, words: str | None) -> str | None:
        """The words, or None when they are not there."""
        return words.strip() if words and self.holds(words) else None

    def names(self, name: str) -> bool:
        """Whether a tool or a field stands there by any of its spellings."""
        return any(self.holds(one) for one in vocabulary.spellings_of(name))

    def named(self, names: Iterable[str]) -> list[str]:
        """The names that stand there, each once."""
        found = {one.strip().casefold(): one.strip() for one in names if self.names(one)}
        return list(found.values())

    def figures_hold(self, text: str | None) -> bool:
        """Whether every number of a text stands in the source."""
        return all(
            re.search(rf"(?<!\d){re.escape(one)}(?!\d)", self.text)
            for one in _NUMBER.findall(text or "")
        )

    def told(self, text: str | None) -> str | None:
        """A text whose figures all stand there; None otherwise."""
        return text.strip() or None if text and self.figures_hold(text) else None


def normal(text: str) -> str:
    """Lower case, plain quotes and dashes, single blanks, words joined over line ends."""
    plain = unicodedata.normalize("NFKC", text).translate(_QUOTES)
    return _BLANKS.sub(" ", _LINE_BREAK_HYPHEN.sub("", plain)).strip().casefold()
