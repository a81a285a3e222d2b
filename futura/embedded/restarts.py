"""When a part that ended by itself is started again: pauses grow, and there is an end to it."""

from __future__ import annotations

import signal
import time
from collections import defaultdict, deque
from collections.abc import Callable
from typing import Final

WINDOW_S: Final = 60.0
MOST_DEATHS: Final = 5
"""So many deaths of one part within WINDOW_S end everything: it would not come up."""
PAUSES_S: Final = (0.2, 1.0, 2.0, 4.0)


class Restarts:
    """The deaths of each part in the last minute."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._deaths: defaultdict[str, deque[float]] = defaultdict(deque)

    def pause_after_death(self, name: str) -> float | None:
        """Counts a death; seconds until the part is to be started again, None for never."""
        now = self._clock()
        deaths = self._deaths[name]
        deaths.append(now)
        while deaths[0] <= now - WINDOW_S:
            deaths.popleft()
        return PAUSES_S[len(deaths) - 1] if len(deaths) < MOST_DEATHS else None


def ending_of(code: int) -> str:
    """How a process ended, in words: its exit code, or the signal that ended it."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"


def restart_notice(name: str, reason: str, pause_s: float) -> str:
    """The sentence about a part that comes back."""
    return f"{name} ended ({reason}); it is started again in {pause_s:g} s."


def last_notice(name: str, reason: str) -> str:
    """The sentence about a part that does not come back."""
    return f"{name} ended ({reason}), {MOST_DEATHS} times within {WINDOW_S:.0f} s."
