"""Celery shells of the survey, and when the periodic one is due."""

from __future__ import annotations

import uuid
from typing import Any, Final

from celery import shared_task

from tasks.pipeline import announce, matching, run, sweep


@shared_task(name=announce.PROCESS, ignore_result=True)
def process_response(response_id: str) -> None:
    """Runs the pipeline of a response, unless somebody else does or nothing waits."""
    run.process(uuid.UUID(response_id))


@shared_task(name=announce.MATCH, ignore_result=True)
def match_response(response_id: str) -> None:
    """Looks the tasks of a response up in the catalogue that wait and nobody else has."""
    matching.match_response(uuid.UUID(response_id))


@shared_task(name="tasks.sweep", ignore_result=True)
def sweep_forgotten() -> None:
    """Announces again what nobody is making."""
    sweep.sweep()


SCHEDULE: Final[dict[str, dict[str, Any]]] = {
    "tasks-sweep": {"task": "tasks.sweep", "schedule": 10.0, "options": {"queue": "jobs"}},
}
