"""Step 4: picked suggestion cards join the list unless the person said the same already."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, Protocol, TypeVar

OVERLAP: Final = 0.8
"""Above it a card says what is on the list already (spec 1, part 7)."""
STOP_WORDS: Final = frozenset("a an the and or to for of in on with".split(" "))
_PUNCTUATION: Final = re.compile(r"[^\w\s]")


class HasStatement(Protocol):
    """A suggestion card, as far as it matters here."""

    @property
    def statement(self) -> str: ...


CardT = TypeVar("CardT", bound=HasStatement)


def compared_words(text: str) -> frozenset[str]:
    """The words that count: lower case, without marks, longer than two letters, no stop words."""
    plain = _PUNCTUATION.sub("", text.lower())
    return frozenset(w for w in plain.split() if len(w) > 2 and w not in STOP_WORDS)


def word_overlap(left: str, right: str) -> float:
    """Jaccard overlap of the words that count, 0.0 to 1.0."""
    a, b = compared_words(left), compared_words(right)
    union = a | b
    return len(a & b) / len(union) if union else 0.0


def says_the_same(card: str, statement: str) -> bool:
    """Whether a card doubles a statement: the same text, or more than 0.8 of the words shared."""
    return (
        card.lower().strip() == statement.lower().strip() or word_overlap(card, statement) > OVERLAP
    )


def fresh_cards(cards: Iterable[CardT], statements: Sequence[str]) -> list[CardT]:
    """Cards that double neither a statement nor a card before them."""
    taken = list(statements)
    fresh: list[CardT] = []
    for card in cards:
        if not any(says_the_same(card.statement, statement) for statement in taken):
            fresh.append(card)
            taken.append(card.statement)
    return fresh
