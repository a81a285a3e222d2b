"""A project with a plan, and a forecast of it."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from projects.forecasting import actions as forecasting
from projects.forecasting.models import Forecast
from projects.forecasting.queries import inputs_of
from projects.forecasting.results import Result, forecast
from projects.models import Project
from projects.queries import tasks_of
from tests import project_rows, todos
from tests.projects.forecasting.plans import TODAY


@pytest.fixture
def planned(actor, project, todo) -> Project:
    """Three estimated to-dos in a chain, one without an estimate, an end date."""
    first = todo("Agree on the columns", estimate_low_days=2, estimate_high_days=6)
    second = todo("Build the sheet", estimate_low_days=4, estimate_high_days=9)
    todo("Print bottle labels", estimate_low_days=1, estimate_high_days=2)
    todo("Train the relief technicians")
    todos.wait_for(actor=actor, task=second, needed=[first.pk])
    values = {"end_date": dt.date(2026, 12, 18)}
    return project_rows.edit_project(actor=actor, project=project, values=values).row


@pytest.fixture
def kept(planned):
    """Stores a forecast of the project as it stands."""

    def make(**values: Any) -> Forecast:
        inputs = inputs_of(planned, tasks_of(planned), today=TODAY)
        result = forecast(inputs, runs=500)
        assert isinstance(result, Result)
        return forecasting.store(project=planned, inputs=inputs, result=result, **values)

    return make
