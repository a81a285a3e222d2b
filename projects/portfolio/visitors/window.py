"""The stretch of a talk that a turn sees: about 8,000 tokens, the last three turns always."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from chat.memory.tokens import count_message
from projects.portfolio.visitors.prompts import Said

WINDOW_TOKENS: Final = 8_000
TURNS_KEPT: Final = 3


@dataclass(frozen=True)
class Window:
    """What was said lately, oldest first, and whether something older was left out."""

    said: Sequence[Said]
    is_truncated: bool = False

    def last(self, turns: int) -> Sequence[Said]:
        """The last turns only: a question and its answer each."""
        return self.said[-2 * turns :]


def window_of(history: Sequence[Said]) -> Window:
    """The newest turns within the budget, three at least."""
    left, kept = WINDOW_TOKENS, 0
    for role, text in reversed(history):
        left -= count_message(text)
        if left < 0 and kept >= 2 * TURNS_KEPT:
            break
        kept += 1
        del role
    return Window(tuple(history[len(history) - kept :]), kept < len(history))
