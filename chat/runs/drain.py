"""A worker that is asked to end: takes nothing new, finishes what it has, hands over the rest."""

from __future__ import annotations

import logging
import threading
from typing import Final

from chat.runs.watch import hand_over

log = logging.getLogger(__name__)

_ending: Final = threading.Event()
_timers: Final[list[threading.Timer]] = []


def is_ending() -> bool:
    """Whether this process takes no new runs any more."""
    return _ending.is_set()


def begin(grace_s: float) -> None:
    """From now on nothing new; what still runs after `grace_s` is broken off.

    A run that is broken off keeps its text and is marked interrupted, with Continue. Quick, and
    safe in a signal handler; the process ends by itself once its runs are over.
    """
    if _ending.is_set():
        return
    _ending.set()
    timer = threading.Timer(grace_s, _hand_over)
    timer.daemon = True
    _timers.append(timer)
    timer.start()


def call_off() -> None:
    """Takes new runs again, as if nobody had asked: for a process that goes on."""
    while _timers:
        _timers.pop().cancel()
    _ending.clear()


def _hand_over() -> None:
    count = hand_over()
    if count:
        log.warning("%d answers were broken off: this worker had to end", count)
