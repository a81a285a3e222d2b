"""How the database gets empty again after tests that commit, without Django's slow way.

Django truncates all of its tables, a third of a second for a hundred of them, and then makes the
content types, rights and roles anew. Here only tables that have rows are emptied; those that the
migrations filled are compared with a copy and put back when a test has changed them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection, transaction
from django.test import TransactionTestCase
from psycopg import sql

_COPIES = "as_migrated"
_BIG = 2**20  # bytes, with indexes


@contextmanager
def quick_flush() -> Iterator[None]:
    """Tests that commit leave the database as it is now; it is as the migrations made it."""
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    filled = _run(_filled(tables))
    with transaction.atomic():
        _do(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(_COPIES)))
        for table in filled:
            _do(sql.SQL("CREATE TABLE {} AS TABLE {}").format(_copy(table), sql.Identifier(table)))
    empty_before = [table for table in tables if table not in filled]

    def as_it_was(_case: TransactionTestCase) -> None:
        _empty(_run(_filled(empty_before)))
        if _run(_changed(filled)):
            _empty(filled)
            _put_back(filled)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", as_it_was)
        yield


def _copy(table: str) -> sql.Identifier:
    return sql.Identifier(_COPIES, table)


def _filled(tables: list[str]) -> sql.Composable:
    """Names those of the tables that have a row."""
    one = sql.SQL("SELECT {} WHERE EXISTS (TABLE {})")
    parts = [one.format(sql.Literal(table), sql.Identifier(table)) for table in tables]
    return sql.SQL(" UNION ALL ").join(parts)


def _changed(tables: list[str]) -> sql.Composable:
    """Names those of the tables that differ from their copies."""
    one = sql.SQL(
        "SELECT {name} WHERE EXISTS (TABLE {now} EXCEPT ALL TABLE {then})"
        " OR EXISTS (TABLE {then} EXCEPT ALL TABLE {now})"
    )
    parts = [
        one.format(name=sql.Literal(table), now=sql.Identifier(table), then=_copy(table))
        for table in tables
    ]
    return sql.SQL(" UNION ALL ").join(parts)


def _grown(tables: list[str]) -> sql.Composable:
    """Names those of the tables that rows, gone or there, have made so big that plans change."""
    return sql.SQL(
        "SELECT name FROM unnest({}::text[]) name"
        " WHERE pg_total_relation_size(quote_ident(name)::regclass) > {}"
    ).format(sql.Literal(tables), sql.Literal(_BIG))


def _empty(tables: list[str]) -> None:
    """Deletes all rows of tables, with no trigger asking for an order or forbidding it."""
    if not tables:
        return
    if grown := _run(_grown(tables)):
        names = sql.SQL(", ").join(sql.Identifier(table) for table in grown)
        _do(sql.SQL("TRUNCATE {} CASCADE").format(names))
    with transaction.atomic():
        _do(sql.SQL("SET LOCAL session_replication_role = replica"))
        for table in tables:
            _do(sql.SQL("DELETE FROM {}").format(sql.Identifier(table)))


def _put_back(tables: list[str]) -> None:
    with transaction.atomic():
        _do(sql.SQL("SET LOCAL session_replication_role = replica"))
        for table in tables:
            _do(sql.SQL("INSERT INTO {} TABLE {}").format(sql.Identifier(table), _copy(table)))


def _run(query: sql.Composable) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return [str(row[0]) for row in cursor.fetchall()]


def _do(statement: sql.Composable) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)
