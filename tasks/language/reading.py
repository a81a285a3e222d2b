"""What one piece of a sentence says, as a value."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from tasks.language.tokens import Token
from tasks.language.verbs import Form


class Speaker(Enum):
    """Whose doing a piece reports."""

    OWN = auto()
    OTHER = auto()
    NOBODY = auto()
    FACT = auto()
    CONDITION = auto()
    FRAME = auto()


@dataclass(frozen=True)
class Reading:
    """What a piece says: who, the words from the action on, its verb form, and if it is a list.

    `is_of_last`: it takes back what was said last ("that's my manager").
    `light` is the verb that a list of nouns shares ("handle", "" for none at all).
    """

    speaker: Speaker
    rest: tuple[Token, ...] = ()
    form: Form | None = None
    light: str | None = None
    is_denial: bool = False
    is_of_last: bool = False
