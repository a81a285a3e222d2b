"""What a page of insights is narrowed to, as read from the address; nothing in it is required."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tasks.insights.selection import Selection

EVERYBODY = ("", _("Everybody"))


class SelectionForm(forms.Form):
    """The narrowing fields; values that are not offered are kept, an address may be older."""

    occupation = forms.ChoiceField(label=_("Occupation"), required=False)
    tag = forms.ChoiceField(label=_("Tag of the review"), required=False)
    since = forms.DateField(
        label=_("Agreed from"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    until = forms.DateField(
        label=_("Agreed until"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )

    def __init__(
        self, *args: Any, occupations: list[tuple[str, str]], tags: list[str], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self._offer("occupation", occupations)
        self._offer("tag", [(one, one) for one in tags])
        for name, field in self.fields.items():
            field.widget.attrs |= {"class": "input", "id": f"insights-{name}"}
        self.full_clean()

    def _offer(self, name: str, choices: list[tuple[str, str]]) -> None:
        given = str(self.data.get(name, ""))[:120].replace("\x00", "")
        known = {value for value, _label in choices}
        extra = [(given, given)] if given and given not in known else []
        field = self.fields[name]
        if isinstance(field, forms.ChoiceField):
            field.choices = [EVERYBODY, *choices, *extra]

    def clean(self) -> dict[str, Any]:
        """The days must be in order."""
        given = super().clean() or {}
        since, until = given.get("since"), given.get("until")
        if since and until and since > until:
            self.add_error("until", _("This day lies before the first one."))
        return given

    @property
    def selection(self) -> Selection:
        """What was chosen; a field with a mistake narrows nothing."""
        good = self.cleaned_data
        return Selection(
            occupation=good.get("occupation") or "",
            tag=good.get("tag") or "",
            since=good.get("since"),
            until=good.get("until"),
        )
