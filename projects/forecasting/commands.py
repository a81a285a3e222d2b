"""Forecasts as programs and agents make and read them, with assumptions and what-if."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any, ClassVar, Final

from django.db import transaction
from django.utils.translation import gettext as _
from ninja import Schema
from pydantic import BaseModel, Field

from chat.commands.base import NotInScope, Query, Rejected, Scope
from chat.commands.run import made_id
from futura.percent import whole_percent
from futura.rows import only
from projects.forecasting import actions, queries
from projects.forecasting.models import Forecast
from projects.forecasting.results import Declined, forecast
from projects.forecasting.variants import Variant, assumed, is_unknown
from projects.forecasting.wording import declined
from projects.models import Project
from projects.queries import tasks_of
from projects.shapes import shaped

CHANGES_MAX: Final = 50


class ForecastOut(Schema):
    """A forecast as it was made. `results` are figures, `told` is what they mean, in words;
    `variants` are the courses that were tried beside it.
    """

    id: uuid.UUID
    project: uuid.UUID
    created_at: dt.datetime
    situation: str
    results: dict[str, Any]
    told: dict[str, Any]
    variants: list[dict[str, Any]]
    actual_finish: dt.date | None = Field(description="When the project was really done.")
    score: float | None = Field(description="Days by which it was off; 0 is best.")


class ForecastLine(BaseModel):
    """A forecast in a list: the days by which 20, 50 and 80 of 100 simulated courses are done."""

    id: uuid.UUID
    created_at: dt.datetime
    optimistic: dt.date
    realistic: dt.date
    pessimistic: dt.date
    on_time: float | None = Field(description="The chance to meet the end date, from 0 to 1.")
    actual_finish: dt.date | None
    situation: str

    @property
    def percent(self) -> int | None:
        return None if self.on_time is None else whole_percent(self.on_time)


class ForecastsOut(BaseModel):
    """Forecasts, newest first."""

    forecasts: list[ForecastLine]


class MakeForecast(Query):
    """Forecasts when a project may be done, by simulation, and stores that: with assumptions that
    count, and what-if beside it.
    """

    name: ClassVar[str] = "make_forecast"
    area: ClassVar[str] = "projects"
    writes: ClassVar[bool] = True

    situation: str = Field("", max_length=4_000, description="What the person wants to know.")
    assumptions: tuple[Variant, ...] = Field((), max_length=CHANGES_MAX)
    what_if: tuple[Variant, ...] = Field(
        (), max_length=CHANGES_MAX, description="Tried together, as one course beside the first."
    )
    project: uuid.UUID

    @transaction.atomic  # who asks at the same time under the same key waits for its what-if, too
    def read(self, scope: Scope) -> ForecastOut:
        """The new forecast, or the first under the same key as it is. Raises NotInScope, also for
        to-dos; Rejected when too little is known.

        Two simulations.
        """
        project = scope.get(Project, self.project)
        key = made_id(scope, self, scope.key)
        if key and (first := Forecast.with_deleted.filter(pk=key).first()):
            return forecast_out(first)
        plan = queries.inputs_of(project, tasks_of(project), today=scope.today)
        if any(is_unknown(assumption, plan) for assumption in (*self.assumptions, *self.what_if)):
            raise NotInScope(_("An assumption or a what-if names a to-do that is not there."))
        inputs = assumed(plan, self.assumptions)
        result = forecast(inputs)
        if isinstance(result, Declined):
            raise Rejected(declined(result, project.name))
        stored = actions.store(
            project=project, inputs=inputs, result=result, assumptions=self.assumptions,
            situation=self.situation, key=key,
        )  # fmt: skip
        if self.what_if:
            actions.add_branch(forecast=stored, inputs=inputs, result=result, variants=self.what_if)
            stored.refresh_from_db()
        return forecast_out(stored)


class ListForecasts(Query):
    """Lists the last forecasts of a project, newest first."""

    name: ClassVar[str] = "list_forecasts"
    area: ClassVar[str] = "projects"

    project: uuid.UUID

    def read(self, scope: Scope) -> ForecastsOut:
        """At most twenty. Raises NotInScope."""
        rows = queries.forecasts_of(scope.get(Project, self.project))
        return ForecastsOut(forecasts=[line_of(row) for row in rows])


class ReadForecast(Query):
    """Reads a forecast whole: the newest of a project, or the one of that `id`."""

    name: ClassVar[str] = "read_forecast"
    area: ClassVar[str] = "projects"

    project: uuid.UUID | None = None
    id: uuid.UUID | None = None

    def read(self, scope: Scope) -> BaseModel:
        """Nothing in a list where a project has none. Raises NotInScope."""
        if self.id is not None:
            own = Forecast.objects.filter(owner_id__in=scope.owner_ids, project__deleted_at=None)
            return forecast_out(only(own.filter(pk=self.id), NotInScope))
        if self.project is None:
            raise NotInScope
        rows = queries.forecasts_of(scope.get(Project, self.project))
        return forecast_out(rows[0]) if rows else ForecastsOut(forecasts=[])


QUERIES: Final = (MakeForecast, ListForecasts, ReadForecast)


def forecast_out(row: Forecast) -> ForecastOut:
    return shaped(row, ForecastOut, project=row.project_id)


def line_of(row: Forecast) -> ForecastLine:
    curve = row.results["curve"]
    return ForecastLine(
        id=row.pk, created_at=row.created_at, optimistic=curve["20"], realistic=curve["50"],
        pessimistic=curve["80"], on_time=row.results["on_time"], actual_finish=row.actual_finish,
        situation=row.situation,
    )  # fmt: skip
