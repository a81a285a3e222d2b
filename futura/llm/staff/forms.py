"""What the ledger pages are narrowed to, as read from the address; nothing in it is required."""

from __future__ import annotations

from datetime import date
from functools import cached_property
from typing import Any, Final

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from futura.llm import stages
from futura.llm.models import ModelCall
from futura.llm.outcomes import Outcome
from futura.llm.staff.periods import Period, Span, period_of, period_of_day
from futura.llm.staff.queries import BAD, Grouping, calls_in

ANY: Final = ("", _("All"))
DAYS: Final = (MinValueValidator(date(2000, 1, 1)), MaxValueValidator(date(9000, 1, 1)))


class LedgerForm(forms.Form):
    """The narrowing fields; in hidden ones a conversation, the span, the grouping and the page."""

    stage = forms.ChoiceField(label=_("Stage"), required=False)
    model = forms.ChoiceField(label=_("Model"), required=False)
    outcome = forms.ChoiceField(
        label=_("Outcome"),
        required=False,
        choices=[ANY, (BAD, _("any but answered")), *Outcome.choices],
    )
    day = forms.DateField(
        label=_("Day"),
        required=False,
        validators=DAYS,
        widget=forms.DateInput(attrs={"type": "date"}),
    )
    session = forms.UUIDField(required=False, widget=forms.HiddenInput)
    span = forms.ChoiceField(required=False, choices=Span.choices, widget=forms.HiddenInput)
    by = forms.ChoiceField(required=False, choices=Grouping.choices, widget=forms.HiddenInput)
    page = forms.IntegerField(
        required=False, min_value=1, max_value=10_000, widget=forms.HiddenInput
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        existing = stages.in_use()
        self._offer("stage", {item.name for item in existing})
        self._offer("model", {name for item in existing for name in (item.model, *item.fallbacks)})
        for name, field in self.fields.items():
            field.widget.attrs |= {"class": "input", "id": f"ledger-{name}"}

    @cached_property
    def good(self) -> dict[str, Any]:
        """What is valid of the input: a wrong value narrows nothing and is shown as an error."""
        self.full_clean()
        return self.cleaned_data

    def _offer(self, name: str, values: set[str]) -> None:
        """The configured values, and what stands in the address: the ledger may hold older ones."""
        field = self.fields[name]
        value = str(self.data.get(name, ""))[:120].replace("\x00", "")
        if isinstance(field, forms.ChoiceField):
            field.choices = [ANY, *((name, name) for name in sorted(values | {value} - {""}))]

    @property
    def grouping(self) -> Grouping:
        return Grouping(self.good.get("by") or Grouping.STAGE)

    @property
    def page_number(self) -> int:
        return self.good.get("page") or 1

    @property
    def chosen_span(self) -> Span | None:
        """A day of one's own wins over the named stretches."""
        return None if self.good.get("day") else Span(self.good.get("span") or Span.WEEK)

    @property
    def period(self) -> Period:
        span = self.chosen_span
        return period_of_day(self.good["day"]) if span is None else period_of(span)

    @property
    def is_narrowed(self) -> bool:
        return any(self.good.get(name) for name in ("stage", "model", "outcome", "session", "day"))

    @property
    def calls(self) -> QuerySet[ModelCall]:
        """The attempts that are left, newest first."""
        good = self.good
        return calls_in(
            self.period,
            outcome=good.get("outcome") or "",
            stage=good.get("stage"),
            model_asked=good.get("model"),
            session_id=good.get("session"),
        )
