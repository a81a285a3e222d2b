"""Forms of the survey's pages: they keep what was typed; the rules stand in the actions."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from futura.errors import FuturaError

# how the actions call a field → how the form calls it
FIELDS = {"job_title": "title", "occupation_code": "occupation", "initial_tasks": "initial_tasks"}


class StartForm(forms.Form):
    """Job title, occupation, and what the person tells right away."""

    title = forms.CharField(label=_("Job title"), required=False, strip=False)
    occupation = forms.CharField(required=False)
    initial_tasks = forms.CharField(
        label=_("What you do"), required=False, strip=False, widget=forms.Textarea
    )

    def refuse(self, error: FuturaError) -> None:
        """Shows an action's refusal beside the field it is about."""
        field = FIELDS.get(error.field or "")
        self.add_error(field, str(error))

    @property
    def initial_tasks_open(self) -> bool:
        """Whether the second field has something to show."""
        return bool(self["initial_tasks"].value() or self.errors.get("initial_tasks"))
