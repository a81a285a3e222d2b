"""The page of one forecast, and the form of a forecasting conversation."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from chat.identity import identity_of
from futura.errors import BadInput
from projects.forecasting import queries
from projects.forecasting.pages import page_of
from projects.modes.forecast import actions
from projects.views import answers


@require_GET
def forecast(request: HttpRequest, forecast_id: uuid.UUID) -> HttpResponse:
    """A forecast as it was made, and how good it was where that is known."""
    row = queries.forecast_for(identity_of(request), forecast_id)
    context = {"page": page_of(row), "forecast": row, "project": row.project}
    return render(request, "projects/forecast.html", context)


@require_POST
def assume(request: HttpRequest, forecast_talk_id: uuid.UUID) -> HttpResponse:
    """Sends the values as a message of the conversation and leads back to it."""
    identity = identity_of(request)
    session = actions.forecast_talk(identity, forecast_talk_id)
    form = actions.AssumeForm(request.POST)
    if not form.is_valid():
        errors = [str(one) for each in form.errors.values() for one in each]
        raise BadInput(" ".join(errors))
    values = form.cleaned_data
    actions.assume(
        identity=identity, session=session, variants=values["variants"], way=values["way"]
    )
    return answers.led(request, reverse("projects:agent_talk", args=[session.pk]))
