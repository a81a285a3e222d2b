"""The way to stop a running model call from another thread."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


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
        """Whether the switch has been thrown."""
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
        """Raises Cancelled once the switch has been thrown."""
        if self._thrown.is_set():
            raise Cancelled

    def wait(self, timeout_s: float) -> bool:
        """Waits for the switch; True when it was thrown in time."""
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
