"""Celery shells of projects, and when they are due."""

from __future__ import annotations

from typing import Any, Final

from celery import shared_task

from projects import expiry
from projects.todos import reminders


@shared_task(name="projects.abandon_drafts", ignore_result=True)
def abandon_drafts() -> None:
    """Gives up drafts that nobody touched for seven days."""
    expiry.abandon_untouched()


@shared_task(name="projects.purge_drafts", ignore_result=True)
def purge_drafts() -> None:
    """Erases drafts that were given up 30 days ago."""
    expiry.purge_abandoned()


@shared_task(name="projects.send_reminders", ignore_result=True)
def send_reminders() -> None:
    """Mails the reminders of to-dos that are due."""
    reminders.send_due()


# every hour, not every day: a day's pause would begin anew with each deployment
SCHEDULE: Final[dict[str, dict[str, Any]]] = {
    "projects-abandon-drafts": {
        "task": "projects.abandon_drafts",
        "schedule": 3600.0,
        "options": {"queue": "jobs"},
    },
    "projects-purge-drafts": {
        "task": "projects.purge_drafts",
        "schedule": 3600.0,
        "options": {"queue": "jobs"},
    },
    "projects-send-reminders": {
        "task": "projects.send_reminders",
        "schedule": 60.0,
        "options": {"queue": "jobs"},
    },
}
