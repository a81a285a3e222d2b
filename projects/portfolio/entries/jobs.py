"""Celery shells of entries, and when they are due."""

from __future__ import annotations

import uuid
from typing import Any, Final

from celery import shared_task

from projects.portfolio.entries.pictures import drawing, storing


@shared_task(name="portfolio.purge_pictures", ignore_result=True)
def purge_pictures() -> None:
    """Lets go of files that no entry names and no undo could bring back; draws what was lost."""
    storing.purge()
    drawing.look_after()


@shared_task(name=drawing.DRAW, ignore_result=True)
def draw_sizes(stored_id: str) -> None:
    """Draws the smaller sizes of a picture."""
    drawing.draw(uuid.UUID(stored_id))


# every hour, not every day: a day's pause would begin anew with each deployment
SCHEDULE: Final[dict[str, dict[str, Any]]] = {
    "portfolio-purge-pictures": {
        "task": "portfolio.purge_pictures",
        "schedule": 3600.0,
        "options": {"queue": "jobs"},
    }
}
