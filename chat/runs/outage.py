"""Outlasting the database: while it restarts, a write waits and is made again."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Final, TypeVar

from django.db import InterfaceError, OperationalError, connection

log = logging.getLogger(__name__)

AWAY: Final = (OperationalError, InterfaceError)
FIRST_PAUSE_S: Final = 0.1
LONGEST_PAUSE_S: Final = 2.0

T = TypeVar("T")


def outlasting(work: Callable[[], T], *, patience_s: float) -> T:
    """What `work` gives; made again, at longer and longer intervals, while the database is away.

    `work` opens its own transaction and is safe to do twice: the first time may have been
    committed although nobody learnt of it. Raises what it raised last when patience ends.
    """
    until = time.monotonic() + patience_s
    pause_s = FIRST_PAUSE_S
    while True:
        try:
            return work()
        except AWAY as error:
            if connection.in_atomic_block or time.monotonic() + pause_s > until:
                raise
            log.warning("the database did not take a write, it is tried again: %s", error)
            connection.close()
            time.sleep(pause_s)
            pause_s = min(pause_s * 2, LONGEST_PAUSE_S)
