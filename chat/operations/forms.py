"""The form in which an operation is edited, made from its model's fields; and reading choices."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from django import forms
from django.db import models
from django.utils.translation import gettext as _

from chat.operations import serialization, words
from chat.operations.cards import sides_of
from chat.operations.models import Operation
from chat.operations.registry import Operable, Plain, named, operable
from chat.operations.undo import Choice
from futura.errors import BadInput
from futura.limits import DIMENSION_CHARS

TAGS: Final = 40
OFFERED: Final = 500  # rows to choose from; further ones have pages of their own
_NOTHING: Final = (None, "")

Links = Callable[[str], Sequence[tuple[str, str]]]


class EditForm(forms.Form):
    """Fields of one operation; `given` are their values as plain JSON, `links` what may be chosen.

    A field that was not sent stays as it is; of boxes to tick, `<name>-shown` says that they were.
    """

    version = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)

    def __init__(
        self, of: Operable, given: Plain, links: Links, *, version: int | None, data: Any
    ) -> None:
        self.of = of
        self.given = {
            name: value
            for name, value in given.items()
            if _is_editable(of, name) and (data is None or _was_sent(of, name, data))
        }
        shown = {
            name: value if _is_link(of, name) else _as_input(value)
            for name, value in self.given.items()
        }
        super().__init__(data=data, initial={**shown, "version": version})
        for name in self.given:
            self.fields[name] = _field(of, name, links)

    def changed_values(self) -> Plain:
        """What differs from what was shown, as plain JSON. Call it on a valid form."""
        changed: Plain = {}
        for name in self.given:
            value, shown = self._plain(name, self.cleaned_data[name]), self._shown(name)
            is_same = value == shown or (value in _NOTHING and shown in _NOTHING)
            if not is_same:
                changed[name] = value
        return changed

    def _plain(self, name: str, value: Any) -> Any:
        if _is_many(self.of, name):
            return sorted(value)
        if _is_link(self.of, name):
            return value or None
        return _tags(value) if isinstance(self.given[name], list) else serialization.as_json(value)

    def _shown(self, name: str) -> Any:
        """Without links to what is not there any more."""
        if not _is_many(self.of, name):
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
    return name in sent or (_is_many(of, name) and f"{name}-shown" in sent)


def _is_many(of: Operable, name: str) -> bool:
    return isinstance(of.model._meta.get_field(name), models.ManyToManyField)


def _is_link(of: Operable, name: str) -> bool:
    return bool(named(of.model._meta.get_field(name).related_model))


def _as_input(value: Any) -> Any:
    return ", ".join(map(str, value)) if isinstance(value, list) else value


def _tags(text: str) -> list[str]:
    return [tag.strip() for tag in text.split(",") if tag.strip()][:TAGS]


def _field(of: Operable, name: str, links: Links) -> forms.Field:
    meta: Any = of.model._meta.get_field(name)
    field: Any
    if _is_many(of, name):
        field = forms.MultipleChoiceField(
            choices=links(name), required=False, widget=forms.CheckboxSelectMultiple
        )
    elif _is_link(of, name):
        nothing = [("", "–")] if meta.null else []
        field = forms.ChoiceField(choices=[*nothing, *links(name)], required=not meta.null)
    elif isinstance(meta, models.JSONField):
        field = forms.CharField(required=False, help_text=_("Separated by commas."))
    elif isinstance(meta, models.TextField):
        area = forms.Textarea(attrs={"rows": 6, "data-grow": ""})
        field = meta.formfield(max_length=DIMENSION_CHARS, widget=area)
    elif isinstance(meta, models.DateTimeField):
        field = meta.formfield(widget=forms.DateTimeInput(attrs={"type": "datetime-local"}))
    elif isinstance(meta, models.DateField):
        field = meta.formfield(widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}))
    elif isinstance(meta, models.TimeField):
        field = meta.formfield(widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}))
    else:
        field = meta.formfield() or forms.CharField(required=False)
    field.label = words.label(of, name)
    field.widget.attrs.setdefault("class", "tick" if _is_many(of, name) else "input")
    return field  # type: ignore[no-any-return]


def edit_form(operation: Operation, *, data: Any = None) -> EditForm:
    """For one that waits: what it asks for. For one that was done: what its fields are now."""
    of = operable(operation.entity)
    requested = sides_of(operation)[1]
    row = of.model._default_manager.filter(pk=operation.entity_id).first()
    given, version = requested, None
    if operation.status != Operation.Status.PENDING and row is not None:
        is_update = operation.type == Operation.Type.UPDATE
        names = operation.changed_fields if is_update else [*requested]
        given = serialization.read(of, row, [name for name in names if name in of.fields])
        version = row.version
    if operation.type == Operation.Type.CREATE:  # what was left empty is not in the way
        given = {name: value for name, value in given.items() if value not in (None, "", [])}
    stored = serialization.read(of, row, of.parents) if row is not None else {}
    links = partial(_choices, operation, {**stored, **requested})
    return EditForm(of, given, links, version=version, data=data)


def _choices(operation: Operation, values: Plain, name: str) -> list[tuple[str, str]]:
    """Living rows of the owner by id, with what they are called; not the row itself.

    What hangs on the same kind of parent is linked below one parent only (`values` name it).
    """
    of = operable(operation.entity)
    target = operable(named(of.model._meta.get_field(name).related_model))
    rows: Any = target.model._default_manager.filter(
        owner_id=operation.batch.owner_id, deleted_at__isnull=True
    ).exclude(pk=operation.entity_id)
    for parent in set(of.parents) & set(target.parents):
        rows = rows.filter(**{parent: values.get(parent)})
    return [(str(row.pk), str(row)) for row in rows[:OFFERED]]


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
