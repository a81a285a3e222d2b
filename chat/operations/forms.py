"""The form in which an operation is edited, made from its model's fields; and reading choices."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.db import models
from django.utils.translation import gettext as _

from chat.operations import linking, serialization, words
from chat.operations.cards import sides_of
from chat.operations.linking import Ends
from chat.operations.models import Operation
from chat.operations.registry import Operable, Plain, operable
from chat.operations.undo import Choice
from futura.errors import BadInput
from futura.limits import DIMENSION_CHARS

TAGS: Final = 40
_NOTHING: Final = (None, "")


class EditForm(forms.Form):
    """Fields of one operation; `given` are their values as plain JSON.

    A field that was not sent stays as it is; of boxes to tick, `<name>-shown` says that they were.
    """

    version = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)

    def __init__(self, of: Operable, given: Plain, ends: Ends, **more: Any) -> None:
        self.of = of
        sent = more.get("data")
        self.given = {
            name: value
            for name, value in given.items()
            if _is_editable(of, name) and (sent is None or _was_sent(of, name, sent))
        }
        shown = {
            name: value if linking.is_link(of, name) else _as_input(value)
            for name, value in self.given.items()
        }
        super().__init__(initial={**shown, **more.pop("initial", {})}, **more)
        for name in self.given:
            self.fields[name] = _field(of, name, ends)

    def changed_values(self) -> Plain:
        """What differs from what was shown, as plain JSON. Call it on a valid form."""
        told: Plain = {}
        for name in self.given:
            plain, was = self._plain(name, self.cleaned_data[name]), self._still(name)
            same = plain == was or (plain in _NOTHING and was in _NOTHING)
            if not same:
                told[name] = plain
        return told

    def _plain(self, name: str, value: Any) -> Any:
        if linking.is_many(self.of, name):
            return sorted(value)
        if linking.is_link(self.of, name):
            return value or None
        return _tags(value) if isinstance(self.given[name], list) else serialization.as_json(value)

    def _still(self, name: str) -> Any:
        """What was shown: links to what is not there any more were not."""
        if not linking.is_many(self.of, name):
            return self.given[name]
        field: Any = self.fields[name]
        return sorted(set(self.given[name]) & {key for key, _title in field.choices})

    def shown_fields(self) -> list[Any]:
        """Bound fields for people."""
        return [self[name] for name in self.given]


def _is_editable(of: Operable, name: str) -> bool:
    """For people, and changed here; links to what is no operable row are shown nowhere."""
    return name in of.fields and name not in of.read_only and words.is_shown(of, name)


def _was_sent(of: Operable, name: str, sent: Any) -> bool:
    return name in sent or (linking.is_many(of, name) and f"{name}-shown" in sent)


def _as_input(value: Any) -> Any:
    return ", ".join(map(str, value)) if isinstance(value, list) else value


def _tags(text: str) -> list[str]:
    return [one.strip() for one in text.split(",") if one.strip()][:TAGS]


def _field(of: Operable, name: str, ends: Ends) -> forms.Field:
    meta: Any = of.model._meta.get_field(name)
    made: Any
    if linking.is_link(of, name):
        made = linking.field_for(of, name, ends)
    elif isinstance(meta, models.JSONField):
        made = forms.CharField(required=False, help_text=_("Separated by commas."))
    else:
        made = meta.formfield() or forms.CharField(required=False)
    made.label = words.label(of, name)
    if isinstance(meta, models.TextField):
        made.max_length = DIMENSION_CHARS
        made.validators.append(forms.CharField(max_length=DIMENSION_CHARS).validators[0])
        made.widget = forms.Textarea(attrs={"rows": 6, "data-grow": ""})
    elif isinstance(meta, models.DateTimeField):
        made.widget = forms.DateTimeInput(attrs={"type": "datetime-local"})
    elif isinstance(meta, models.DateField):
        made.widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    elif isinstance(meta, models.TimeField):
        made.widget = forms.TimeInput(format="%H:%M", attrs={"type": "time"})
    made.widget.attrs.setdefault("class", "tick" if linking.is_many(of, name) else "input")
    field: forms.Field = made
    return field


def edit_form(operation: Operation, *, data: Any = None) -> EditForm:
    """For one that waits: what it asks for. For one that was done: what its fields are now."""
    of = operable(operation.entity)
    if operation.status == Operation.Status.PENDING:
        given = sides_of(operation)[1]
        version = None
    else:
        row = of.model._default_manager.get(pk=operation.entity_id)
        is_update = operation.type == Operation.Type.UPDATE
        names = operation.changed_fields if is_update else [*sides_of(operation)[1]]
        given = serialization.read(of, row, [name for name in names if name in of.fields])
        version = row.version
    if operation.type == Operation.Type.CREATE:  # what was left empty is not in the way
        given = {name: value for name, value in given.items() if value not in (None, "", [])}
    ends = linking.ends_of(
        of, operation.batch.owner_id, operation.entity_id, sides_of(operation)[1]
    )
    return EditForm(of, given, ends, data=data, initial={"version": version})


def choices_in(sent: Mapping[str, Any]) -> dict[tuple[uuid.UUID, str], Choice]:
    """The decisions of an undo form: `choice-<operation>-<field>` = keep or restore."""
    choices: dict[tuple[uuid.UUID, str], Choice] = {}
    for name, value in sent.items():
        if not name.startswith("choice-"):
            continue
        if value not in ("keep", "restore"):
            raise BadInput(_("Choose what shall stand: keep or restore."), field=name)
        choices[_choice_key(name)] = value
    return choices


def _choice_key(name: str) -> tuple[uuid.UUID, str]:
    try:
        key = uuid.UUID(name[7:43])
    except ValueError:
        raise BadInput(_("This names no change."), field=name) from None
    field = name[44:]
    return key, "" if field == "row" else field


def shown_in(values: list[str]) -> dict[uuid.UUID, str]:
    """What an approval names: `<operation>:<digest>` each. Raises BadInput."""
    try:
        pairs = [value.split(":", 1) for value in values]
        return {uuid.UUID(key): digest for key, digest in pairs}
    except ValueError:
        raise BadInput(_("This names no change."), field="shown") from None
