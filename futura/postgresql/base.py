"""The engine: Django's own, but for how often a pooled connection is tried before it is used."""

from __future__ import annotations

import time
from typing import Any, Final
from weakref import WeakKeyDictionary

from django.db.backends.postgresql import base
from psycopg import Connection
from psycopg_pool import ConnectionPool

TRUSTED_S: Final = 0.5  # a database that restarts is away for longer

_tried: WeakKeyDictionary[Connection[Any], float] = WeakKeyDictionary()


def _tried_lately(connection: Connection[Any]) -> None:
    """Asks the server for a sign of life, unless this connection gave one a moment ago.

    A turn takes a connection from the pool about ten times; asking each time is an eighth of
    everything that it asks of the database. Raises what psycopg raises for a dead connection.
    """
    now = time.monotonic()
    if now - _tried.get(connection, -TRUSTED_S) >= TRUSTED_S:
        ConnectionPool.check_connection(connection)
        _tried[connection] = now


class DatabaseWrapper(base.DatabaseWrapper):
    """PostgreSQL with a pool."""

    @property
    def pool(self) -> Any:
        """The process's pool, None without one; made when first asked for."""
        pool: Any = super().pool
        if pool is not None and pool._check is not None:  # noqa: SLF001 (Django sets it for good)
            pool._check = _tried_lately  # noqa: SLF001
        return pool
