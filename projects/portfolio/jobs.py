"""Celery shells of reading and of the index, and when their sweeps are due."""

from __future__ import annotations

import uuid

from celery import shared_task

from futura.celery import periodic
from projects.portfolio.index import refresh
from projects.portfolio.intake import reading


@shared_task(name=refresh.BUILD.job, ignore_result=True)
def refresh_index(portfolio_id: str) -> None:
    refresh.refresh(uuid.UUID(portfolio_id))


@shared_task(name=reading.READ.job, ignore_result=True)
def read_source(source_id: str) -> None:
    reading.read(uuid.UUID(source_id))


periodic(
    {
        "portfolio.sweep_indexes": (refresh.sweep, 10.0),
        "portfolio.sweep_sources": (reading.READ.sweep, 10.0),
    }
)
