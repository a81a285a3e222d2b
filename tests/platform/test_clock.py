"""What runs by the clock."""

from __future__ import annotations

import pytest

from futura.celery import app


@pytest.fixture(scope="module")
def jobs():
    """The names of all periodic jobs, as a worker knows them."""
    app.loader.import_default_modules()
    return sorted(entry["task"] for entry in app.conf.beat_schedule.values())


def test_the_clock_can_send_whatever_it_has(jobs):
    assert "portfolio.sweep_sources" in jobs
    for name in jobs:
        # what Celery checks the arguments with before it sends
        app.tasks[name].__header__()  # type: ignore[attr-defined]
