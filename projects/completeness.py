"""How much is said on each of the nine dimensions, judged from the text alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from projects.dimensions import DIMENSIONS, Dimension
from projects.models import ProjectFields

WORDS_OF_A_START: Final = 14  # below it, one statement is no more than a start
WORDS_OF_A_WHOLE: Final = 24
_WORD: Final = re.compile(r"\w[\w'’-]*")
_END: Final = re.compile(r"[.!?;:](?=\s|$)|\n\s*(?:[-*+]|\d+[.)])\s|\n\s*\n|\n")


class Level(IntEnum):
    """How far a dimension is described."""

    OPEN = 0
    START = 1
    PARTLY = 2
    COMPLETE = 3


WORDS: Final[dict[Level, str | Promise]] = {
    Level.OPEN: _("empty"),
    Level.START: _("started"),
    Level.PARTLY: _("partial"),
    Level.COMPLETE: _("complete"),
}
TICKS: Final = {Level.OPEN: 0, Level.START: 2, Level.PARTLY: 3, Level.COMPLETE: 5}
BADGES: Final = {Level.OPEN: "low", Level.START: "low", Level.PARTLY: "medium", Level.COMPLETE: ""}


@dataclass(frozen=True)
class Standing:
    """One dimension with its text and how far that goes."""

    dimension: Dimension
    text: str
    level: Level

    @property
    def word(self) -> str:
        return str(WORDS[self.level])

    @property
    def badge(self) -> str:
        return BADGES[self.level]

    @property
    def short_ruler(self) -> Sequence[bool]:
        """Three ticks, filled from the left."""
        return [place < self.level for place in range(3)]

    @property
    def ruler(self) -> Sequence[bool]:
        """Five ticks, filled from the left."""
        return [place < TICKS[self.level] for place in range(5)]


def completeness(of: ProjectFields) -> list[Standing]:
    """The nine dimensions of a project or draft in their order. No query."""
    return [standing(one, getattr(of, one.field)) for one in DIMENSIONS]


def standing(dimension: Dimension, text: str) -> Standing:
    return Standing(dimension, text, level_of(text))


def level_of(text: str) -> Level:
    """The level of a text: how many words and statements it has, in any language."""
    words = len(_WORD.findall(text))
    if not words:
        return Level.OPEN
    statements = sum(bool(_WORD.search(part)) for part in _END.split(text))
    if words >= WORDS_OF_A_WHOLE and statements >= 2:
        return Level.COMPLETE
    if words > WORDS_OF_A_START or statements >= 2:
        return Level.PARTLY
    return Level.START


def covered(of: ProjectFields) -> int:
    """How many of the nine have something to read: the n of "n/9"."""
    return sum(bool(getattr(of, one.field).strip()) for one in DIMENSIONS)
