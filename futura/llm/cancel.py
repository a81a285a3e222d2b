"""How a turn's calls end early: by Stop, or since nobody waits any longer for a first word."""

from __future__ import annotations

import itertools
import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class Cancelled(Exception):
    """The call was stopped on request. Not a ModelUnavailable: the rules must not take over."""


class CancelToken:
    """A switch that can be thrown once, from any thread; calls that carry it end at once."""

    def __init__(self) -> None:
        self._thrown = threading.Event()
        self._lock = threading.Lock()
        self._callbacks: dict[int, Callable[[], object]] = {}
        self._numbers = itertools.count()

    @property
    def cancelled(self) -> bool:
        return self._thrown.is_set()

    def cancel(self) -> None:
        """Stops what is running under this token and all that would start later; idempotent."""
        with self._lock:
            if self._thrown.is_set():
                return
            self._thrown.set()
            callbacks = list(self._callbacks.values())
        for callback in callbacks:
            callback()

    def raise_if_cancelled(self) -> None:
        if self._thrown.is_set():
            raise Cancelled

    def wait(self, timeout_s: float) -> bool:
        return self._thrown.wait(timeout_s)

    @contextmanager
    def calling(self, callback: Callable[[], object]) -> Iterator[None]:
        """Runs `callback` (quick, thread-safe) on cancellation while the block lasts.

        It runs in the thread that cancels; at once, here, when that has already happened.
        """
        number = next(self._numbers)
        with self._lock:
            thrown = self._thrown.is_set()
            if not thrown:
                self._callbacks[number] = callback
        if thrown:
            callback()
        try:
            yield
        finally:
            with self._lock:
                self._callbacks.pop(number, None)


class FirstWord:
    """A turn's deadline over all its calls: runs until something of the answer can be seen.

    Stages have times of their own for each call; several in a row, each asked again, add up to
    more than anybody waits. Without `within_s` it never ends. Once it is late it stays so: the turn
    goes on without a model. Safe to use from any thread.
    """

    def __init__(self, within_s: float = math.inf) -> None:
        self._due = time.monotonic() + within_s

    def came(self) -> None:
        """Something can be seen: from here on nobody waits for a first word."""
        if not self.is_late:
            self._due = math.inf

    @property
    def is_late(self) -> bool:
        return time.monotonic() >= self._due

    @property
    def left_s(self) -> float | None:
        """Seconds that are left, 0 when it is late; None when there is nothing to wait for."""
        return None if self._due == math.inf else max(0.0, self._due - time.monotonic())


_current: ContextVar[FirstWord | None] = ContextVar("first_word", default=None)


def current_first_word() -> FirstWord:
    """The deadline of the turn that this code works for; one that never ends outside of turns."""
    return _current.get() or FirstWord()


@contextmanager
def first_word_within(within_s: float) -> Iterator[FirstWord]:
    """A turn begins: what is made inside, here and in copies of this context, has its deadline."""
    first_word = FirstWord(within_s)
    token = _current.set(first_word)
    try:
        yield first_word
    finally:
        _current.reset(token)
