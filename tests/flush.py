"""How the database gets empty again after tests that commit, without Django's slow way.

Django truncates all of its tables, a third of a second for a hundred of them, and then makes the
content types, rights and roles anew. Here a function of the database empties the tables that have
rows; those that the migrations filled are compared with a copy and put back when a test has
changed them. A connection of its own calls it: what it may do without triggers it may do always,
and the database keeps its plans.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from django.db import connection
from django.test import TransactionTestCase
from psycopg import sql

_COPIES = "as_migrated"
_BIG = 2**20  # bytes, with indexes: so many rows, gone or there, change plans


@contextmanager
def quick_flush() -> Iterator[None]:
    """Tests that commit leave the database as it is now; it is as the migrations made it."""
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    connection.ensure_connection()
    address = connection.connection.info
    with (
        psycopg.connect(address.dsn, password=address.password, autocommit=True) as database,
        pytest.MonkeyPatch.context() as patch,
    ):
        _prepare(database, tables)

        def as_it_was(_case: TransactionTestCase) -> None:
            database.execute(sql.SQL("SELECT {}()").format(_copied("as_it_was")))

        patch.setattr(TransactionTestCase, "_fixture_teardown", as_it_was)
        yield


def _prepare(database: psycopg.Connection, tables: list[str]) -> None:
    """Makes the copies, and the function that needs no order of the tables."""
    database.execute("SET session_replication_role = replica")
    database.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(_COPIES)))
    steps = []
    for table in tables:
        name = sql.Identifier(table)
        if database.execute(sql.SQL("TABLE {} LIMIT 1").format(name)).fetchone() is None:
            steps.append(_emptied(table))
            continue
        copy = sql.SQL("CREATE TABLE {} AS TABLE {}").format(_copied(table), name)
        database.execute(copy)
        steps.append(_put_back(table))
    body = sql.SQL("BEGIN {} END").format(sql.SQL("").join(steps)).as_string(database)
    database.execute(
        sql.SQL("CREATE FUNCTION {}() RETURNS void LANGUAGE plpgsql AS {}").format(
            _copied("as_it_was"), sql.Literal(body)
        )
    )


def _copied(name: str) -> sql.Identifier:
    return sql.Identifier(_COPIES, name)


def _emptied(table: str) -> sql.Composed:
    """Deletes the rows of a table; cuts it down where they have made it big."""
    return sql.SQL(
        "IF EXISTS (TABLE {table}) THEN"
        " IF pg_total_relation_size(quote_ident({name})::regclass) > {big}"
        " THEN TRUNCATE {table} CASCADE; ELSE DELETE FROM {table}; END IF; END IF;"
    ).format(table=sql.Identifier(table), name=sql.Literal(table), big=sql.Literal(_BIG))


def _put_back(table: str) -> sql.Composed:
    """Makes a table like its copy where it differs."""
    return sql.SQL(
        "IF EXISTS (TABLE {now} EXCEPT ALL TABLE {then})"
        " OR EXISTS (TABLE {then} EXCEPT ALL TABLE {now})"
        " THEN DELETE FROM {now}; INSERT INTO {now} TABLE {then}; END IF;"
    ).format(now=sql.Identifier(table), then=_copied(table))
