"""Many rows in few statements: a change of each, and links between rows."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from django.db import connection, models

from futura.errors import Conflict

AT_ONCE: Final = 500  # rows in one statement
_MEASURE: Final = re.compile(r"\([^)]*\)")  # of a type: a cast to it would cut what is too long


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


def update_rows(rows: Sequence[models.Model], names: Iterable[str]) -> None:
    """Writes these fields of rows of one model: a statement for every 500 of them."""
    _update([(row, None) for row in rows], names)


def update_versions(rows: Sequence[tuple[models.Model, int]], names: Iterable[str]) -> None:
    """The same for rows that must stand at the version named with each. Raises Conflict."""
    _update(rows, [*names, "version"])


def _update(rows: Sequence[tuple[models.Model, int | None]], names: Iterable[str]) -> None:
    if not rows:
        return
    meta = rows[0][0]._meta
    fields: list[Any] = [meta.pk, *(meta.get_field(name) for name in dict.fromkeys(names))]
    places = ", ".join(["%s::integer", *(f"%s::{_type(one)}" for one in fields)])
    statement = _statement(meta.db_table, fields, is_bound=rows[0][1] is not None)
    for start in range(0, len(rows), AT_ONCE):
        some = rows[start : start + AT_ONCE]
        values = [value for row, base in some for value in (base, *_values(row, fields))]
        with connection.cursor() as cursor:
            cursor.execute(statement.format(", ".join([f"({places})"] * len(some))), values)
            if cursor.rowcount != len(some):
                raise Conflict


def _statement(table: str, fields: Sequence[Any], *, is_bound: bool) -> str:
    """With a place for the rows' values; names are those of models, nobody's input."""
    quoted = connection.ops.quote_name
    table = quoted(table)
    key, *columns = (quoted(one.column) for one in fields)
    changes = ", ".join(f"{one} = told.{one}" for one in columns)
    bound = f" AND {table}.version = told.base" if is_bound else ""
    return (
        f"UPDATE {table} SET {changes}"  # noqa: S608
        f" FROM (VALUES {{}}) AS told (base, {key}, {', '.join(columns)})"
        f" WHERE {table}.{key} = told.{key}{bound}"
    )


def _type(field: Any) -> str:
    return _MEASURE.sub("", field.db_type(connection))


def _values(row: models.Model, fields: Sequence[Any]) -> list[Any]:
    return [one.get_db_prep_save(getattr(row, one.attname), connection) for one in fields]


def set_links(
    model: type[models.Model], name: str, wanted: Mapping[uuid.UUID, Sequence[str]]
) -> None:
    """Gives rows exactly these links of a many-to-many field: three statements at most."""
    field: Any = model._meta.get_field(name)
    through = field.remote_field.through
    near, far = f"{field.m2m_field_name()}_id", f"{field.m2m_reverse_field_name()}_id"
    missing = {(pk, uuid.UUID(one)) for pk, ids in wanted.items() for one in ids}
    surplus = []
    there = through._default_manager.filter(**{f"{near}__in": list(wanted)})
    for pk, *pair in there.values_list("pk", near, far):
        if tuple(pair) in missing:
            missing.remove((pair[0], pair[1]))
        else:
            surplus.append(pk)
    if surplus:
        through._default_manager.filter(pk__in=surplus).delete()
    if missing:
        through._default_manager.bulk_create(
            [through(**{near: pair[0], far: pair[1]}) for pair in sorted(missing)]
        )
