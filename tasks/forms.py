"""Forms of the survey's pages: they keep what was typed; the rules stand in the actions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from futura.errors import BadInput, FuturaError


class RefusingForm(forms.Form):
    """A form that shows what an action refused, beside the field it is about."""

    called: ClassVar[Mapping[str, str]] = {}
    """How the actions call a field → how the form calls it, where they differ."""

    def refuse(self, error: FuturaError) -> None:
        """Puts the refusal beside its field, or above the form where it has none."""
        name = self.called.get(error.field or "", error.field)
        self.add_error(name if name in self.fields else None, str(error))


class StartForm(RefusingForm):
    """Job title, occupation, and what the person tells right away."""

    called = {"job_title": "title", "occupation_code": "occupation"}
    title = forms.CharField(label=_("Job title"), required=False, strip=False)
    occupation = forms.CharField(required=False)
    initial_tasks = forms.CharField(
        label=_("What you do"), required=False, strip=False, widget=forms.Textarea
    )

    def values(self) -> dict[str, str]:
        """What a survey is started with. Raises BadInput."""
        if not self.is_valid():
            raise BadInput(str(_("This text contains a character that cannot be saved.")))
        called = {field: name for name, field in self.called.items()}
        return {called.get(name, name): text for name, text in self.cleaned_data.items()}

    @property
    def initial_tasks_open(self) -> bool:
        return bool(self["initial_tasks"].value() or self.errors.get("initial_tasks"))
