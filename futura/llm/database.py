"""Keeps the database out of the waiting: no call inside a transaction, no connection held."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Final, TypeVar

from django.db import DEFAULT_DB_ALIAS, InterfaceError, OperationalError, connections

log = logging.getLogger(__name__)

AWAY: Final = (OperationalError, InterfaceError)
# A restart of the database takes about as long; the answer itself has to wait for it as well.
PATIENCE_S: Final = 5.0
FIRST_PAUSE_S: Final = 0.1
LONGEST_PAUSE_S: Final = 2.0

T = TypeVar("T")


class CalledInsideTransaction(RuntimeError):
    """A programming error: a model call would hold locks and a connection for seconds."""

    def __init__(self) -> None:
        super().__init__("Call the model outside transaction.atomic; write its answer afterwards.")


def refuse_inside_transaction() -> None:
    """Raises CalledInsideTransaction inside `atomic`.

    The block that Django's TestCase puts around a test does not count, just as for durable blocks.
    """
    for connection in connections.all(initialized_only=True):
        if any(not _is_of_testcase(block) for block in connection.atomic_blocks):
            raise CalledInsideTransaction


def release_connections() -> None:
    """Gives this thread's database connections back to the pool before a wait."""
    for connection in connections.all(initialized_only=True):
        if connection.connection is not None and not connection.in_atomic_block:
            connection.close()


def outlasting(work: Callable[[], T], *, patience_s: float = PATIENCE_S) -> T:
    """What `work` gives; made again, at longer and longer intervals, while the database is away.

    `work` opens its own transaction and is safe to do twice: the first time may have been
    committed although nobody learnt of it. Raises what it raised last when patience ends.
    """
    until = time.monotonic() + patience_s
    pause_s = FIRST_PAUSE_S
    own = connections[DEFAULT_DB_ALIAS]
    while True:
        try:
            return work()
        except AWAY as error:
            if own.in_atomic_block or time.monotonic() + pause_s > until:
                raise
            log.warning("the database did not take a write, it is tried again: %s", error)
            own.close()
            time.sleep(pause_s)
            pause_s = min(pause_s * 2, LONGEST_PAUSE_S)


def _is_of_testcase(block: object) -> bool:
    return bool(getattr(block, "_from_testcase", False))
