"""What somebody enters in the form of a forecast, sent as a message of the conversation."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any, Literal

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.actions import send_message
from chat.identity import Identity
from chat.models import Session
from futura.errors import NotFound
from projects.forecasting.queries import inputs_of
from projects.forecasting.variants import REST, Variant, is_unknown, plain
from projects.forecasting.wording import branch_title, sentence
from projects.modes.forecast.guide import ASSUMED
from projects.modes.starting import agent_session_for
from projects.modes.state import FORECAST
from projects.queries import project_for, tasks_of

Way = Literal["count", "what_if"]


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
        """At least one thing, and ends in their order; `variants` are the typed changes."""
        values: dict[str, Any] = super().clean() or {}
        first, last = values.get("away_from"), values.get("away_to")
        if first and last and last < first:
            raise forms.ValidationError(_("The last day away is before the first."))
        if not self.errors:
            values["variants"] = _variants(values)
        if not self.errors and not values["variants"]:
            raise forms.ValidationError(_("Enter at least one value."))
        return values


def _variants(values: dict[str, Any]) -> list[Variant]:
    """The typed changes that the fields say."""
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


def forecast_talk(identity: Identity, session_id: uuid.UUID) -> Session:
    """The caller's own forecasting conversation. NotFound for others and other kinds."""
    session = agent_session_for(identity, session_id)
    if session.kind != FORECAST:
        raise NotFound
    return session


def assume(*, identity: Identity, session: Session, variants: Sequence[Variant], way: Way) -> None:
    """The values as a message with a sentence that says them; the answer computes them.

    Raises NotFound for other people's to-dos.
    """
    project = project_for(identity, uuid.UUID(str(session.state.get("project_id"))))
    inputs = inputs_of(project, tasks_of(project), today=timezone.localdate())
    if any(is_unknown(one, inputs) for one in variants):
        raise NotFound
    title = branch_title(variants, inputs)
    text = _("What if %(title)s?") % {"title": title} if way == "what_if" else f"{sentence(title)}."
    part = {"type": ASSUMED, "as": way, "items": plain(variants)}
    send_message(identity=identity, session=session, text=text, parts=[part])
