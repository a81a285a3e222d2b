"""How requests get to their views: through the same doors, whether the view awaits or not."""

from __future__ import annotations

import asyncio
import json
import uuid
from contextlib import contextmanager

import psycopg
import pytest
from asgiref.testing import ApplicationCommunicator
from django.db import connection

from futura import handler
from futura.asgi import application
from projects.portfolio.models import Portfolio

pytestmark = pytest.mark.django_db(transaction=True)

EVENTS = f"/api/chat/sessions/{uuid.UUID(int=1)}/events"


async def answer(path: str) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of a page, as a server gets them."""
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "path": path,
        "query_string": b"",
        "headers": [(b"host", b"localhost")],
        "client": ("127.0.0.1", 1),
    }
    server = ApplicationCommunicator(application, scope)
    await server.send_input({"type": "http.request", "body": b"", "more_body": False})
    begin = await server.receive_output(timeout=60)
    headers = {name.decode().lower(): value.decode() for name, value in begin["headers"]}
    body = b""
    while True:
        part = await server.receive_output(timeout=60)
        body += part.get("body", b"")
        if not part.get("more_body"):
            await server.wait()
            return begin["status"], headers, body


@pytest.mark.parametrize(
    ("path", "status"),
    [("/healthz", 200), ("/", 200), ("/no-such-page", 404), (EVENTS, 404)],
)
async def test_every_request_has_its_id_and_its_safety_headers(path, status):
    got, headers, _body = await answer(path)
    assert got == status
    assert headers["x-request-id"]
    assert headers["x-content-type-options"] == "nosniff"
    assert "content-security-policy" in headers


async def test_a_view_that_awaits_refuses_strangers_as_others_do():
    _status, _headers, body = await answer(EVENTS)
    assert json.loads(body)
    _status, _headers, page = await answer(f"/survey/{uuid.uuid4()}/chat")
    assert b"<html" in page


HERE_WAITING = """
    SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
    WHERE NOT l.granted AND d.datname = current_database()
"""


@contextmanager
def locked_portfolios():
    """Whoever reads a portfolio waits until the end of the block; gives how many wait."""
    address = {"user": "USER", "password": "PASSWORD", "host": "HOST", "port": "PORT"}
    values = {name: connection.settings_dict[key] or None for name, key in address.items()}
    with psycopg.connect(dbname=connection.settings_dict["NAME"], **values) as other:
        other.execute(f"LOCK TABLE {Portfolio._meta.db_table} IN ACCESS EXCLUSIVE MODE")
        yield lambda: other.execute(HERE_WAITING).rowcount


@pytest.mark.thorough
async def test_pages_that_wait_for_long_do_not_keep_others_waiting():
    with locked_portfolios() as how_many_wait:
        pages = [answer("/p/nobody") for _ in range(2 * handler.AT_ONCE + 1)]
        waiting = [asyncio.create_task(page) for page in pages]
        while how_many_wait() < handler.AT_ONCE:
            await asyncio.sleep(0.01)
        status, _headers, _body = await answer("/survey")
        assert status == 200
        assert not any(task.done() for task in waiting)
    assert {status for status, _headers, _body in await asyncio.gather(*waiting)} == {404}
