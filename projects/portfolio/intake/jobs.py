"""Celery shells of reading, and when the sweep is due."""

from __future__ import annotations

import uuid
from typing import Any, Final

from celery import shared_task

from projects.portfolio.intake import run


@shared_task(name=run.READ, ignore_result=True)
def read_source(source_id: str) -> None:
    run.read(uuid.UUID(source_id))


@shared_task(name="portfolio.sweep_sources", ignore_result=True)
def sweep_sources() -> None:
    run.sweep()


SCHEDULE: Final[dict[str, dict[str, Any]]] = {
    "portfolio-sweep-sources": {
        "task": "portfolio.sweep_sources",
        "schedule": 10.0,
        "options": {"queue": "jobs"},
    },
}
