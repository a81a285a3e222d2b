"""Celery shells of the index, and when the sweep is due."""

from __future__ import annotations

import uuid
from typing import Any, Final

from celery import shared_task

from projects.portfolio.index import refresh


@shared_task(name=refresh.REFRESH, ignore_result=True)
def refresh_index(portfolio_id: str) -> None:
    """Builds the index of a portfolio again, unless nothing changed or somebody is at it."""
    refresh.refresh(uuid.UUID(portfolio_id))


@shared_task(name="portfolio.sweep_indexes", ignore_result=True)
def sweep_indexes() -> None:
    refresh.sweep()


SCHEDULE: Final[dict[str, dict[str, Any]]] = {
    "portfolio-sweep-indexes": {
        "task": "portfolio.sweep_indexes",
        "schedule": 10.0,
        "options": {"queue": "jobs"},
    },
}
