"""Locks by name that PostgreSQL holds until the transaction ends, whatever the process does.

Both functions need a transaction. A name is any text: the job, or the thing and its id.
"""

from __future__ import annotations

from django.db import connection


def claim(name: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 0))", [name])
        row = cursor.fetchone()
    return bool(row and row[0])


def wait_for(name: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])
