"""Writes of forecasts: stored once per run, what-if added, deleted, scored at the project's end."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.text import capfirst

from chat import zones
from futura.percent import whole_percent
from futura.rows import only
from projects.forecasting import queries
from projects.forecasting.inputs import Inputs
from projects.forecasting.models import Forecast
from projects.forecasting.results import Declined, Result, score
from projects.forecasting.variants import Compared, Variant, compared
from projects.forecasting.wording import (
    branch_title,
    explained,
    moved_words,
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
    assumptions: Sequence[Variant] = (),
    situation: str = "",
    session_id: uuid.UUID | None = None,
    run_id: uuid.UUID | None = None,
    key: uuid.UUID | None = None,
) -> Forecast:
    """Stores a forecast with its words, under `key` where it has one; a run that is done again
    finds what it stored before.

    `assumptions` are counted in `inputs` already; their sentences stand before the computed ones.
    """
    words = explained(inputs, result)
    titles = [f"{capfirst(title_of(assumption, inputs))}." for assumption in assumptions]
    words.assumptions = [*titles, *words.assumptions]
    values = {
        "owner_id": project.owner_id,
        "project": project,
        "session_id": session_id,
        "situation": situation,
        "inputs": inputs.as_json(),
        "results": result.as_json(),
        "told": words.model_dump(mode="json"),
    }
    if run_id is None:
        return Forecast.objects.create(pk=key or uuid.uuid4(), **values)
    return Forecast.objects.get_or_create(run_id=run_id, defaults=values)[0]


def add_branch(
    *, forecast: Forecast, inputs: Inputs, result: Result, variants: Sequence[Variant]
) -> Compared | Declined:
    """Computes a "what if" and stores it with the forecast beside which it stands, each once."""
    branch = compared(inputs, variants, result)
    if isinstance(branch, Declined):
        return branch
    title, chance = capfirst(branch_title(variants, inputs)), branch.result.on_time
    row = {
        "title": title,
        "kind": "+".join(variant.kind for variant in variants),
        "optimistic": branch.result.optimistic.isoformat(),
        "realistic": branch.result.realistic.isoformat(),
        "pessimistic": branch.result.pessimistic.isoformat(),
        "realistic_words": short_day(branch.result.realistic),
        "moved_days": branch.moved_days,
        "moved_words": moved_words(branch.moved_days),
        "on_time": None if chance is None else whole_percent(chance),
    }
    with transaction.atomic():
        locked = only(Forecast.objects.select_for_update().filter(pk=forecast.pk))
        others = [variant for variant in locked.variants if variant.get("title") != title]
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
    """Judges the forecasts of projects that have been completed since; how many there were.

    Safe to run twice: only a forecast without a score gets one.
    """
    waiting = list(queries.unscored()[:500])
    moments = queries.finished_at({forecast.project_id for forecast in waiting})
    scored = 0
    for forecast in waiting:
        if moment := moments.get(forecast.project_id):
            actual = timezone.localdate(moment, zones.zone(forecast.owner.time_zone))
            days_off, fell_at = score(Result.from_json(forecast.results), actual)
            scored += Forecast.objects.filter(pk=forecast.pk, scored_at=None).update(
                scored_at=timezone.now(), actual_finish=actual,
                score=days_off, fell_at=fell_at,
            )  # fmt: skip
    return scored
