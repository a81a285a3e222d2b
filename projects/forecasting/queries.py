"""Reads of forecasts: the door from an id, a project's list, those that wait for their score."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import replace

from django.db.models import QuerySet
from django.utils import timezone

from chat.identity import Identity
from chat.operations.models import Operation
from futura.errors import NotFound
from projects.forecasting.inputs import Inputs
from projects.forecasting.models import Forecast
from projects.forecasting.results import Result
from projects.forecasting.scoring import standardised, widening_from
from projects.forecasting.snapshot import inputs_of
from projects.models import Project, Task

SHOWN = 20
LEARNED_FROM = 100  # the last scored forecasts


def forecast_for(
    identity: Identity, forecast_id: uuid.UUID, *, with_deleted: bool = False
) -> Forecast:
    """The caller's own forecast of a living project; NotFound for strangers and unknown ids."""
    known = Forecast.with_deleted if with_deleted else Forecast.objects
    own = known.filter(pk=forecast_id, owner_id__in=identity.participant_ids)
    found = own.filter(project__deleted_at=None).select_related("project", "session").first()
    if found is None:
        raise NotFound
    return found


def forecasts_of(project: Project) -> list[Forecast]:
    """A project's last forecasts, newest first. One query."""
    found = Forecast.objects.filter(project=project, owner_id=project.owner_id)
    return list(found.order_by("-created_at")[:SHOWN])


def inputs_now(project: Project, tasks: Sequence[Task], *, today: dt.date) -> Inputs:
    """The project as it stands, with what the owner's scored forecasts teach. One query more than
    `inputs_of`.
    """
    inputs = inputs_of(project, tasks, today=today)
    return replace(inputs, widening=widening_for(project.owner_id)[0])


def unscored() -> QuerySet[Forecast]:
    """Forecasts of completed projects that have no score yet."""
    return Forecast.objects.filter(
        scored_at=None, project__status=Project.Status.COMPLETED, project__deleted_at=None
    ).order_by("created_at")


def widening_for(owner_id: uuid.UUID) -> tuple[float, int]:
    """What the person's scored forecasts teach (see `scoring.widening_from`), and of how many
    projects. One query.
    """
    scored = Forecast.objects.filter(owner_id=owner_id, actual_finish__isnull=False)
    misses: dict[uuid.UUID, list[float]] = {}
    rows = scored.order_by("-scored_at").values_list("project_id", "results", "actual_finish")
    for project_id, results, actual in rows[:LEARNED_FROM]:
        if actual is not None:
            miss = standardised(Result.from_json(results), actual)
            misses.setdefault(project_id, []).append(miss)
    return widening_from(list(misses.values())), len(misses)


def finished_on(project_ids: Iterable[uuid.UUID]) -> dict[uuid.UUID, dt.date]:
    """The day on which each completed project became so, as the ledger has it: one query."""
    done = (
        Operation.objects.filter(
            entity="project",
            entity_id__in=list(project_ids),
            changed_fields__contains=["status"],
            status=Operation.Status.COMPLETED,
            payload__after__status=Project.Status.COMPLETED,
        )
        .order_by("executed_at")
        .values_list("entity_id", "executed_at")
    )
    return {key: timezone.localdate(at) for key, at in done if at is not None}
