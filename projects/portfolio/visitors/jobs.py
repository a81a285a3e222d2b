"""Celery shells of visitors' conversations, and when they are due."""

from __future__ import annotations

from typing import Any, Final

from celery import shared_task

from projects.portfolio.visitors.retention import purge_visits


@shared_task(name="portfolio.purge_visits", ignore_result=True)
def purge_old_visits() -> None:
    """Erases visits that are older than they are kept."""
    purge_visits()


# every hour, not every day: a day's pause would begin anew with each deployment
SCHEDULE: Final[dict[str, dict[str, Any]]] = {
    "portfolio-purge-visits": {
        "task": "portfolio.purge_visits",
        "schedule": 3600.0,
        "options": {"queue": "jobs"},
    },
}
