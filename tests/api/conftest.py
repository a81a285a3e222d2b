"""What the API's tests share: a starter catalogue, and somebody who does the waiting work."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.db import close_old_connections, connections

from chat.models import Run
from chat.runs import perform


@pytest.fixture
def catalogue(transactional_db) -> None:
    """The starter catalogue is loaded."""
    call_command("onet_load", starter=True, verbosity=0)


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
