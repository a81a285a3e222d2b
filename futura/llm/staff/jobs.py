"""Celery shells of the staff's pages, and when they are due."""

from __future__ import annotations

from typing import Any, Final

from celery import shared_task

from futura.llm.budget import MAIL_DUE
from futura.llm.staff import budgets


@shared_task(name=MAIL_DUE, ignore_result=True)
def mail_budget_notices() -> None:
    budgets.mail_due()


SCHEDULE: Final[dict[str, dict[str, Any]]] = {
    "llm-budget-notices": {
        "task": MAIL_DUE,
        "schedule": 60.0,
        "options": {"queue": "jobs"},
    },
}
