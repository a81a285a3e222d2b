"""The page of one forecast, and the form of a forecasting conversation."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_POST

from chat.actions import send_message
from chat.identity import identity_of
from futura.errors import BadInput, NotFound
from projects.forecasting import queries
from projects.forecasting.pages import page_of
from projects.forecasting.variants import REST, Variant, is_unknown, plain
from projects.forecasting.wording import branch_title
from projects.modes.forecast.guide import ASSUMED
from projects.modes.starting import agent_session_for
from projects.modes.state import FORECAST
from projects.queries import project_for, tasks_of
from projects.views import answers


@require_GET
def forecast(request: HttpRequest, forecast_id: uuid.UUID) -> HttpResponse:
    """A forecast as it was made, and how good it was where that is known."""
    row = queries.forecast_for(identity_of(request), forecast_id)
    context = {"page": page_of(row), "forecast": row, "project": row.project}
    return render(request, "projects/forecast.html", context)


class AssumeForm(forms.Form):
    """Everything is optional; `way` says whether it counts from now on or is tried beside."""

    task = forms.CharField(max_length=40, required=False)
    low = forms.FloatField(min_value=0, max_value=3650, required=False)
    high = forms.FloatField(min_value=0, max_value=3650, required=False)
    people = forms.FloatField(min_value=0.05, max_value=50, required=False)
    hours = forms.FloatField(min_value=0.5, max_value=100, required=False)
    away_from = forms.DateField(required=False)
    away_to = forms.DateField(required=False)
    deadline = forms.DateField(required=False)
    way = forms.ChoiceField(
        choices=[
            ("count", gettext_lazy("Use in the forecast")),
            ("what_if", gettext_lazy("What if")),
        ]
    )

    def clean(self) -> dict[str, Any]:
        """At least one thing, and ends in their order."""
        values: dict[str, Any] = super().clean() or {}
        first, last = values.get("away_from"), values.get("away_to")
        if first and last and last < first:
            raise forms.ValidationError(_("The last day away is before the first."))
        if not self.errors and not self.variants():
            raise forms.ValidationError(_("Enter at least one value."))
        return values

    def variants(self) -> list[Variant]:
        """The typed changes that the fields say."""
        values = self.cleaned_data
        variants: list[Variant] = []
        ends = [values[name] for name in ("low", "high") if values[name] is not None]
        if ends:
            task = values["task"] or REST
            variants.append(Variant(kind="takes", task=task, low=min(ends), high=max(ends)))
        if values["people"]:
            variants.append(Variant(kind="team", people=values["people"]))
        if values["hours"]:
            variants.append(Variant(kind="hours", hours=values["hours"]))
        if first := values["away_from"] or values["away_to"]:
            variants.append(Variant(kind="away", first=first, last=values["away_to"] or first))
        if values["deadline"]:
            variants.append(Variant(kind="deadline", day=values["deadline"]))
        return variants


@require_POST
def assume(request: HttpRequest, forecast_talk_id: uuid.UUID) -> HttpResponse:
    """Sends the values as a message with a sentence that says them; the answer computes them.

    Leads back to the conversation. NotFound for other people's to-dos.
    """
    identity = identity_of(request)
    session = agent_session_for(identity, forecast_talk_id, FORECAST)
    form = AssumeForm(request.POST)
    if not form.is_valid():
        raise BadInput(" ".join(str(one) for each in form.errors.values() for one in each))
    variants, way = form.variants(), form.cleaned_data["way"]
    project = project_for(identity, uuid.UUID(str(session.state.get("project_id"))))
    inputs = queries.inputs_of(project, tasks_of(project), today=timezone.localdate())
    if any(is_unknown(one, inputs) for one in variants):
        raise NotFound
    title = branch_title(variants, inputs)
    text = _("What if %(title)s?") % {"title": title} if way == "what_if" else f"{capfirst(title)}."
    part = {"type": ASSUMED, "as": way, "items": plain(variants)}
    send_message(identity=identity, session=session, text=text, parts=[part])
    return answers.led(request, reverse("projects:agent_talk", args=[session.pk]))
