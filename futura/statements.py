"""Runs statements that are written out: the server prepares them, values travel beside the text.

The ORM takes several times as long to write a statement as the database takes to run it, and its
cursor sends values inside the text, so that each is planned anew. Only what every turn waits for
is worth it: `chat/hot.py`, and the money and the calls of a model in `futura/llm`.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import psycopg
from django.db import connection, models
from django.db.backends.utils import CursorWrapper

SOON: Final = "set_config('synchronous_commit', 'off', true)"
"""In what a statement returns: its transaction is on the disk within half a second, not at once.

For what is made again, or missed by nobody, when the database server crashes within that time. A
later transaction that does wait takes it along.
"""


def rows(
    sql: str, params: Sequence[Any] | Mapping[str, Any] | None = None
) -> list[tuple[Any, ...]]:
    """What a statement gives, nothing where it gives no rows; counted and logged as all others.

    Unlike with Django's cursor a value has a type of its own: cast it where its place tells none.
    """
    connection.ensure_connection()
    with _cursor() as cursor:
        cursor.execute(sql, params)
        result = cursor.pgresult  # `description` would make an object of every column to say it
        return cursor.fetchall() if result and result.nfields else []


def _cursor() -> CursorWrapper:
    """A cursor that lets the server prepare; while statements are logged, one that shows them."""
    if connection.queries_logged:
        return connection.cursor()
    return connection.make_cursor(cast("Any", psycopg.Cursor(connection.connection)))


@dataclass(frozen=True)
class Columns:
    """Columns of a model under an alias, for a statement, and how an object is made of them."""

    model: type[models.Model]
    sql: str
    names: tuple[str, ...]
    json_at: frozenset[int]

    @classmethod
    def of(cls, model: type[models.Model], alias: str, *, without: Collection[str] = ()) -> Columns:
        fields = [field for field in model._meta.concrete_fields if field.name not in without]
        are_json = (at for at, field in enumerate(fields) if isinstance(field, models.JSONField))
        return cls(
            model,
            ", ".join(f'{alias}."{field.column}"' for field in fields),
            tuple(field.attname for field in fields),
            frozenset(are_json),
        )

    def read(self, row: Sequence[Any]) -> Any:
        """The object of a row that begins with these columns; None where a join found none."""
        if row[0] is None:
            return None
        values = [
            json.loads(value) if at in self.json_at else value
            for at, value in enumerate(row[: len(self.names)])
        ]
        return self.model.from_db("default", self.names, values)

    def after(self, row: Sequence[Any]) -> Sequence[Any]:
        return row[len(self.names) :]
