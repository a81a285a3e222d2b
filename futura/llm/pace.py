"""How often a process with many open streams looks at each of them: the more, the longer strides.

A model sends a word at a time. Reading each word of a hundred streams by itself costs a process
more than everything else it does with them; read together, a few at a time, they come a moment
later and cost a fraction.
"""

from __future__ import annotations

import asyncio
from typing import Final, Self

FREE: Final = 5  # so many streams are read word by word
PER_STREAM_S: Final = 0.008
LONGEST_S: Final = 0.11  # with all that follows, text is at the page within a fifth of a second
AT_ONCE_S: Final = 0.005  # what was waiting in the buffers is read within this time

_open = 0


def stride_s() -> float:
    """How long each stream rests between two looks, as things stand."""
    return max(0.0, min(LONGEST_S, PER_STREAM_S * (_open - FREE)))


class Paced:
    """One open stream among the others of the process; on its loop only."""

    async def __aenter__(self) -> Self:
        global _open
        _open += 1
        self._woke_at = asyncio.get_running_loop().time()
        return self

    async def __aexit__(self, *_: object) -> None:
        global _open
        _open -= 1

    async def rest(self) -> None:
        """After something was read: rests, unless more of what had gathered may follow."""
        pause_s = stride_s()
        loop = asyncio.get_running_loop()
        if pause_s and loop.time() - self._woke_at > AT_ONCE_S:
            await asyncio.sleep(pause_s)
            self._woke_at = loop.time()
