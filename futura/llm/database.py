"""Keeps the database out of the waiting: no call inside a transaction, no connection held."""

from __future__ import annotations

from django.db import connections


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


def _is_of_testcase(block: object) -> bool:
    return bool(getattr(block, "_from_testcase", False))
