"""Stores what a run has found, in one transaction; a failed run leaves a row that says why."""

from __future__ import annotations

import uuid
from typing import Any, Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.operations.changes import Actor, Cause, Kind
from chat.operations.execute import execute, raise_if_failed
from projects.portfolio.index import building
from projects.portfolio.intake.plan import ENTITIES
from projects.portfolio.intake.preprocess import Found, Run
from projects.portfolio.models import IndexBuild, Portfolio, PreprocessRun, Source

REASON: Final = "portfolio_preprocess"


def store(run: Run, found: Found, owner_id: uuid.UUID) -> IndexBuild:
    """Rows by operations, sources, index: all or nothing.

    Raises Conflict when somebody changed the portfolio meanwhile.
    """
    with transaction.atomic():
        if found.plan.changes:
            batch = execute(
                actor=Actor(owner_id, Kind.SYSTEM),
                changes=found.plan.changes,
                cause=Cause(reason=REASON),
                title=_("Read the portfolio's sources"),
                is_atomic=True,
            )
            raise_if_failed(batch)
        portfolio = Portfolio.objects.get(pk=found.plan.portfolio_id)
        row = _row(run, portfolio, PreprocessRun.Status.COMPLETED)
        for one in found.sources:
            one.portfolio, one.run = portfolio, row
        Source.objects.bulk_create(found.sources)
        build = building.store(portfolio, found.docs, found.vectors)
        _forget_old_sources(portfolio, row)
    return build


def note_failure(run: Run, portfolio: Portfolio | None, *, code: str, error: str) -> None:
    """A failed run, for the owner to see; nothing where the portfolio is not there yet."""
    if portfolio is not None:
        _row(run, portfolio, PreprocessRun.Status.FAILED, code=code, error=error)


def _row(
    run: Run, portfolio: Portfolio, status: PreprocessRun.Status, **more: Any
) -> PreprocessRun:
    return PreprocessRun.objects.create(
        id=run.id,
        portfolio=portfolio,
        label=run.measure.label,
        status=status,
        metrics=run.measure.as_json(status=status.value, error=more.get("error", "")),
        started_at=run.measure.started_at,
        finished_at=timezone.now(),
        **more,
    )


def _forget_old_sources(portfolio: Portfolio, run: PreprocessRun) -> None:
    """Texts of earlier runs go, save those that a row still names, or that the owner gave."""
    named: set[Any] = set()
    for model in ENTITIES:
        rows = model._default_manager.filter(portfolio=portfolio).exclude(source=None)
        named |= set(rows.values_list("source_id", flat=True))
    old = Source.objects.filter(portfolio=portfolio, given_at=None).exclude(run=run)
    old.exclude(pk__in=named).delete()
