"""The form a participant answers a campaign's extra questions in."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from tasks.campaigns.models import ExtraQuestion

ANSWER_CHARS: Final = 5_000


class AnswersForm(forms.Form):
    """One field for each question, named `q-<id>`."""

    def __init__(
        self,
        questions: Sequence[ExtraQuestion],
        data: Mapping[str, Any] | None = None,
        *,
        answers: Mapping[uuid.UUID, object] | None = None,
    ) -> None:
        known = answers or {}
        super().__init__(
            data, initial={_name(one): _shown(one, known.get(one.pk)) for one in questions}
        )
        self.questions = list(questions)
        self.fields |= {_name(one): _field(one) for one in questions}

    def values(self) -> dict[uuid.UUID, Any]:
        return {one.pk: _kept(one, self.cleaned_data[_name(one)]) for one in self.questions}

    def rows(self) -> list[tuple[ExtraQuestion, forms.BoundField]]:
        return [(one, self[_name(one)]) for one in self.questions]


def _name(question: ExtraQuestion) -> str:
    return f"q-{question.pk}"


def _shown(question: ExtraQuestion, value: object) -> object:
    if isinstance(value, list) and not question.takes_many:
        return value[0] if value else None
    return str(value) if isinstance(value, int) else value


def _kept(question: ExtraQuestion, value: Any) -> Any:
    if question.kind == ExtraQuestion.Kind.SCALE:
        return int(value) if value else None
    if question.kind == ExtraQuestion.Kind.CHOICE and not question.takes_many:
        return [value] if value else []
    return value


def _field(question: ExtraQuestion) -> forms.Field:
    given: dict[str, Any] = {
        "label": question.text,
        "required": question.is_required,
        "error_messages": {"required": _("An answer is required.")},
    }
    if question.kind == ExtraQuestion.Kind.TEXT:
        area = forms.Textarea(attrs={"rows": 2, "data-grow": True})
        return forms.CharField(max_length=ANSWER_CHARS, widget=area, **given)
    is_scale = question.kind == ExtraQuestion.Kind.SCALE
    steps = map(str, range(question.scale_low, question.scale_high + 1))
    choices = [(option, option) for option in (steps if is_scale else question.options)]
    if question.takes_many and not is_scale:
        ticks = forms.CheckboxSelectMultiple
        return forms.MultipleChoiceField(choices=choices, widget=ticks, **given)
    return forms.ChoiceField(choices=choices, widget=forms.RadioSelect, **given)
