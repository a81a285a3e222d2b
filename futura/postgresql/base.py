"""The engine: Django's own, but for three things.

Its pool finds out that connections are dead, no JSON is refused for a character in it, and the
embedded server is started by the first connection.
"""

from __future__ import annotations

import json
import select
import time
from collections.abc import Iterable
from functools import cache, partial
from typing import Any, Final
from weakref import WeakKeyDictionary

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db.backends.postgresql import base, client, operations
from psycopg import Connection, Error
from psycopg.types.json import Jsonb
from psycopg_pool import ConnectionPool

from futura.characters import clean_json
from futura.embedded import services
from futura.embedded.folder import Trouble, postgres_binaries

TRUSTED_S: Final = 0.5


class Trial:
    """Asks the server for a sign of life, unless this connection gave one a moment ago.

    A turn takes a connection from the pool about ten times; asking each time is an eighth of
    everything that it asks of the database. A server that ends a connection says so: where nothing
    has come, and it was alive a moment ago, it is trusted. Where one is dead the others are too,
    as a rule (the server was restarted), so they all are made anew: trying one after the other,
    the pool waits longer from one to the next, and gives up at the fifth.
    """

    def __init__(self, pool: ConnectionPool[Any]) -> None:
        self._pool = pool
        self._alive_at: WeakKeyDictionary[Connection[Any], float] = WeakKeyDictionary()
        self._emptied_at = 0.0

    def __call__(self, connection: Connection[Any]) -> None:
        """Raises what psycopg raises for a dead connection."""
        now = time.monotonic()
        if now - self._alive_at.get(connection, -TRUSTED_S) < TRUSTED_S and _is_quiet(connection):
            return
        try:
            ConnectionPool.check_connection(connection)
        except Error:
            if now - self._emptied_at > TRUSTED_S:
                self._emptied_at = now
                self._pool.drain()
            raise
        self._alive_at[connection] = now


def _is_quiet(connection: Connection[Any]) -> bool:
    """Whether nothing has come that nobody asked for: a farewell, or the end of the line."""
    line = select.poll()
    line.register(connection.fileno(), select.POLLIN)
    return not line.poll(0)


def _dumped(value: object, encoder: Any) -> str:
    return clean_json(json.dumps(value, cls=encoder))


@cache
def _dumps(encoder: Any) -> partial[str]:
    return partial(_dumped, encoder=encoder)


class DatabaseOperations(operations.DatabaseOperations):
    """Keeps JSON columns from what PostgreSQL refuses (22P05), whoever wrote it there."""

    def adapt_json_value(self, value: object, encoder: Any) -> Any:
        return Jsonb(value, dumps=_dumps(encoder))


def _ensure_server() -> None:
    if not settings.EMBEDDED:
        return
    try:
        services.ensure(settings.DATA_DIR, settings.EMBEDDED_PARTS)
    except Trouble as trouble:
        raise ImproperlyConfigured(str(trouble)) from trouble


class DatabaseClient(client.DatabaseClient):
    """`manage.py dbshell`, of the embedded server with the packaged psql."""

    def runshell(self, parameters: Iterable[str]) -> None:
        if settings.EMBEDDED:
            self.executable_name = str(postgres_binaries() / "psql")
        _ensure_server()
        super().runshell(list(parameters))


class DatabaseWrapper(base.DatabaseWrapper):
    """PostgreSQL with a pool."""

    client_class = DatabaseClient
    ops_class = DatabaseOperations

    @property
    def pool(self) -> Any:
        """The process's pool, None without one; made when first asked for."""
        pool: Any = super().pool
        if pool is not None and pool._check is ConnectionPool.check_connection:  # noqa: SLF001
            pool._check = Trial(pool)  # noqa: SLF001 (Django leaves no other way to set it)
        return pool

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """A connection; raises ImproperlyConfigured with one sentence when there can be none."""
        _ensure_server()
        return super().get_new_connection(conn_params)
