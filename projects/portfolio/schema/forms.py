"""The form that is made of a table of fields: shows a row as it is, gives back what was typed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pydantic
from django import forms
from pydantic import TypeAdapter

from futura.faults import sentence
from projects.forms import VersionedForm
from projects.portfolio.schema.fields import ROW, Field, Shape

BESIDE = ("ended", "field")  # stand beside the field before them


def area(rows: int) -> forms.Textarea:
    return forms.Textarea(attrs={"rows": rows, "data-grow": True})


class ShapeField(forms.CharField):
    """A field that takes what this shape takes."""

    def __init__(self, shape: Shape, *, required: bool = False, **more: Any) -> None:
        super().__init__(required=required, max_length=shape.size, **more)
        self.adapter: TypeAdapter[Any] = TypeAdapter(shape.type)

    def clean(self, value: Any) -> Any:
        """The value as it is stored. Raises ValidationError."""
        try:
            return self.adapter.validate_python(super().clean(value))
        except pydantic.ValidationError as error:
            raise forms.ValidationError(sentence(error.errors()[0])) from error


class SchemaForm(VersionedForm):
    """`options` are the rows that can be ticked, by the names of their fields."""

    def __init__(
        self,
        schema: Sequence[Field],
        data: Any = None,
        *,
        row: Any = None,
        initial: Mapping[str, Any] | None = None,
        options: Mapping[str, Sequence[Any]] | None = None,
    ) -> None:
        rows = options or {}
        self.schema = [field for field in schema if not field.shape.is_rows or rows.get(field.name)]
        displayed = dict(initial or {})
        if row is not None:
            displayed |= {**self.shown(row), "version": row.version}
        super().__init__(data, initial=displayed)
        self.fields |= {
            field.name: _form_field(field, rows.get(field.name, ())) for field in self.schema
        }

    def shown(self, row: Any) -> dict[str, Any]:
        return {field.name: _input_value(field, row) for field in self.schema}

    def values(self) -> dict[str, Any]:
        """What was sent, as it is stored; a box that is not ticked is sent by its absence.

        Call after `is_valid`.
        """
        return {
            field.name: self.cleaned_data[field.name]
            for field in self.schema
            if self._is_sent(field)
        }

    def _is_sent(self, field: Field) -> bool:
        if field.shape.choices:
            return bool(self.cleaned_data[field.name])
        return not field.shape.is_written or self.add_prefix(field.name) in self.data

    def lines(self) -> list[list[forms.BoundField]]:
        """The fields as they stand below each other; the bounds of a span beside each other."""
        lines: list[list[forms.BoundField]] = []
        for field in self.schema:
            if field.name in BESIDE and lines:
                lines[-1].append(self[field.name])
            else:
                lines.append([self[field.name]])
        return lines

    @property
    def private(self) -> list[str]:
        return [field.name for field in self.schema if field.is_private]


def _input_value(field: Field, row: Any) -> Any:
    value = getattr(row, field.name)
    if field.shape.is_rows:
        return [str(key) for key in value.values_list("pk", flat=True)]
    return field.shape.input_value(value)


def _form_field(field: Field, options: Sequence[Any]) -> forms.Field:
    shape = field.shape
    texts: dict[str, Any] = {
        "label": field.label, "help_text": field.help, "required": field.is_required,
    }  # fmt: skip
    if shape.is_rows:
        choices = [(str(row.pk), str(row)) for row in options]
        if shape is ROW:
            return forms.ChoiceField(choices=choices, **texts)
        widget = forms.CheckboxSelectMultiple(attrs={"class": "tick"})
        return forms.MultipleChoiceField(choices=choices, widget=widget, **texts)
    if shape.choices:
        return forms.ChoiceField(choices=[*shape.choices.items()], **texts)
    if shape.type is bool:
        return forms.BooleanField(**texts)
    if shape.rows:
        texts["widget"] = area(shape.rows)
    return ShapeField(shape, **texts)
