"""Celery shells of the builder, and when they and those of visits are due."""

from __future__ import annotations

from typing import Any, Final

from celery import shared_task

from projects.portfolio.builder.purging import purge_empty
from projects.portfolio.visitors import jobs as visits


@shared_task(name="portfolio.purge_empty_entries", ignore_result=True)
def purge_empty_entries() -> None:
    """Removes entries that nothing was told of for seven days."""
    purge_empty()


SCHEDULE: Final[dict[str, dict[str, Any]]] = {
    **visits.SCHEDULE,
    "portfolio-purge-empty-entries": {
        "task": "portfolio.purge_empty_entries",
        "schedule": 3600.0,
        "options": {"queue": "jobs"},
    },
}
