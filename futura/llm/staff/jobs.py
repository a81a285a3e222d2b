"""What the staff's pages do by the clock."""

from __future__ import annotations

from futura.celery import periodic
from futura.llm.budget import MAIL_DUE
from futura.llm.staff import budgets

periodic({MAIL_DUE: (budgets.mail_due, 60.0)})
