"""How long a turn waits for its first word: one deadline over all its calls to the model.

Stages have times of their own for each call; several in a row, each asked again, add up to more
than anybody waits. Every gateway object that is made during a turn shares the turn's deadline.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class FirstWord:
    """Runs until something of the answer can be seen; without `within_s` it never ends.

    Once it is late it stays so: the turn goes on without a model. Safe to use from any thread.
    """

    def __init__(self, within_s: float = math.inf) -> None:
        self._due = time.monotonic() + within_s

    def came(self) -> None:
        """Something can be seen: from here on nobody waits for a first word."""
        if not self.is_late:
            self._due = math.inf

    @property
    def is_late(self) -> bool:
        """Whether the time was over before anything could be seen."""
        return time.monotonic() >= self._due

    @property
    def left_s(self) -> float | None:
        """Seconds that are left, 0 when it is late; None when there is nothing to wait for."""
        return None if self._due == math.inf else max(0.0, self._due - time.monotonic())


_current: ContextVar[FirstWord | None] = ContextVar("first_word", default=None)


def current() -> FirstWord:
    """The deadline of the turn that this code works for; one that never ends outside of turns."""
    return _current.get() or FirstWord()


@contextmanager
def awaited(within_s: float) -> Iterator[FirstWord]:
    """A turn begins: what is made inside, here and in copies of this context, has its deadline."""
    first_word = FirstWord(within_s)
    token = _current.set(first_word)
    try:
        yield first_word
    finally:
        _current.reset(token)
