"""Inserts the records of the ledger: those of many changes, and what hangs on them, at once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import orjson
from django.db import connection, models

from futura import statements

Model = type[models.Model]


def insert_together(*groups: Sequence[models.Model]) -> None:
    """Inserts new rows of several models, whose keys are set, by one statement.

    Rows may name rows of other groups: foreign keys are checked at the end. The texts in them are
    clean (see `futura.characters`).
    """
    groups = tuple(filter(None, groups))
    if not groups:
        return
    sql = _insert_sql(tuple(type(rows[0]) for rows in groups))
    statements.rows(sql, [_dumped(rows) for rows in groups])
    for row in (row for rows in groups for row in rows):
        state = row._state  # noqa: SLF001 - as `bulk_create` leaves them
        state.adding, state.db = False, connection.alias


@lru_cache(maxsize=64)
def _insert_sql(models_: tuple[Model, ...]) -> str:
    """One text for any number of rows, so that the server plans it once."""
    quoted = connection.ops.quote_name
    parts = []
    for model in models_:
        columns = ", ".join(quoted(str(field.column)) for field in model._meta.concrete_fields)
        table = quoted(model._meta.db_table)
        parts.append(
            f"INSERT INTO {table} ({columns})"  # noqa: S608 - names of models
            f" SELECT {columns} FROM json_populate_recordset(NULL::{table}, %s::json)"
        )
    before = ", ".join(f"part_{number} AS ({part})" for number, part in enumerate(parts[:-1]))
    return f"WITH {before} {parts[-1]}" if before else parts[-1]


def _dumped(rows: Sequence[models.Model]) -> str:
    """The rows as one list of JSON, columns by name."""
    fields = rows[0]._meta.concrete_fields
    normalized = [{field.column: _value(field, row) for field in fields} for row in rows]
    try:
        return orjson.dumps(normalized, default=str).decode()
    except TypeError:  # a number beyond 64 bits
        return json.dumps(normalized, default=str)


def _value(field: Any, row: models.Model) -> Any:
    value = field.value_from_object(row)
    return value if isinstance(field, models.JSONField) else field.get_prep_value(value)
