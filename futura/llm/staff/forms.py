"""What the ledger pages are narrowed to, as read from the address; nothing in it is required."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from futura.llm import stages
from futura.llm.models import ModelCall
from futura.llm.outcomes import Outcome
from futura.llm.staff.periods import DaysForm, Period, Span, period_of
from futura.llm.staff.queries import BAD, Grouping, calls_in

ANY: Final = ("", _("All"))


class LedgerForm(DaysForm):
    """The narrowing fields, and in hidden ones how it is grouped and paged."""

    field_order = ("stage", "model", "outcome", "session")

    stage = forms.ChoiceField(label=_("Stage"), required=False)
    model = forms.ChoiceField(label=_("Model"), required=False)
    outcome = forms.ChoiceField(
        label=_("Outcome"),
        required=False,
        choices=[ANY, (BAD, _("any but answered")), *Outcome.choices],
    )
    session = forms.UUIDField(label=_("Conversation"), required=False)
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
    def chosen_span(self) -> Span:
        """Own dates win over the named stretches; without one they are the last week."""
        if self.good.get("since") or self.good.get("until"):
            return Span.OWN
        span = Span(self.good.get("span") or Span.WEEK)
        return Span.WEEK if span == Span.OWN else span

    @property
    def period(self) -> Period:
        since, until = self.good.get("since"), self.good.get("until")
        return period_of(self.chosen_span, since=since, until=until)

    @property
    def is_narrowed(self) -> bool:
        return any(self.good.get(name) for name in ("stage", "model", "outcome", "session"))

    @property
    def has_details(self) -> bool:
        return any(self.data.get(name) for name in ("session", "since", "until"))

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
