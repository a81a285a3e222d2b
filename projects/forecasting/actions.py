"""Writes of forecasts: kept once per run, variants added, scored when the project is done."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from projects.forecasting import queries
from projects.forecasting.inputs import Inputs
from projects.forecasting.models import Forecast
from projects.forecasting.results import Result
from projects.forecasting.scoring import score
from projects.forecasting.telling import Told
from projects.models import Project

VARIANTS_MAX = 20


def keep(
    *,
    project: Project,
    inputs: Inputs,
    result: Result,
    told: Told,
    told_by: str = Forecast.By.RULES,
    situation: str = "",
    session_id: uuid.UUID | None = None,
    run_id: uuid.UUID | None = None,
) -> Forecast:
    """Stores a forecast; a run that is done again finds the one that it stored before."""
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
    kept, _is_new = Forecast.objects.get_or_create(run_id=run_id, defaults=values)
    return kept


def add_variant(*, forecast: Forecast, variant: Mapping[str, Any]) -> Forecast:
    """Keeps the answer to a "what if" with the forecast it was compared to, each once."""
    with transaction.atomic():
        locked = Forecast.objects.select_for_update().get(pk=forecast.pk)
        others = [one for one in locked.variants if one.get("title") != variant.get("title")]
        locked.variants = [*others, dict(variant)][-VARIANTS_MAX:]
        locked.save(update_fields=["variants"])
    return locked


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
