"""Celery shells of the survey, and when the periodic ones are due."""

from __future__ import annotations

import uuid
from typing import Any, Final

from celery import shared_task
from celery.signals import worker_shutting_down

from tasks.campaigns.actions import joining, setting_up
from tasks.coding import matching, queue, run, statements
from tasks.insights import stored_reports


@shared_task(name=queue.PROCESS, ignore_result=True)
def process_response(response_id: str) -> None:
    run.process(uuid.UUID(response_id))
    statements.translate_statements(uuid.UUID(response_id))


@shared_task(name=queue.MATCH, ignore_result=True)
def match_response(response_id: str) -> None:
    """Looks the tasks of a response up in the catalogue that wait and nobody else has."""
    statements.write_english(uuid.UUID(response_id))
    matching.match_responses(uuid.UUID(response_id))
    statements.translate_statements(uuid.UUID(response_id))


@shared_task(name=queue.BACKLOG, ignore_result=True)
def match_backlog() -> None:
    """Looks up what waits by the thousand, if this worker has a thread to give."""
    queue.work_off()


@worker_shutting_down.connect
def _on_shutting_down(**_signal: object) -> None:
    queue.stop()


@shared_task(name="tasks.sweep", ignore_result=True)
def sweep_forgotten() -> None:
    queue.sweep()


@shared_task(name="tasks.wrap_up", ignore_result=True)
def wrap_up() -> None:
    setting_up.wrap_up()


@shared_task(name="tasks.purge_expired", ignore_result=True)
def purge_expired() -> None:
    joining.purge_expired()


@shared_task(name=stored_reports.COUNT, ignore_result=True)
def count_insight(insight_id: str) -> None:
    stored_reports.count(uuid.UUID(insight_id))


@shared_task(name="tasks.insights.refresh", ignore_result=True)
def refresh_insights() -> None:
    stored_reports.refresh()


SCHEDULE: Final[dict[str, dict[str, Any]]] = {
    name.replace(".", "-").replace("_", "-"): {
        "task": name,
        "schedule": every_s,
        "options": {"queue": "jobs"},
    }
    for name, every_s in (
        ("tasks.sweep", 10.0),
        ("tasks.wrap_up", 300.0),
        ("tasks.purge_expired", 900.0),
        ("tasks.insights.refresh", 120.0),
    )
}
