"""Writes rows of operable tables and records of the ledger: many by one statement."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Final

import orjson
from django.db import connection, models

from futura import statements
from futura.characters import cleaned

Model = type[models.Model]
_UNFIT: Final = b"\\u0000"


class Writes:
    """Rows changed in memory that are still to be written.

    Tables are written apart: foreign keys are checked at the end of the transaction. Within one
    the order is kept, neighbours of one kind go together, and a row is written once, as it stands.
    """

    def __init__(self) -> None:
        self._rows: dict[tuple[Model, uuid.UUID], tuple[models.Model, set[str] | None]] = {}

    def insert(self, row: models.Model) -> None:
        """Notes a new row."""
        self._rows[type(row), row.pk] = row, None

    def update(self, row: models.Model, names: Iterable[str]) -> None:
        """Notes that these fields of a locked row have other values."""
        key = type(row), row.pk
        _row, noted = self._rows.get(key, (row, set()))
        self._rows[key] = row, None if noted is None else noted | set(names)

    def forget(self) -> None:
        """Nothing of it is to be written."""
        self._rows.clear()

    def flush(self) -> None:
        """Writes all of it. Raises IntegrityError."""
        tables: dict[Model, list[tuple[set[str] | None, list[models.Model]]]] = {}
        for (model, _key), (row, names) in self._rows.items():
            groups = tables.setdefault(model, [])
            if not groups or (groups[-1][0] is None) != (names is None):
                groups.append((names, []))
            if names is not None:
                (groups[-1][0] or set()).update(names)
            groups[-1][1].append(row)
        self._rows.clear()
        for model, groups in tables.items():
            for names, rows in groups:
                if names is None:
                    insert_together(rows)
                else:
                    _update(model, tuple(sorted(names)), rows)


def insert_together(*groups: Sequence[models.Model]) -> None:
    """Inserts new rows of several models, whose keys are set, by one statement.

    Rows may name rows of other groups: foreign keys are checked at the end.
    """
    groups = tuple(filter(None, groups))
    if not groups:
        return
    sql = _insert_sql(tuple(type(rows[0]) for rows in groups))
    statements.rows(sql, [_dumped(rows, rows[0]._meta.concrete_fields) for rows in groups])
    for row in (row for rows in groups for row in rows):
        state = row._state  # noqa: SLF001 - as `bulk_create` leaves them
        state.adding, state.db = False, connection.alias


def _update(model: Model, names: tuple[str, ...], rows: Sequence[models.Model]) -> None:
    """Each row's own values of these fields."""
    key: Any = model._meta.pk
    fields = [key, *(model._meta.get_field(name) for name in names)]
    statements.rows(_update_sql(model, names), [_dumped(rows, fields)])


@lru_cache(maxsize=64)
def _insert_sql(models_: tuple[Model, ...]) -> str:
    """One text for any number of rows, so that the server plans it once."""
    parts = []
    for model in models_:
        columns = ", ".join(_quoted(one.column) for one in model._meta.concrete_fields)
        table = _quoted(model._meta.db_table)
        parts.append(
            f"INSERT INTO {table} ({columns})"  # noqa: S608 - names of models
            f" SELECT {columns} FROM json_populate_recordset(NULL::{table}, %s::json)"
        )
    before = ", ".join(f"part_{number} AS ({part})" for number, part in enumerate(parts[:-1]))
    return f"WITH {before} {parts[-1]}" if before else parts[-1]


@lru_cache(maxsize=256)
def _update_sql(model: Model, names: tuple[str, ...]) -> str:
    table, key = _quoted(model._meta.db_table), _quoted(model._meta.pk.column)
    columns = [_quoted(model._meta.get_field(name).column) for name in names]  # type: ignore[union-attr]
    values = ", ".join(f"{column} = given.{column}" for column in columns)
    return (
        f"UPDATE {table} SET {values}"  # noqa: S608 - names of models
        f" FROM json_populate_recordset(NULL::{table}, %s::json) AS given"
        f" WHERE {table}.{key} = given.{key}"
    )


def _quoted(name: str | None) -> str:
    return connection.ops.quote_name(str(name))


def _dumped(rows: Sequence[models.Model], fields: Sequence[Any]) -> str:
    """The rows as one list of JSON, columns by name; without what PostgreSQL cannot keep."""
    plain = [{field.column: _value(field, row) for field in fields} for row in rows]
    try:
        text = orjson.dumps(plain, default=str)
        if _UNFIT not in text:
            return text.decode()
    except TypeError:  # half a surrogate pair, or a number beyond 64 bits
        pass
    return json.dumps(cleaned(plain), default=str)


def _value(field: Any, row: models.Model) -> Any:
    value = field.value_from_object(row)
    return value if isinstance(field, models.JSONField) else field.get_prep_value(value)
