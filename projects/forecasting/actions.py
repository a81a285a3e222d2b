"""Writes of forecasts: stored once per run, what-if added, deleted, scored at the project's end."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from futura.percent import whole_percent
from projects.forecasting import queries
from projects.forecasting.inputs import Inputs
from projects.forecasting.models import Forecast
from projects.forecasting.results import Declined, Result
from projects.forecasting.scoring import score
from projects.forecasting.telling import Told
from projects.forecasting.variants import Compared, Variant, compared
from projects.forecasting.wording import (
    branch_title,
    moved_words,
    sentence,
    short_day,
    title_of,
)
from projects.models import Project

BRANCHES_MAX = 20


def store(
    *,
    project: Project,
    inputs: Inputs,
    result: Result,
    told: Told,
    assumptions: Sequence[Variant] = (),
    told_by: str = Forecast.By.RULES,
    situation: str = "",
    session_id: uuid.UUID | None = None,
    run_id: uuid.UUID | None = None,
) -> Forecast:
    """Stores a forecast; a run that is done again finds the one that it stored before.

    `assumptions` are counted in `inputs` already; their sentences stand before the computed ones.
    """
    given = [f"{sentence(title_of(one, inputs))}." for one in assumptions]
    told = told.model_copy(update={"assumptions": [*given, *told.assumptions]})
    values = {
        "owner_id": project.owner_id,
        "project": project,
        "session_id": session_id,
        "situation": situation,
        "inputs": inputs.as_json(),
        "results": result.as_json(),
        "told": told.model_dump(mode="json"),
        "told_by": told_by,
    }
    if run_id is None:
        return Forecast.objects.create(**values)
    return Forecast.objects.get_or_create(run_id=run_id, defaults=values)[0]


def add_branch(
    *, forecast: Forecast, inputs: Inputs, result: Result, variants: Sequence[Variant]
) -> Compared | Declined:
    """Computes a "what if" and stores it with the forecast beside which it stands, each once."""
    branch = compared(inputs, variants, result)
    if isinstance(branch, Declined):
        return branch
    title, chance = sentence(branch_title(variants, inputs)), branch.result.on_time
    row = {
        "title": title,
        "kind": "+".join(one.kind for one in variants),
        "optimistic": branch.result.optimistic.isoformat(),
        "realistic": branch.result.realistic.isoformat(),
        "pessimistic": branch.result.pessimistic.isoformat(),
        "realistic_words": short_day(branch.result.realistic),
        "moved_days": branch.moved_days,
        "moved_words": moved_words(branch.moved_days),
        "on_time": None if chance is None else whole_percent(chance),
    }
    with transaction.atomic():
        locked = Forecast.objects.select_for_update().get(pk=forecast.pk)
        others = [one for one in locked.variants if one.get("title") != title]
        locked.variants = [*others, row][-BRANCHES_MAX:]
        locked.save(update_fields=["variants"])
    return branch


def delete(*, forecast: Forecast) -> None:
    """Takes it out of every list; `restore` brings it back."""
    Forecast.objects.filter(pk=forecast.pk).update(deleted_at=timezone.now())


def restore(*, forecast: Forecast) -> None:
    """Takes a deletion back. Safe to run twice."""
    Forecast.with_deleted.filter(pk=forecast.pk).update(deleted_at=None)


def score_finished() -> int:
    """Judges the forecasts of projects that have been completed since; how many there were."""
    waiting = list(queries.unscored()[:500])
    days = queries.finished_on({one.project_id for one in waiting})
    scored = [one for one in waiting if one.project_id in days and _judge(one, days)]
    return len(scored)


def _judge(forecast: Forecast, days: Mapping[uuid.UUID, Any]) -> bool:
    """Safe to run twice: only a forecast without a score gets one."""
    actual = days[forecast.project_id]
    judged = score(Result.from_json(forecast.results), actual)
    changed = Forecast.objects.filter(pk=forecast.pk, scored_at=None).update(
        scored_at=timezone.now(), actual_finish=actual, score=judged.days, fell_at=judged.fell_at
    )
    return bool(changed)
