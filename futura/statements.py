"""Runs statements that are written out: the server prepares them, values travel beside the text.

The ORM takes several times as long to write a statement as the database takes to run it, and its
cursor sends values inside the text, so that each is planned anew. Only what every turn waits for
is worth it: `chat/hot.py`, and the money and the calls of a model in `futura/llm`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

import psycopg
from django.db import connection
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
        return list(cursor.fetchall()) if cursor.description else []


def _cursor() -> CursorWrapper:
    """A cursor that lets the server prepare; while statements are logged, one that shows them."""
    if connection.queries_logged:
        return connection.cursor()
    return connection.make_cursor(cast("Any", psycopg.Cursor(connection.connection)))
