"""Whether the person's own words bear out what a model wants to write down."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from chat.guides import Turn
from futura.text import content_stems
from projects.language.sentences import sentences

ENOUGH: Final = 0.6
"""Share of the content words of a sentence that must have been said."""
_FIGURE: Final = re.compile(r"\d[\d.,]*")
_NAME: Final = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-ZÀ-Ý][\w’'-]{2,}")
FREE: Final = frozenset({"context", "started", "ended"})
"""Values with a form of their own: choices and months; of months the year must have been said."""


@dataclass(frozen=True)
class Heard:
    """Everything that the person (and their records) said."""

    texts: Sequence[str]

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of its content words."""
        return frozenset().union(*(content_stems(one[:40_000]) for one in self.texts))

    @cached_property
    def figures(self) -> frozenset[str]:
        """Its figures, without separators."""
        return frozenset(_plain(one) for text in self.texts for one in _FIGURE.findall(text))

    @cached_property
    def plain(self) -> str:
        """Its words in lower case."""
        return "\n".join(self.texts).casefold()

    def bears(self, text: str) -> bool:
        """Whether a text says nothing but what was said: its words, its figures, its names."""
        if any(_plain(one) not in self.figures for one in _FIGURE.findall(text)):
            return False
        if any(one.casefold() not in self.plain for one in _NAME.findall(text)):
            return False
        wanted = content_stems(text)
        return not wanted or len(wanted & self.stems) / len(wanted) >= ENOUGH

    def kept(self, text: str) -> str:
        """The sentences of a text that were said, paragraphs as they are."""
        paragraphs = [
            " ".join(one.text for one in sentences(paragraph) if self.bears(one.text))
            for paragraph in text.split("\n\n")
        ]
        return "\n\n".join(one for one in paragraphs if one)


def _plain(figure: str) -> str:
    return re.sub(r"[.,]", "", figure)


def heard_in(turn: Turn[Any], told: Mapping[str, str], records: Iterable[str] = ()) -> Heard:
    """What the person has said in a conversation, and what their records say."""
    said = [one.text for one in turn.history if one.role == "user"]
    said += [turn.message.text] if turn.message else []
    facts = [one.text for one in turn.context.facts]
    return Heard([*said, *facts, *told.values(), *records])


def grounded(values: Mapping[str, Any], heard: Heard) -> tuple[dict[str, Any], list[str]]:
    """Values that were said, and the names of those that were not."""
    kept: dict[str, Any] = {}
    dropped: list[str] = []
    for name, value in values.items():
        if name in FREE:
            year = str(value)[:4]
            is_said = not year.isdigit() or year in heard.figures
            good: Any = value if is_said else None
        elif isinstance(value, list):
            good = [one for one in value if heard.bears(one)]
        else:
            good = heard.kept(value) if len(value) > 200 else value if heard.bears(value) else ""
        if good:
            kept[name] = good
        else:
            dropped.append(name)
    return kept, dropped
