"""What the ledger pages are narrowed to, as read from the address; nothing in it is required."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from futura.llm import stages
from futura.llm.outcomes import Outcome
from futura.llm.staff.periods import Period, Span, month_in, period_of
from futura.llm.staff.queries import BAD, SORTS, Filters, Grouping

ANY: Final = ("", _("All"))
DEFAULT_SPAN: Final = Span.WEEK


class MonthInput(forms.TextInput):
    """The browser's own control for a month."""

    input_type = "month"


class LedgerForm(forms.Form):
    """The narrowing fields; how it is grouped, sorted and paged stands beside them."""

    stage = forms.ChoiceField(label=_("Stage"), required=False)
    model = forms.ChoiceField(label=_("Model"), required=False)
    outcome = forms.ChoiceField(
        label=_("Outcome"),
        required=False,
        choices=[ANY, (BAD, _("any but answered")), *Outcome.choices],
    )
    session = forms.UUIDField(label=_("Conversation"), required=False)
    month = forms.CharField(label=_("Month"), required=False, widget=MonthInput, max_length=7)
    since = forms.DateField(
        label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    until = forms.DateField(
        label=_("To"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    span = forms.ChoiceField(required=False, choices=Span.choices, widget=forms.HiddenInput)
    by = forms.ChoiceField(required=False, choices=Grouping.choices, widget=forms.HiddenInput)
    sort = forms.ChoiceField(
        required=False,
        choices=[(sign + key, key) for key in SORTS for sign in ("", "-")],
        widget=forms.HiddenInput,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known = stages.all_stages()
        models = {name for one in known.values() for name in (one.model, *one.fallbacks)}
        self._offer("stage", set(known))
        self._offer("model", models)
        for name, field in self.fields.items():
            field.widget.attrs |= {"class": "input", "id": f"ledger-{name}"}
        self.full_clean()
        self.good = getattr(self, "cleaned_data", {})

    def _offer(self, name: str, values: set[str]) -> None:
        """The configured values, and what stands in the address: the ledger may hold older ones."""
        field = self.fields[name]
        given = str(self.data.get(name, ""))[:120].replace("\x00", "")
        if isinstance(field, forms.ChoiceField):
            field.choices = [ANY, *((one, one) for one in sorted(values | {given} - {""}))]

    def clean_month(self) -> date | None:
        """The first day of the month, None for none."""
        text = str(self.cleaned_data["month"])
        found = month_in(text)
        if text and found is None:
            raise forms.ValidationError(_("Write the month as 2026-11."))
        return found

    @property
    def grouping(self) -> Grouping:
        """What a line stands for; stages when nothing else is asked."""
        return Grouping(self.good.get("by") or Grouping.STAGE)

    @property
    def sorting(self) -> str:
        """A name of SORTS, with a minus for descending; days come newest first."""
        default = "-key" if self.grouping == Grouping.DAY else "-calls"
        return str(self.good.get("sort") or default)

    @property
    def chosen_span(self) -> Span:
        """Own dates win over a month, a month over the named stretches."""
        if self.good.get("since") or self.good.get("until"):
            return Span.OWN
        if self.good.get("month"):
            return Span.MONTH
        return Span(self.good.get("span") or DEFAULT_SPAN)

    @property
    def period(self) -> Period:
        """The stretch of time that is meant."""
        good = self.good
        return period_of(
            self.chosen_span,
            month=good.get("month"),
            since=good.get("since"),
            until=good.get("until"),
        )

    @property
    def filters(self) -> Filters:
        """What is valid of the input; a wrong value narrows nothing and is shown as an error."""
        good = self.good
        return Filters(
            period=self.period,
            stage=good.get("stage") or "",
            model=good.get("model") or "",
            outcome=good.get("outcome") or "",
            session_id=good.get("session"),
        )
