"""The pool of connections: how it tries them, and what becomes of it when the server restarts."""

from __future__ import annotations

import time
from contextlib import ExitStack

import psycopg
import pytest
from django.db import connection
from psycopg_pool import ConnectionPool

from futura.postgresql.base import TRUSTED_S, Trial

MANY = 8


@pytest.fixture
def address(transactional_db):
    """How to reach the test database with a connection of one's own."""
    return connection.get_connection_params() | {"context": None, "cursor_factory": psycopg.Cursor}


@pytest.fixture
def tried_pool(address):
    """A pool of a few connections that are tried as the product's are."""
    with ConnectionPool(
        kwargs=address | {"autocommit": True}, min_size=MANY, max_size=MANY, timeout=5.0, open=False
    ) as pool:
        pool._check = Trial(pool)
        pool.open(wait=True)
        yield pool


def test_a_server_that_ended_all_connections_costs_nobody_more_than_a_moment(tried_pool, address):
    with ExitStack() as all_of_them:
        held = [all_of_them.enter_context(tried_pool.connection()) for _ in range(MANY)]
        backends = [item.info.backend_pid for item in held]
    with psycopg.connect(**address, autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM unnest(%s::int[]) pid", [backends]
        )
    began = time.monotonic()
    for _ in range(MANY):
        with tried_pool.connection() as fresh:
            assert fresh.execute("SELECT 1").fetchone() == (1,)
            assert fresh.info.backend_pid not in backends
    assert time.monotonic() - began < 5.0  # pausing between dead ones it took ten, and failed


def test_a_connection_is_tried_again_only_after_a_while(tried_pool, monkeypatch):
    tried = []
    monkeypatch.setattr("futura.postgresql.base.ConnectionPool.check_connection", tried.append)
    moment = [time.monotonic()]
    monkeypatch.setattr("futura.postgresql.base.time.monotonic", lambda: moment[0])
    trial = Trial(tried_pool)
    with tried_pool.connection() as line:
        tried.clear()
        for later in (0.0, 0.1, TRUSTED_S, 0.1):
            moment[0] += later
            trial(line)
    assert tried == [line, line]


def test_the_product_s_pool_is_tried_so(transactional_db):
    pool = getattr(connection, "pool")  # noqa: B009 (Django's types do not know it)
    assert isinstance(pool._check, Trial)
