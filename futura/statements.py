"""Single statements that every answer makes, without compiling them each time.

    insert(message, seq=NEXT_SEQ)                      # one row, as the model's fields hold it
    update(Run, {"pk": run_id, "lease": lease}, stage="", heartbeat_at=NOW)
    rows("SELECT … WHERE id = %s", [session_id])

    _BY_ID = Prepared(lambda pk: Session.objects.filter(pk=pk))
    session = _BY_ID.first(pk=session_id)

The ORM takes several times as long to write a statement as the database takes to run it. Here the
text of a statement is kept with its shape, and the server prepares it: values travel beside it.
Values go through the model's fields. There are no signals, and no `auto_now`: name what changes.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, Final, Generic, TypeVar

import psycopg
from django.db import DEFAULT_DB_ALIAS, connections, models

ModelT = TypeVar("ModelT", bound=models.Model)


class Sql(str):
    """A constant piece of SQL in the place of a value; `%(name)s` in it is a field's value."""

    __slots__ = ()


NOW: Final = Sql("statement_timestamp()")
SOON: Final = "set_config('synchronous_commit', 'off', true)"
"""In what a statement returns: its transaction is on the disk within half a second, not at once.

For what is made again, or missed by nobody, when the database server crashes within that time. A
later transaction that does wait takes it along.
"""


def rows(
    sql: str,
    params: Sequence[Any] | Mapping[str, Any] | None = None,
    *,
    using: str = DEFAULT_DB_ALIAS,
) -> list[tuple[Any, ...]]:
    """What a statement gives, nothing where it gives no rows; counted and logged as all others.

    Unlike with Django's cursor a value has a type of its own: cast it where its place tells none.
    """
    return _run(sql, params, using)[0]


def update(
    model: type[models.Model], where: Mapping[str, Any], *, soon: bool = False, **values: Any
) -> int:
    """Writes fields of the rows whose fields equal `where`; how many rows there were.

    With `soon` nobody waits for the disk, see `SOON`.
    """
    shape = tuple(
        (name, value if isinstance(value, Sql) else None) for name, value in values.items()
    )
    sql = _update_sql(model, tuple(where), shape) + (f" RETURNING {SOON}" if soon else "")
    given = [value for value in _stored(model, values) if not isinstance(value, Sql)]
    return _run(sql, [*given, *_stored(model, where)], DEFAULT_DB_ALIAS)[1]


def insert(instance: ModelT, *, soon: bool = False, **computed: Sql) -> ModelT:
    """Inserts a new object; fields of `computed`, and those the database fills, are read back.

    With `soon` nobody waits for the disk, see `SOON`.
    """
    model = type(instance)
    sql, names, read = _insert_sql(model, tuple(computed.items()))
    values = {name: getattr(instance, name) for name in names}
    stored = dict(zip(names, _stored(model, values), strict=True))
    (result,) = rows(f"{sql}, {SOON}" if soon else sql, stored)
    for name, value in zip(read, result, strict=False):
        setattr(instance, name, value)
    instance._state.adding = False  # noqa: SLF001 (what the ORM does)
    instance._state.db = DEFAULT_DB_ALIAS  # noqa: SLF001
    return instance


def _run(
    sql: str, params: Sequence[Any] | Mapping[str, Any] | None, using: str
) -> tuple[list[tuple[Any, ...]], int]:
    connection = connections[using]
    connection.ensure_connection()
    with _cursor(connection) as cursor:
        cursor.execute(sql, params)
        return (cursor.fetchall() if cursor.description else []), cursor.rowcount


def _cursor(connection: Any) -> Any:
    """A cursor that lets the server prepare; while statements are logged, one that shows them."""
    if connection.queries_logged:
        return connection.cursor()
    return connection.make_cursor(psycopg.Cursor(connection.connection))


@lru_cache(maxsize=256)
def _update_sql(
    model: type[models.Model], where: tuple[str, ...], shape: tuple[tuple[str, Sql | None], ...]
) -> str:
    table = model._meta.db_table
    written = ", ".join(f'"{_column(model, name)}" = {sql or "%s"}' for name, sql in shape)
    found = " AND ".join(f'"{_column(model, name)}" = %s' for name in where)
    return f'UPDATE "{table}" SET {written} WHERE {found}'  # noqa: S608 (names of the model)


@lru_cache(maxsize=64)
def _insert_sql(
    model: type[models.Model], computed: tuple[tuple[str, Sql], ...]
) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    by_name = dict(computed)
    columns, places, names, read = [], [], [], []
    for field in model._meta.concrete_fields:
        name = field.attname
        made_there = field.has_db_default() or (field.primary_key and field.auto_created)
        if made_there or name in by_name:
            read.append(name)
        if made_there and name not in by_name:
            continue
        if name not in by_name:
            names.append(name)
        columns.append(f'"{field.column}"')
        places.append(f"({by_name[name]})" if name in by_name else f"%({name})s")
    back = ", ".join(f'"{_column(model, name)}"' for name in read) or "1"
    sql = (
        f'INSERT INTO "{model._meta.db_table}" ({", ".join(columns)})'  # noqa: S608 (the same)
        f" VALUES ({', '.join(places)}) RETURNING {back}"
    )
    return sql, tuple(names), tuple(read)


def _field(model: type[models.Model], name: str) -> Any:
    return model._meta.pk if name == "pk" else model._meta.get_field(name)


def _column(model: type[models.Model], name: str) -> str:
    return str(_field(model, name).column)


def _stored(model: type[models.Model], values: Mapping[str, Any]) -> list[Any]:
    connection = connections[DEFAULT_DB_ALIAS]
    stored = []
    for name, value in values.items():
        if isinstance(value, Sql):
            stored.append(value)
            continue
        normalized = value.pk if isinstance(value, models.Model) else value
        kept = _field(model, name).get_db_prep_save(normalized, connection)
        stored.append(kept.value if isinstance(kept, Enum) else kept)
    return stored


# Queries --------------------------------------------------------------------------------------
Shape = tuple[tuple[str, int], ...]
SINGLE: Final = -1  # the length that stands for a single id


@dataclass(frozen=True)
class _Query:
    """A compiled query: in its parameters the marks stand where ids are to be put in."""

    sql: str
    params: tuple[Any, ...]
    marks: tuple[uuid.UUID, ...]
    fields: tuple[str, ...]
    start: int
    annotations: tuple[tuple[str, int], ...]
    compiler: Any
    converters: Any


class Prepared(Generic[ModelT]):
    """A query by ids that the ORM compiles once for each number of ids it is asked with.

    `build` makes the queryset from keyword arguments: ids, or lists of ids. Rows come as it would
    give them, annotations and deferred fields included; it reads one table.
    """

    def __init__(self, build: Callable[..., models.QuerySet[ModelT]]) -> None:
        self._build = build
        self._queries: dict[Shape, _Query] = {}

    def first(self, **values: uuid.UUID | str | Sequence[uuid.UUID]) -> ModelT | None:
        return next(iter(self.all(**values)), None)

    def all(self, **values: uuid.UUID | str | Sequence[uuid.UUID]) -> list[ModelT]:
        ids: list[uuid.UUID] = []
        shape: list[tuple[str, int]] = []
        for name, value in values.items():
            if isinstance(value, uuid.UUID | str):  # from some addresses it comes as a text
                ids.append(uuid.UUID(str(value)))
                shape.append((name, SINGLE))
            else:
                ids += value
                shape.append((name, len(value)))
        query = self._queries.get(key := tuple(shape))
        if query is None:
            query = self._queries[key] = self._compiled(key)
        given = dict(zip(query.marks, ids, strict=True))
        params = [given[it] if isinstance(it, uuid.UUID) else it for it in query.params]
        return self._objects(query, rows(query.sql, params, using=query.compiler.using))

    def _compiled(self, shape: Shape) -> _Query:
        marks = {name: [uuid.uuid4() for _ in range(abs(length))] for name, length in shape}
        values = {
            name: marks[name][0] if length == SINGLE else marks[name] for name, length in shape
        }
        query = (queryset := self._build(**values)).query
        if query.select_related:
            raise ValueError("A prepared query reads one table.")
        compiler: Any = query.get_compiler(queryset.db)
        sql, params = compiler.as_sql()
        chosen = compiler.klass_info["select_fields"]
        columns = compiler.select[chosen[0] : chosen[-1] + 1]
        return _Query(
            sql,
            tuple(params),
            tuple(mark for name, _length in shape for mark in marks[name]),
            tuple(column.target.attname for column, _sql, _alias in columns),
            chosen[0],
            tuple((compiler.annotation_col_map or {}).items()),
            compiler,
            compiler.get_converters([expression for expression, _sql, _alias in compiler.select]),
        )

    def _objects(self, query: _Query, found: Any) -> list[ModelT]:
        if query.converters:
            found = query.compiler.apply_converters(found, query.converters)
        model = query.compiler.klass_info["model"]
        end = query.start + len(query.fields)
        objects = []
        for row in found:
            instance = model.from_db(query.compiler.using, query.fields, row[query.start : end])
            for name, at in query.annotations:
                setattr(instance, name, row[at])
            objects.append(instance)
        return objects
