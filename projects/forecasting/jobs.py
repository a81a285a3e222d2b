"""Celery shell of the forecasts, and when it is due."""

from __future__ import annotations

from typing import Any, Final

from celery import shared_task

from projects.forecasting import actions


@shared_task(name="projects.score_forecasts", ignore_result=True)
def score_forecasts() -> None:
    """Compares forecasts of completed projects with what happened."""
    actions.score_finished()


SCHEDULE: Final[dict[str, dict[str, Any]]] = {
    "projects-score-forecasts": {
        "task": "projects.score_forecasts",
        "schedule": 900.0,
        "options": {"queue": "jobs"},
    },
}
