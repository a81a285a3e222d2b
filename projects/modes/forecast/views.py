"""The form of a forecasting conversation."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from chat.identity import identity_of
from futura.errors import BadInput
from projects.modes.forecast import actions
from projects.modes.forecast.forms import AssumeForm
from projects.views import answers


@require_POST
def assume(request: HttpRequest, forecast_talk_id: uuid.UUID) -> HttpResponse:
    """Sends the values as a message of the conversation and leads back to it."""
    identity = identity_of(request)
    actions.forecast_talk(identity, forecast_talk_id)
    form = AssumeForm(request.POST)
    if not form.is_valid():
        errors = [str(one) for each in form.errors.values() for one in each]
        raise BadInput(" ".join(errors))
    session = actions.assume(
        identity=identity,
        session_id=forecast_talk_id,
        variants=form.variants(form.cleaned_data),
        way=form.cleaned_data["way"],
    )
    return answers.led(request, reverse("projects:agent_talk", args=[session.pk]))
