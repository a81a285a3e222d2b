"""Holds a process of the product at one write to the database, from outside.

A trigger on the table waits for a lock that the test has; the product knows nothing of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from futura.embedded import addresses
from tests.breaking.person import until
from tests.stack import Stack

_KEY = 7_474_747
_INSTALL = """
CREATE OR REPLACE FUNCTION held_by_a_test() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock({key});
    RETURN NEW;
END $$;
CREATE TRIGGER held_by_a_test BEFORE UPDATE ON {table}
FOR EACH ROW WHEN ({when}) EXECUTE FUNCTION held_by_a_test();
"""
_WAITING = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = %s AND NOT granted"


class Gate:
    """A closed gate before a write; `arrived` waits for somebody to stand there."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection

    def arrived(self) -> None:
        """Returns when a process is held at the gate."""
        until(lambda: self._connection.execute(_WAITING, [_KEY]).fetchall())

    def open(self) -> None:
        """Lets whoever waits pass, and everybody after."""
        self._connection.execute("SELECT pg_advisory_unlock(%s)", [_KEY])


@contextmanager
def gate(stack: Stack, table: str, when: str) -> Iterator[Gate]:
    """Closes a gate before updates of a table: `when` is SQL about OLD and NEW.

    It is open at the end, and gone.
    """
    with psycopg.connect(addresses.database_url(stack.folder), autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", [_KEY])
        connection.execute(_INSTALL.format(key=_KEY, table=table, when=when))
        try:
            yield Gate(connection)
        finally:
            connection.execute("SELECT pg_advisory_unlock_all()")
            connection.execute(f"DROP TRIGGER held_by_a_test ON {table}")
