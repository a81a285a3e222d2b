"""What the page of the agent's figures is narrowed to, as read from the address."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import pgettext_lazy

from futura.llm.staff.periods import Period, Span, period_of

SPANS = [Span.TODAY, Span.WEEK, Span.MONTH_OF_DAYS, Span.ALL]


class AgentForm(forms.Form):
    """A stretch of time; nothing in it is required."""

    since = forms.DateField(
        label=pgettext_lazy("date", "From"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
    )
    until = forms.DateField(
        label=pgettext_lazy("date", "To"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
    )
    span = forms.ChoiceField(required=False, choices=Span.choices, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.widget.attrs |= {"class": "input", "id": f"agent-{name}"}
        self.full_clean()
        self.good = getattr(self, "cleaned_data", {})

    @property
    def chosen_span(self) -> Span:
        """Own dates win over the named stretches; 30 days when nothing is asked."""
        if self.good.get("since") or self.good.get("until"):
            return Span.OWN
        asked = self.good.get("span")
        return Span(asked) if asked in {one.value for one in SPANS} else Span.MONTH_OF_DAYS

    @property
    def period(self) -> Period:
        """The stretch of time that is meant."""
        good = self.good
        return period_of(self.chosen_span, since=good.get("since"), until=good.get("until"))
