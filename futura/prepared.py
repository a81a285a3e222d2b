"""Queries that the ORM compiles once: those that every answer makes, a dozen times.

    _BY_ID = Prepared(lambda pk: Session.objects.filter(pk=pk))
    session = _BY_ID.first(pk=session_id)

Compiling a query takes the ORM several times as long as running it takes the database. Here the
text is kept, and only values change from call to call. A value is an id or a list of ids; a query
is compiled once for each number of ids it is asked with. Rows come as the queryset would give
them, annotations and deferred fields included; `select_related` and `prefetch_related` are not
understood (and refused).
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db import models

from futura.statements import rows

ModelT = TypeVar("ModelT", bound=models.Model)
Value = uuid.UUID | str | Sequence[uuid.UUID]
Ids = uuid.UUID | Sequence[uuid.UUID]
Shape = tuple[tuple[str, int], ...]
ONE = -1  # the length that stands for a single id


@dataclass(frozen=True)
class _Statement:
    """A compiled query; `places` are the parameters to put in: which value, which of its ids."""

    sql: str
    params: tuple[Any, ...]
    places: tuple[tuple[int, str, int], ...]
    names: tuple[str, ...]
    annotations: tuple[tuple[str, int], ...]
    start: int
    compiler: Any
    converters: Any


class Prepared(Generic[ModelT]):
    """A query by ids; `build` makes the queryset from keyword arguments of the same names."""

    def __init__(self, build: Callable[..., models.QuerySet[ModelT]]) -> None:
        self._build = build
        self._known: dict[Shape, _Statement] = {}

    def first(self, **values: Value) -> ModelT | None:
        """The first row, if any."""
        found = self.all(**values)
        return found[0] if found else None

    def all(self, **values: Value) -> list[ModelT]:
        """Every row, in the queryset's order."""
        ids = {name: _id(value) for name, value in values.items()}
        shape = tuple((name, _length(value)) for name, value in ids.items())
        statement = self._known.get(shape)
        if statement is None:
            statement = self._known[shape] = self._compiled(shape)
        return self._rows(statement, ids)

    def _compiled(self, shape: Shape) -> _Statement:
        marks = {
            name: uuid.uuid4() if length == ONE else [uuid.uuid4() for _ in range(length)]
            for name, length in shape
        }
        queryset = self._build(**marks)
        query = queryset.query
        if query.select_related:
            raise ValueError("A prepared query reads one table.")
        compiler = query.get_compiler(queryset.db)
        sql, params = compiler.as_sql()
        info: Any = compiler.klass_info
        chosen = info["select_fields"]
        start, end = chosen[0], chosen[-1] + 1
        select: Any = compiler.select
        return _Statement(
            sql,
            tuple(params),
            tuple(_places(params, marks)),
            tuple(column.target.attname for column, _sql, _alias in select[start:end]),
            tuple((compiler.annotation_col_map or {}).items()),
            start,
            compiler,
            compiler.get_converters([expression for expression, _sql, _alias in select]),
        )

    def _rows(self, statement: _Statement, values: dict[str, Ids]) -> list[ModelT]:
        params = list(statement.params)
        for at, name, index in statement.places:
            value = values[name]
            params[at] = value[index] if isinstance(value, Sequence) else value
        database = statement.compiler.using
        found: Any = rows(statement.sql, params, using=database)
        if statement.converters:
            found = statement.compiler.apply_converters(found, statement.converters)
        model = statement.compiler.klass_info["model"]
        end = statement.start + len(statement.names)
        made = []
        for row in found:
            one = model.from_db(database, statement.names, row[statement.start : end])
            for name, at in statement.annotations:
                setattr(one, name, row[at])
            made.append(one)
        return made


def _id(value: Value) -> Ids:
    """An address's id comes as text from some routers."""
    return uuid.UUID(value) if isinstance(value, str) else value


def _length(value: Ids) -> int:
    return ONE if isinstance(value, uuid.UUID) else len(value)


def _places(params: Sequence[Any], marks: dict[str, Any]) -> list[tuple[int, str, int]]:
    """Where in the parameters which value belongs."""
    known = {
        mark: (name, index)
        for name, given in marks.items()
        for index, mark in enumerate([given] if isinstance(given, uuid.UUID) else given)
    }
    found = [(at, param) for at, param in enumerate(params) if isinstance(param, uuid.UUID)]
    return [(at, *known[param]) for at, param in found]
