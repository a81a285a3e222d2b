"""Few threads of a worker compute at once, so that the streams of all the others flow on.

A worker process has a thread for each answer, and one interpreter for all. Sixty answers begun in
one moment would have its streams wait behind sixty threads each time they come to the processor.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

PLACES: Final = 3  # while one computes the others wait for the database
LONGEST_WAIT_S: Final = 3.0  # nobody is kept out for good, whatever keeps those inside

_places = threading.BoundedSemaphore(PLACES)


@contextmanager
def turnstile() -> Iterator[None]:
    """Around what begins or ends an answer; not around waiting for a model."""
    has_place = _places.acquire(timeout=LONGEST_WAIT_S)
    try:
        yield
    finally:
        if has_place:
            _places.release()
