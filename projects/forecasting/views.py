"""The page of one forecast."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from chat.identity import identity_of
from projects.forecasting import queries
from projects.forecasting.pages import page_of


@require_GET
def forecast(request: HttpRequest, forecast_id: uuid.UUID) -> HttpResponse:
    """A forecast as it was made, and how good it was where that is known."""
    found = queries.forecast_for(identity_of(request), forecast_id)
    context = {"page": page_of(found), "forecast": found, "project": found.project}
    return render(request, "projects/forecast.html", context)
