"""Celery shells of entries, and when they are due."""

from __future__ import annotations

from typing import Any, Final

from celery import shared_task

from projects.portfolio.entries.pictures import storing


@shared_task(name="portfolio.purge_pictures", ignore_result=True)
def purge_pictures() -> None:
    """Lets go of files that no entry names and no undo could bring back."""
    storing.purge()


# every hour, not every day: a day's pause would begin anew with each deployment
SCHEDULE: Final[dict[str, dict[str, Any]]] = {
    "portfolio-purge-pictures": {
        "task": "portfolio.purge_pictures",
        "schedule": 3600.0,
        "options": {"queue": "jobs"},
    }
}
