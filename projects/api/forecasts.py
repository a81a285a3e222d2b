"""JSON for programs: forecasts of projects, made with assumptions and what-if, read, deleted."""

from __future__ import annotations

import uuid
from functools import partial
from typing import Final

from django.http import HttpRequest
from ninja import Query as InAddress, Router, Status
from pydantic import BaseModel

from chat.api import own
from chat.commands.api import scope_of
from chat.identity import identity_of
from projects.api.doors import OfProject
from projects.forecasting import actions, queries
from projects.forecasting.commands import (
    ForecastOut,
    ForecastsOut,
    ListForecasts,
    MakeForecast,
    ReadForecast,
)

router = Router(tags=["Forecasts"])
_ONE: Final = "/forecasts/{uuid:forecast_id}"


_AUTH: Final = own("forecast_id", queries.forecast_for)
_OF_DELETED: Final = own("forecast_id", partial(queries.forecast_for, with_deleted=True))


@router.get(
    "/forecasts", response=ForecastsOut, url_name="forecasts",
    summary="Forecasts of a project",
)  # fmt: skip
def get_forecasts(request: HttpRequest, of: InAddress[OfProject]) -> BaseModel:
    """The last twenty, newest first."""
    return ListForecasts(project=of.project).read(scope_of(request))


@router.post(
    "/forecasts", response={201: ForecastOut}, url_name="forecasts",
    summary="Forecast a project",
)  # fmt: skip
def post_forecast(request: HttpRequest, wish: MakeForecast) -> Status[BaseModel]:
    """By simulation, from the project as it stands. 409 where too little is known to forecast."""
    return Status(201, wish.read(scope_of(request)))


@router.get(
    _ONE, auth=_AUTH, response=ForecastOut, url_name="forecast",
    summary="A forecast",
)  # fmt: skip
def get_forecast(request: HttpRequest, forecast_id: uuid.UUID) -> BaseModel:
    """Its figures, its words, and the courses beside it."""
    return ReadForecast(id=forecast_id).read(scope_of(request))


@router.delete(
    _ONE, auth=_AUTH, response={204: None}, url_name="forecast",
    summary="Delete a forecast",
)  # fmt: skip
def delete_forecast(request: HttpRequest, forecast_id: uuid.UUID) -> Status[None]:
    """It goes out of every list; restore brings it back."""
    actions.delete(forecast=queries.forecast_for(identity_of(request), forecast_id))
    return Status(204, None)


@router.post(
    f"{_ONE}/restore", auth=_OF_DELETED, response=ForecastOut,
    url_name="forecast_restore", summary="Restore a forecast",
)  # fmt: skip
def restore_forecast(request: HttpRequest, forecast_id: uuid.UUID) -> BaseModel:
    """One that was deleted, as it was."""
    actions.restore(forecast=_OF_DELETED(request))
    return ReadForecast(id=forecast_id).read(scope_of(request))
