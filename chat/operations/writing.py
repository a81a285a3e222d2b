"""New records of the ledger in one statement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import connection, models


def insert_together(*groups: Sequence[models.Model]) -> None:
    """Inserts new rows of several models, whose keys are set, by one statement.

    Rows may name rows of other groups: foreign keys are checked at the end.
    """
    parts: list[str] = []
    values: list[Any] = []
    for rows in filter(None, groups):
        statement, some = _insert(rows)
        parts.append(statement)
        values += some
    if not parts:
        return
    before = ", ".join(f"told_{place} AS ({one})" for place, one in enumerate(parts[:-1]))
    with connection.cursor() as cursor:
        cursor.execute(f"WITH {before} {parts[-1]}" if before else parts[-1], values)
    for row in (row for rows in groups for row in rows):
        state = row._state  # noqa: SLF001 - as `bulk_create` leaves them
        state.adding, state.db = False, connection.alias


def _insert(rows: Sequence[models.Model]) -> tuple[str, list[Any]]:
    """One statement with a place for each value, and the values.

    Django would send the columns as arrays, in which JSON is escaped a second time: half of what
    writing a batch took.
    """
    meta = rows[0]._meta
    quoted = connection.ops.quote_name
    columns = ", ".join(quoted(str(one.column)) for one in meta.concrete_fields)
    places = f"({', '.join(['%s'] * len(meta.concrete_fields))})"
    values = [
        field.get_db_prep_save(field.pre_save(row, add=True), connection)
        for row in rows
        for field in meta.concrete_fields
    ]
    rows_of_places = ", ".join([places] * len(rows))
    return (
        f"INSERT INTO {quoted(meta.db_table)} ({columns})"  # noqa: S608 - names of models
        f" VALUES {rows_of_places}"
    ), values
