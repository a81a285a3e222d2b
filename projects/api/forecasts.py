"""JSON for programs: forecasts of projects, made with assumptions and what-if, read, deleted."""

from __future__ import annotations

import uuid
from typing import Final

from django.http import HttpRequest
from ninja import Field, Router, Schema, Status
from ninja import Query as InAddress
from pydantic import BaseModel

from chat.commands.api import REFUSALS, scope_of
from chat.identity import identity_of
from projects.forecasting import actions, queries
from projects.forecasting.commands import (
    ForecastOut,
    ForecastsOut,
    ListForecasts,
    MakeForecast,
    ReadForecast,
)
from projects.forecasting.models import Forecast

router = Router(tags=["Forecasts"])
_ONE: Final = "/forecasts/{uuid:forecast_id}"


class Of(Schema):
    """Whose forecasts."""

    project: uuid.UUID = Field(description="A project's id.")


def _own(request: HttpRequest, *, with_deleted: bool = False) -> Forecast:
    """The caller's forecast, looked at before anything that was sent. Raises NotFound."""
    match = request.resolver_match
    assert match is not None  # noqa: S101 - a view is running
    key = uuid.UUID(str(match.kwargs["forecast_id"]))
    return queries.forecast_for(identity_of(request), key, with_deleted=with_deleted)


def _own_deleted(request: HttpRequest) -> Forecast:
    return _own(request, with_deleted=True)


@router.get(
    "/forecasts", response={200: ForecastsOut, **REFUSALS}, url_name="forecasts",
    summary="Forecasts of a project",
)  # fmt: skip
def get_forecasts(request: HttpRequest, of: InAddress[Of]) -> BaseModel:
    """The last twenty, newest first."""
    return ListForecasts(project=of.project).read(scope_of(request))


@router.post(
    "/forecasts", response={201: ForecastOut, **REFUSALS}, url_name="forecasts",
    summary="Forecast a project",
)  # fmt: skip
def post_forecast(request: HttpRequest, wish: MakeForecast) -> Status[BaseModel]:
    """By simulation, from the project as it stands. 409 where too little is known to forecast."""
    return Status(201, wish.read(scope_of(request)))


@router.get(
    _ONE, auth=_own, response={200: ForecastOut, **REFUSALS}, url_name="forecast",
    summary="A forecast",
)  # fmt: skip
def get_forecast(request: HttpRequest, forecast_id: uuid.UUID) -> BaseModel:
    """Its figures, its words, and the courses beside it."""
    return ReadForecast(id=forecast_id).read(scope_of(request))


@router.delete(
    _ONE, auth=_own, response={204: None, **REFUSALS}, url_name="forecast",
    summary="Delete a forecast",
)  # fmt: skip
def delete_forecast(request: HttpRequest, forecast_id: uuid.UUID) -> Status[None]:
    """It goes out of every list; restore brings it back."""
    actions.delete(forecast=queries.forecast_for(identity_of(request), forecast_id))
    return Status(204, None)


@router.post(
    f"{_ONE}/restore", auth=_own_deleted, response={200: ForecastOut, **REFUSALS},
    url_name="forecast_restore", summary="Restore a forecast",
)  # fmt: skip
def restore_forecast(request: HttpRequest, forecast_id: uuid.UUID) -> BaseModel:
    """One that was deleted, as it was."""
    actions.restore(forecast=_own_deleted(request))
    return ReadForecast(id=forecast_id).read(scope_of(request))
