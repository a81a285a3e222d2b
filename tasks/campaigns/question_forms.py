"""The part of the campaign form that asks for extra questions: any number, in any order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from futura.given import whole
from tasks.campaigns.actions.setting_up import QUESTION_FIELDS, Question
from tasks.campaigns.forms import Lines
from tasks.campaigns.models import ExtraQuestion

MOST: Final = 40
PREFIX: Final = "q"


class QuestionForm(forms.Form):
    """One question; without words it is none."""

    id = forms.UUIDField(required=False, widget=forms.HiddenInput)
    text = forms.CharField(label=_("Question"), required=False, max_length=500)
    place = forms.ChoiceField(
        label=_("When to ask"),
        choices=ExtraQuestion.Place.choices,
        initial=ExtraQuestion.Place.BEFORE,
        required=False,
    )
    kind = forms.ChoiceField(
        label=_("Answer type"),
        choices=ExtraQuestion.Kind.choices,
        initial=ExtraQuestion.Kind.TEXT,
        required=False,
    )
    options = Lines(line_chars=200, label=_("Options"), help_text=_("One per line, at least two."))
    takes_many = forms.BooleanField(label=_("Several options can be selected"), required=False)
    scale_low = forms.IntegerField(
        label=_("From"), required=False, initial=1, min_value=0, max_value=10
    )
    scale_high = forms.IntegerField(
        label=_("to"), required=False, initial=5, min_value=1, max_value=10
    )
    low_label = forms.CharField(label=_("Label of the low end"), required=False, max_length=80)
    high_label = forms.CharField(label=_("Label of the high end"), required=False, max_length=80)
    is_required = forms.BooleanField(label=_("Required"), required=False)

    @property
    def is_blank(self) -> bool:
        return not str(self["text"].value() or "").strip()

    def clean(self) -> dict[str, Any]:
        good: dict[str, Any] = super().clean() or self.cleaned_data
        if self.is_blank:
            return good
        if good.get("kind") == ExtraQuestion.Kind.CHOICE and len(good.get("options") or ()) < 2:
            self.add_error("options", _("Enter at least two options."))
        if good.get("kind") == ExtraQuestion.Kind.SCALE:
            low, high = good.get("scale_low"), good.get("scale_high")
            if low is not None and high is not None and low >= high:
                self.add_error(
                    "scale_high", _("The end of the scale must be higher than its start.")
                )
        return good

    def question(self, position: int) -> Question:
        values: dict[str, Any] = {name: self.cleaned_data.get(name) for name in QUESTION_FIELDS}
        defaults = {"place": "before", "kind": "text", "scale_low": 1, "scale_high": 5}
        for name, value in defaults.items():
            if values[name] in (None, ""):
                values[name] = value
        if values["scale_low"] >= values["scale_high"]:  # of another kind: never asked
            values |= {"scale_low": 1, "scale_high": 5}
        values["position"] = position
        return Question(self.cleaned_data.get("id"), values)


class QuestionForms:
    """All questions of the page. `?`-buttons add one, take one out, or move one up."""

    def __init__(self, forms_: Sequence[QuestionForm]) -> None:
        self.forms = list(forms_)

    def __iter__(self) -> Any:
        return iter(self.forms)

    @property
    def count(self) -> int:
        return len(self.forms)

    @classmethod
    def of(cls, questions: Sequence[ExtraQuestion]) -> QuestionForms:
        return cls._shown([_row(one) for one in questions])

    @classmethod
    def sent(cls, data: Mapping[str, Any]) -> QuestionForms:
        return cls([QuestionForm(data, prefix=_prefix(at)) for at in range(_count(data))])

    @classmethod
    def _shown(cls, rows: Sequence[dict[str, Any]]) -> QuestionForms:
        return cls([QuestionForm(initial=row, prefix=_prefix(at)) for at, row in enumerate(rows)])

    def rearranged(self, *, add: bool = False, out: str = "", up: str = "") -> QuestionForms:
        """The same words after one of the buttons, unsaved."""
        rows = [{name: form[name].value() for name in form.fields} for form in self.forms]
        if out.isdecimal() and int(out) < len(rows):
            del rows[int(out)]
        if up.isdecimal() and 0 < int(up) < len(rows):
            at = int(up)
            rows[at - 1], rows[at] = rows[at], rows[at - 1]
        if add and len(rows) < MOST:
            rows.append({"scale_low": 1, "scale_high": 5, "place": "before", "kind": "text"})
        return self._shown(rows)

    def is_valid(self) -> bool:
        return all([form.is_valid() for form in self.forms])  # noqa: C419

    def questions(self) -> list[Question]:
        asked = [form for form in self.forms if not form.is_blank]
        return [form.question(position) for position, form in enumerate(asked)]


def _row(question: ExtraQuestion) -> dict[str, Any]:
    return {"id": question.pk} | {name: getattr(question, name) for name in QUESTION_FIELDS}


def _prefix(at: int) -> str:
    return f"{PREFIX}{at}"


def _count(data: Mapping[str, Any]) -> int:
    return min(whole(data.get("questions"), digits=3) or 0, MOST)
