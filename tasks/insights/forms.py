"""Which people of a campaign are looked at: by occupation, tag and time; read from the address."""

from __future__ import annotations

from datetime import date
from itertools import combinations
from typing import Any, Self

from django import forms
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from pydantic import BaseModel, ConfigDict


class Selection(BaseModel):
    """Empty fields narrow nothing; days are those on which people agreed, both included."""

    model_config = ConfigDict(frozen=True)

    occupation: str = ""
    tag: str = ""
    since: date | None = None
    until: date | None = None

    @property
    def key(self) -> str:
        """The same for the same people, empty for everybody: what a stored sum is found by."""
        return "" if self == Selection() else self.model_dump_json(exclude_defaults=True)

    @classmethod
    def from_key(cls, key: str) -> Self:
        return cls.model_validate_json(key or "{}")

    def wider(self) -> list[Self]:
        """This selection without one or more of its fields, in every way there is."""
        names = list(self.model_dump(exclude_defaults=True))
        return [
            self.model_copy(
                update={name: type(self).model_fields[name].default for name in dropped}
            )
            for number in range(1, len(names) + 1)
            for dropped in combinations(names, number)
        ]

    def condition(self) -> Q:
        requested = Q()
        if self.occupation:
            has_titles = ~Q(campaign__job_titles=[]) & Q(response__occupation_code="")
            requested &= Q(response__occupation_code=self.occupation) | (
                has_titles & Q(response__job_title=self.occupation)
            )
        if self.tag:
            requested &= Q(response__session__review__tags__contains=[self.tag])
        if self.since:
            requested &= Q(created_at__date__gte=self.since)
        if self.until:
            requested &= Q(created_at__date__lte=self.until)
        return requested


EVERYBODY = ("", _("Everyone"))


class SelectionForm(forms.Form):
    """The narrowing fields; values that are not offered are kept, an address may be older."""

    occupation = forms.ChoiceField(label=_("Occupation"), required=False)
    tag = forms.ChoiceField(label=_("Review tag"), required=False)
    since = forms.DateField(
        label=_("Consent from"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    until = forms.DateField(
        label=_("Consent until"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )

    def __init__(
        self, *args: Any, occupations: list[tuple[str, str]], tags: list[str] | None, **kwargs: Any
    ) -> None:
        """Without `tags` there is no such field."""
        super().__init__(*args, **kwargs)
        self._offer("occupation", occupations)
        if tags is None:
            del self.fields["tag"]
        else:
            self._offer("tag", [(tag, tag) for tag in tags])
        for name, field in self.fields.items():
            field.widget.attrs |= {"class": "input", "id": f"insights-{name}"}
        self.full_clean()

    def _offer(self, name: str, choices: list[tuple[str, str]]) -> None:
        value = str(self.data.get(name, ""))[:120].replace("\x00", "")
        offered = {value for value, _label in choices}
        extra = [(value, value)] if value and value not in offered else []
        field = self.fields[name]
        if isinstance(field, forms.ChoiceField):
            field.choices = [EVERYBODY, *choices, *extra]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        since, until = cleaned.get("since"), cleaned.get("until")
        if since and until and since > until:
            self.add_error("until", _("This date is before the first one."))
        return cleaned

    @property
    def selection(self) -> Selection:
        """What was chosen; a field with a mistake narrows nothing."""
        return Selection(**{name: value for name, value in self.cleaned_data.items() if value})
