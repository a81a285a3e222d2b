"""Forms of the check page: the fields of a draft, by its kind."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from projects.portfolio.intake import periods
from projects.portfolio.intake.drafts import KINDS, LABELS, LISTS, MONTHS, Draft

UNKNOWN = gettext_lazy("Not recognised")


def kind_choices() -> list[tuple[str, Any]]:
    """What a draft can be."""
    return [(name, kind.name) for name, kind in KINDS.items()]


class DraftForm(forms.Form):
    """One draft. `kind` first; the fields are those of the kind that it has now."""

    kind = forms.ChoiceField(label=gettext_lazy("What it is"))

    def __init__(self, draft: Draft, data: Any = None) -> None:
        initial = {name: _shown(value) for name, value in draft.values.items()}
        super().__init__(data, initial={**initial, "kind": draft.kind}, auto_id=f"{draft.key}_%s")
        choices = kind_choices()
        self.fields["kind"].choices = choices if draft.kind else [("", UNKNOWN), *choices]  # type: ignore[attr-defined]
        self.fields["kind"].required = False
        for name in KINDS[draft.kind].fields if draft.kind in KINDS else ():
            self.fields[name] = _field(name, draft)

    def values(self) -> dict[str, Any]:
        """What was typed, by the names of the draft's values. Call after `is_valid`."""
        return {name: value for name, value in self.cleaned_data.items() if name != "kind"}

    def clean(self) -> dict[str, Any]:
        """Lists from lines, months from words; the end does not lie before the start."""
        told: dict[str, Any] = super().clean() or {}
        for name in set(told) & LISTS:
            told[name] = [line.strip() for line in told[name].splitlines() if line.strip()]
        for name in set(told) & MONTHS:
            month = periods.normalised(told[name]) or ""
            if told[name] and not month:
                self.add_error(name, _("Write a month as 2024-06, or a year as 2024."))
            told[name] = month
        start, end = told.get("started") or "", told.get("ended") or ""
        if start and end and end[: len(start)] < start[: len(end)]:
            self.add_error("ended", _("The end lies before the start."))
        return told


def _shown(value: Any) -> Any:
    return "\n".join(value) if isinstance(value, list) else value


def _field(name: str, draft: Draft) -> forms.Field:
    if name == "is_current":
        return forms.BooleanField(label=str(LABELS[name]), required=False)
    size = 20_000 if name in LISTS or name == "summary" else 400 if name == "title" else 200
    field = forms.CharField(label=str(LABELS[name]), required=False, max_length=size)
    if name in LISTS or name == "summary":
        rows = 1 if name == "summary" else 3
        field.widget = forms.Textarea(attrs={"rows": rows, "data-grow": True})
    if name in KINDS[draft.kind].required:
        field.needed = _("needed")  # type: ignore[attr-defined]
    if name in draft.unsure:
        field.help_text = _("Not sure: look at the source.")
    return field
