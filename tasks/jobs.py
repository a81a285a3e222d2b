"""Celery shells of the survey, and when the periodic ones are due."""

from __future__ import annotations

import uuid

from celery import shared_task
from celery.signals import worker_shutting_down

from futura.celery import periodic
from tasks.campaigns.actions import joining, setting_up
from tasks.coding import queue, run, statements
from tasks.insights import stored_reports


@shared_task(name=run.PIPELINE.job, ignore_result=True)
def process_response(response_id: str) -> None:
    run.process(uuid.UUID(response_id))
    statements.translate_statements(uuid.UUID(response_id))


@shared_task(name=queue.MATCH, ignore_result=True)
def match_response(response_id: str) -> None:
    """Looks the tasks of a response up in the catalogue that wait and nobody else has."""
    queue.look_up(uuid.UUID(response_id))


@worker_shutting_down.connect
def _on_shutting_down(**_signal: object) -> None:
    queue.stop()


@shared_task(name=stored_reports.COUNT, ignore_result=True)
def count_insight(insight_id: str) -> None:
    stored_reports.count(uuid.UUID(insight_id))


shared_task(name=queue.BACKLOG, ignore_result=True)(queue.work_off)

periodic(
    {
        "tasks.sweep": (queue.sweep, 10.0),
        "tasks.wrap_up": (setting_up.wrap_up, 300.0),
        "tasks.purge_expired": (joining.purge_expired, 900.0),
        "tasks.insights.refresh": (stored_reports.refresh, 120.0),
    }
)
