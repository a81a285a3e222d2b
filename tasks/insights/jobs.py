"""Celery shells of insights, and when the periodic one is due."""

from __future__ import annotations

import uuid
from typing import Any, Final

from celery import shared_task

from tasks.insights import stored_reports


@shared_task(name=stored_reports.COUNT, ignore_result=True)
def count(insight_id: str) -> None:
    """Counts what somebody waits for."""
    stored_reports.count(uuid.UUID(insight_id))


@shared_task(name="tasks.insights.refresh", ignore_result=True)
def refresh() -> None:
    """Keeps the sums of campaigns from growing old."""
    stored_reports.refresh()


SCHEDULE: Final[dict[str, dict[str, Any]]] = {
    "tasks-insights-refresh": {
        "task": "tasks.insights.refresh",
        "schedule": 120.0,
        "options": {"queue": "jobs"},
    },
}
