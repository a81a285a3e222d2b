"""Keeps the database out of the waiting: no call inside a transaction, no connection held."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, TypeVar

from django.db import DEFAULT_DB_ALIAS, InterfaceError, OperationalError, connections

AWAY: Final = (OperationalError, InterfaceError)
# A restart of the database takes about as long; the answer itself has to wait for it as well.
PATIENCE_S: Final = 5.0
PAUSE_S: Final = 0.2

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


def insisting(work: Callable[[], T], *, patience_s: float = PATIENCE_S) -> T:
    """What `work` gives; made again while the database is away. Raises what it raised last."""
    until = time.monotonic() + patience_s
    mine = connections[DEFAULT_DB_ALIAS]
    while True:
        try:
            return work()
        except AWAY:
            if mine.in_atomic_block or time.monotonic() + PAUSE_S > until:
                raise
            mine.close()
            time.sleep(PAUSE_S)


def _is_of_testcase(block: object) -> bool:
    return bool(getattr(block, "_from_testcase", False))
