"""What the API's tests share: a program's requests, a starter catalogue, waiting work done."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import close_old_connections, connections
from django.test import Client

from chat.models import Run
from chat.runs.perform import perform
from tests import project_rows


@pytest.fixture
def call(client, alice) -> Callable[..., Any]:
    """One request as alice's program makes it, with what it was answered."""
    return program_of(client, alice)


@pytest.fixture
def bob_call(bob) -> Callable[..., Any]:
    return program_of(Client(), bob)


def program_of(client: Client, user: Any) -> Callable[..., Any]:
    """Requests of somebody's program; `headers` are named as WSGI names them."""
    client.force_login(user)

    def send(method: str, path: str, body: Any = None, *, expect: int = 200, **headers: str) -> Any:
        sent = {"data": json.dumps(body or {}), "content_type": "application/json"}
        sent = {} if method == "get" else sent
        answer = getattr(client, method)(f"/api{path}", **sent, **headers)
        assert answer.status_code == expect, answer.content
        return answer.json() if answer.content else None

    return send


@pytest.fixture
def project(actor) -> Any:
    return project_rows.create_project(actor=actor, values={"name": "Garden"}).row


@pytest.fixture
def catalogue(transactional_db, starter) -> None:
    """The starter catalogue is loaded, for the threads of a worker too."""


@pytest.fixture
def worker(transactional_db) -> Iterator[None]:
    """Performs queued runs in a thread, as a worker process would, while requests wait."""
    over = threading.Event()

    def work() -> None:
        while not over.wait(0.02):
            close_old_connections()
            run = Run.objects.filter(status=Run.Status.QUEUED).order_by("created_at").first()
            if run is not None:
                perform(run.pk)
        connections.close_all()

    thread = threading.Thread(target=work)
    thread.start()
    yield
    over.set()
    thread.join()
