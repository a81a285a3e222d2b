"""Locks by name that PostgreSQL holds until the transaction ends, whatever the process does.

All need a transaction. A name is any text: the job, or the thing and its id.
"""

from __future__ import annotations

import uuid

from django.db import connection


def id_under(key: str, sent: str) -> uuid.UUID:
    """The id of what a program makes under its key with what it sent, held until the transaction
    ends: who sends the same again finds it.
    """
    made = uuid.uuid5(uuid.uuid5(uuid.NAMESPACE_OID, key), sent)
    wait_for(str(made))
    return made


def claim(name: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 0))", [name])
        row = cursor.fetchone()
    return bool(row and row[0])


def wait_for(name: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])
