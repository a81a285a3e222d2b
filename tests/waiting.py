"""Transactions of other threads that wait for a lock."""

from __future__ import annotations

from threading import Event

import pytest
from django.db import connection

TRIES = 1_000
WAITING = "SELECT count(*) FROM pg_stat_activity WHERE cardinality(pg_blocking_pids(pid)) > 0"


def until_waiting(number: int) -> None:
    """Returns once so many transactions wait for another's lock."""
    pause = Event()
    for _try in range(TRIES):
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_clear_snapshot()")  # else a transaction sees one moment
            cursor.execute(WAITING)
            if cursor.fetchone()[0] >= number:
                return
        pause.wait(0.01)
    pytest.fail(f"{number} transactions never waited")
