"""The form for assumptions and what-if: fields of a page in, typed changes out."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from projects.forecasting.variants import REST, Variant


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
    way = forms.ChoiceField(choices=[("count", _("Count it")), ("what_if", _("What if"))])

    def clean(self) -> dict[str, Any]:
        """At least one thing, and ends in their order."""
        values: dict[str, Any] = super().clean() or {}
        first, last = values.get("away_from"), values.get("away_to")
        if first and last and last < first:
            raise forms.ValidationError(_("The last day away lies before the first."))
        if not self.errors and not self.variants(values):
            raise forms.ValidationError(_("Enter at least one thing."))
        return values

    def variants(self, values: dict[str, Any]) -> list[Variant]:
        """The typed changes that the fields say."""
        found: list[Variant] = []
        ends = [one for one in (values.get("low"), values.get("high")) if one is not None]
        if ends:
            task = values.get("task") or REST
            found.append(Variant(kind="takes", task=task, low=min(ends), high=max(ends)))
        if people := values.get("people"):
            found.append(Variant(kind="team", people=people))
        if hours := values.get("hours"):
            found.append(Variant(kind="hours", hours=hours))
        if first := values.get("away_from") or values.get("away_to"):
            last = values.get("away_to") or first
            found.append(Variant(kind="away", first=first, last=last))
        if deadline := values.get("deadline"):
            found.append(Variant(kind="deadline", day=deadline))
        return found
