"""A heart that beats while a job works, so that a dead worker's work is soon taken up again."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, Final

from django.db import DatabaseError, InterfaceError, connection
from django.db.models import QuerySet
from django.db.models.functions import Now

log = logging.getLogger(__name__)

BEAT_S: Final = 5.0
SILENT_FOR: Final = timedelta(seconds=25)
"""Work that has shown no life for so long, by the database's clock, may be taken by another."""


@contextmanager
def beating(rows: QuerySet[Any], column: str = "heartbeat_at") -> Iterator[None]:
    """While inside, a thread renews that column of these rows, which their lease picks out."""
    over = threading.Event()
    thread = threading.Thread(target=_beat, args=(rows, column, over), name="heart", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _beat(rows: QuerySet[Any], column: str, over: threading.Event) -> None:
    while not over.wait(BEAT_S):
        try:
            rows.update(**{column: Now()})
        except (DatabaseError, InterfaceError) as error:
            log.warning("heartbeat not written: %s", error)
        finally:
            connection.close()
