"""Reads of forecasts: a project as inputs, the door from an id, lists, those without a score."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterable, Sequence
from typing import Final

from django.db.models import QuerySet

from chat.identity import Identity
from chat.operations.models import Operation
from futura.rows import only
from projects.forecasting.inputs import Inputs, TaskInput
from projects.forecasting.models import Forecast
from projects.forecasting.results import Result, standardised, widening_from
from projects.forecasting.simulation import usual_range
from projects.models import Project, Task

TASKS_MAX: Final = 300  # the first open ones; a list longer than that is no plan
SHOWN: Final = 20
LEARNED_FROM: Final = 100  # the last scored forecasts


def inputs_of(project: Project, tasks: Sequence[Task], *, today: dt.date) -> Inputs:
    """The project as it stands, with what the owner's scored forecasts teach. One query for tasks
    of `projects.queries.tasks_of`.
    """
    read = [_task(task) for task in tasks]
    stored = [item for item in read if item.is_open][:TASKS_MAX]
    done = [item for item in read if not item.is_open][:TASKS_MAX]
    return Inputs(
        today=today,
        tasks=(*stored, *done),
        start=project.start_date,
        end=project.end_date,
        usual=usual_range(read),
        seed=project.pk.int % 2**31,
        widening=widening_for(project.owner_id),
    )


def _task(task: Task) -> TaskInput:
    low, high = task.estimate_low_days, task.estimate_high_days
    return TaskInput(
        id=str(task.pk),
        title=task.title,
        status=task.status,
        priority=task.priority,
        start=task.start_date,
        due=task.due_date,
        low=None if low is None else float(low),
        high=None if high is None else float(high),
        depends_on=tuple(sorted(str(needed.pk) for needed in task.depends_on.all())),
    )


def forecast_for(
    identity: Identity, forecast_id: uuid.UUID, *, with_deleted: bool = False
) -> Forecast:
    """The caller's own forecast of a living project; NotFound for strangers and unknown ids."""
    existing = Forecast.with_deleted if with_deleted else Forecast.objects
    own = existing.filter(pk=forecast_id, owner_id__in=identity.participant_ids)
    return only(own.filter(project__deleted_at=None).select_related("project", "session"))


def forecasts_of(project: Project) -> list[Forecast]:
    """A project's last forecasts, newest first. One query."""
    forecasts = Forecast.objects.filter(project=project, owner_id=project.owner_id)
    return list(forecasts.order_by("-created_at")[:SHOWN])


def unscored() -> QuerySet[Forecast]:
    """Forecasts of completed projects that have no score yet, with their owners."""
    waiting = Forecast.objects.filter(
        scored_at=None, project__status=Project.Status.COMPLETED, project__deleted_at=None
    )
    return waiting.select_related("owner").order_by("created_at")


def widening_for(owner_id: uuid.UUID) -> float:
    """What the person's scored forecasts teach (see `results.widening_from`). One query."""
    scored = Forecast.objects.filter(owner_id=owner_id, actual_finish__isnull=False)
    misses: dict[uuid.UUID, list[float]] = {}
    rows = scored.order_by("-scored_at").values_list("project_id", "results", "actual_finish")
    for project_id, results, actual in rows[:LEARNED_FROM]:
        if actual is not None:
            miss = standardised(Result.from_json(results), actual)
            misses.setdefault(project_id, []).append(miss)
    return widening_from(list(misses.values()))


def finished_at(project_ids: Iterable[uuid.UUID]) -> dict[uuid.UUID, dt.datetime]:
    """When each completed project became so, as the ledger has it: one query."""
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
    return {key: at for key, at in done if at is not None}
