"""Rows that the tests of a module share, where making them takes longer than a test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from django.db import connection, transaction

MadeT = TypeVar("MadeT")


@contextmanager
def lasting(blocker: Any, make: Callable[[], MadeT]) -> Iterator[MadeT]:
    """What `make` makes stays for the tests within; what each of them changes is taken back.

    For a fixture of a module whose tests use `db`, not `transactional_db`: it is a transaction
    around theirs. `blocker` is the fixture `django_db_blocker`.
    """
    with blocker.unblock(), transaction.atomic():
        made = make()
        connection.run_on_commit.clear()
        with connection.cursor() as cursor:
            # foreign keys are checked here, once, and not again after every test
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
        yield made
        transaction.set_rollback(True)
