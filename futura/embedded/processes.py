"""How processes of services are born, that none outlives its parent, and when they come again."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from collections import defaultdict, deque
from collections.abc import Callable
from typing import Final

from futura.embedded.folder import Trouble

_PR_SET_PDEATHSIG: Final = 1

WINDOW_S: Final = 60.0
MOST_DEATHS: Final = 5
"""So many deaths of one part within WINDOW_S end everything: it would not come up."""
PAUSES_S: Final = (0.2, 1.0, 2.0, 4.0)


def dying_with_parent(number: signal.Signals) -> Callable[[], None]:
    """For a child, between fork and exec: the kernel (Linux) sends it `number` when we are gone."""
    parent = os.getpid()

    def prepare() -> None:
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(number), 0, 0, 0)
            if os.getppid() != parent:
                os._exit(1)

    return prepare


class Restarts:
    """The deaths of each part in the last minute."""

    def __init__(self) -> None:
        self._deaths: defaultdict[str, deque[float]] = defaultdict(deque)

    def after_death(self, name: str, reason: str) -> tuple[float, str]:
        """Counts a death: seconds until the part is started again, and the sentence about it.

        Raises Trouble when it has died too often.
        """
        now = time.monotonic()
        deaths = self._deaths[name]
        deaths.append(now)
        while deaths[0] <= now - WINDOW_S:
            deaths.popleft()
        if len(deaths) >= MOST_DEATHS:
            raise Trouble(
                f"{name} ended ({reason}), {MOST_DEATHS} times within {WINDOW_S:.0f} s. "
                "Everything was stopped; the data stay."
            )
        pause_s = PAUSES_S[len(deaths) - 1]
        return pause_s, f"{name} ended ({reason}); it is started again in {pause_s:g} s."


def ending_of(code: int) -> str:
    """How a process ended, in words: its exit code, or the signal that ended it."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"
