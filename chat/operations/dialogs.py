"""What the dialogs of a change show: the form that edits it, and what undoing would do."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.db import models
from django.forms.models import fields_for_model, model_to_dict
from django.utils.translation import gettext as _

from chat.operations import labels, serialization
from chat.operations.cards import Field
from chat.operations.models import Key, Operation
from chat.operations.queries import changed_since, full
from chat.operations.registry import Operable, Plain, named, operable
from chat.operations.undo import WHOLE, Choice, FieldPlan, UndoPlan
from futura.errors import BadInput
from futura.limits import DIMENSION_CHARS

TAGS: Final = 40
_MOMENTS: Final[dict[type, tuple[str, str, Any]]] = {
    models.DateTimeField: ("datetime-local", "%Y-%m-%dT%H:%M", forms.DateTimeInput),
    models.DateField: ("date", "%Y-%m-%d", forms.DateInput),
    models.TimeField: ("time", "%H:%M", forms.TimeInput),
}


class TagsField(forms.CharField):
    """A list of short texts with commas between them."""

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(map(str, value)) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        items = value if isinstance(value, list) else str(value or "").split(",")
        return [tag for tag in (str(item).strip() for item in items) if tag][:TAGS]


class EditForm(forms.Form):
    """Fields of one operation, as it asks for them while it waits, else as its row has them now.

    A field that was not sent stays as it is; of boxes to tick, `<name>-shown` says that they were.
    """

    version = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)

    def __init__(self, operation: Operation, *, data: Any = None) -> None:
        entity_type = operable(operation.entity)
        proposed, stored, version = _proposed(operation, entity_type)
        self.entity_type = entity_type
        # for people, and changed here; links to what is no operable row are shown nowhere
        self.names = [
            name
            for name in proposed
            if name not in entity_type.read_only
            and labels.is_shown(entity_type, name)
            and _was_sent(entity_type, name, data)
        ]
        row = entity_type.model(id=operation.entity_id)
        links = serialization.write(row, {name: proposed[name] for name in self.names})
        self.links = {name: _linkable(operation, entity_type, name, stored) for name in self.names}
        there = {
            name: [row.pk for row in self.links[name].filter(pk__in=ids)]
            for name, ids in links.items()
        }
        normalized = [name for name in self.names if name not in links]
        initial = model_to_dict(row, normalized) | there | {"version": version}
        super().__init__(data=data, initial=initial)
        self.row_id, self.many = operation.entity_id, {*links}
        self.current = {name: proposed[name] for name in normalized if self.links[name] is None}
        self.fields |= fields_for_model(
            entity_type.model, self.names, formfield_callback=self._field
        )

    def _field(self, meta: Any, **_options: Any) -> forms.Field | None:
        options: dict[str, Any] = {"label": labels.label(self.entity_type, meta.name)}
        look = {"class": "tick" if isinstance(meta, models.ManyToManyField) else "input"}
        match meta:
            case models.ManyToManyField():
                options |= {"queryset": self.links[meta.name], "required": False}
                options["widget"] = forms.CheckboxSelectMultiple(attrs=look)
            case models.ForeignKey():
                options |= {"queryset": self.links[meta.name], "required": not meta.null}
                options |= {"empty_label": "–", "widget": forms.Select(attrs=look)}
            case models.JSONField():
                help_text = _("Separated by commas.")
                widget = forms.TextInput(attrs=look)
                return TagsField(required=False, help_text=help_text, widget=widget, **options)
            case models.TextField():
                options["max_length"] = DIMENSION_CHARS
                options["widget"] = forms.Textarea(attrs=look | {"rows": 6, "data-grow": ""})
            case models.DateTimeField() | models.DateField() | models.TimeField():
                of_type, shape, widget_of = _MOMENTS[type(meta)]
                options["widget"] = widget_of(format=shape, attrs=look | {"type": of_type})
        field: forms.Field | None = meta.formfield(**options)
        if field is not None:
            field.widget.attrs.setdefault("class", look["class"])
        return field

    def changed_values(self) -> Plain:
        """What differs from what was shown, as plain JSON. Call it on a valid form."""
        changed = [name for name in self.changed_data if name in self.names]
        return {name: _comparable(self.cleaned_data[name]) for name in changed}

    def overtaken(self) -> list[tuple[str, str]]:
        """Takes the row as it stands for seen, so that saving again replaces it: what stands in the
        fields that differ, each with its label. Empty where nobody was faster.

        Fields that were left alone here show what stands now.
        """
        entity_type, say, seen = self.entity_type, labels.Names().say, self.cleaned_data["version"]
        if seen is None or seen == self.initial["version"]:
            return []
        was = changed_since(entity_type.name, self.row_id, seen)
        values = self.changed_values()
        left = [name for name in values if name in was and values[name] == was[name]]
        self.data = data = self.data.copy()  # type: ignore[attr-defined]
        for name in ["version", *left]:
            value = self.initial[name]
            data.setlist(name, value if name in self.many else [value])
        return [
            (
                labels.label(entity_type, name),
                say(entity_type, name, self.current[name]) or _("empty"),
            )
            for name in values.keys() - {*left}
            if name in self.current
        ]

    def displayed_fields(self) -> list[Any]:
        return [self[name] for name in self.names]


def _proposed(operation: Operation, entity_type: Operable) -> tuple[Plain, Plain, int | None]:
    """The values to edit, those that say where the row belongs, and the version they were read at.

    That version is None while the operation waits.
    """
    requested = serialization.sides_of(operation)[1]
    row = entity_type.model._default_manager.filter(pk=operation.entity_id).first()
    stored = serialization.read(entity_type, row, entity_type.parents) if row is not None else {}
    proposed, version = requested, None
    if operation.status != Operation.Status.PENDING and row is not None:
        is_update = operation.type == Operation.Type.UPDATE
        names = operation.changed_fields if is_update else [*requested]
        proposed = serialization.read(
            entity_type, row, [name for name in names if name in entity_type.fields]
        )
        version = row.version
    if operation.type == Operation.Type.CREATE:  # what was left empty is not in the way
        proposed = {name: value for name, value in proposed.items() if value not in (None, "", [])}
    return proposed, {**stored, **requested}, version


def _was_sent(entity_type: Operable, name: str, sent: Any) -> bool:
    is_many = isinstance(entity_type.model._meta.get_field(name), models.ManyToManyField)
    return sent is None or name in sent or (is_many and f"{name}-shown" in sent)


def _linkable(operation: Operation, entity_type: Operable, name: str, values: Plain) -> Any:
    """Living rows of the owner that a field can name, not the row itself; None for other fields.

    What hangs on the same kind of parent is linked below one parent only (`values` name it).
    """
    kind = named(entity_type.model._meta.get_field(name).related_model)
    if not kind:
        return None
    target = operable(kind)
    rows: Any = target.model._default_manager.filter(
        owner_id=operation.batch.owner_id, deleted_at__isnull=True
    ).exclude(pk=operation.entity_id)
    for parent in set(entity_type.parents) & set(target.parents):
        rows = rows.filter(**{parent: values.get(parent)})
    return rows


def _comparable(value: Any) -> Any:
    if isinstance(value, models.QuerySet):
        return sorted(str(row.pk) for row in value)
    return str(value.pk) if isinstance(value, models.Model) else serialization.as_json(value)


def digest_in(sent: Mapping[str, Any]) -> str:
    """Of which preview an undo form is. Raises BadInput without one."""
    digest = str(sent.get("digest", ""))
    if not digest:
        raise BadInput(_("Preview what would be undone first."), field="digest")
    return digest


def choices_in(sent: Mapping[str, Any]) -> dict[tuple[uuid.UUID, str], Choice]:
    """The decisions of an undo form: `choice-<operation>-<field>` = keep or restore."""
    choices: dict[tuple[uuid.UUID, str], Choice] = {}
    for name, value in sent.items():
        if not name.startswith("choice-"):
            continue
        if value not in ("keep", "restore"):
            raise BadInput(_("Choose whether to keep or restore each value."), field=name)
        try:
            key = uuid.UUID(name[7:43])
        except ValueError:
            raise BadInput(_("There is no such change."), field=name) from None
        choices[key, "" if name[44:] == "row" else name[44:]] = value
    return choices


def digests_in(values: list[str]) -> dict[uuid.UUID, str]:
    """What an approval names: `<operation>:<digest>` each. Raises BadInput."""
    try:
        pairs = [value.split(":", 1) for value in values]
        return {uuid.UUID(key): digest for key, digest in pairs}
    except ValueError:
        raise BadInput(_("There is no such change."), field="shown") from None


@dataclass(frozen=True)
class Decision:
    """One field (or row) that was changed since: both values."""

    name: str
    label: str
    restore: str
    keep: str
    is_row: bool
    along: Sequence[str]


@dataclass(frozen=True)
class Row:
    noun: str
    title: str
    effect: str
    fields: Sequence[Field]
    decisions: Sequence[Decision]
    along: Sequence[str]


@dataclass(frozen=True)
class Preview:
    rows: Sequence[Row]
    digest: str
    hindrance: str
    deletion: Operation | None
    """Of the row that stands in the way by being deleted."""
    conflicts: int

    @property
    def is_idle(self) -> bool:
        """Everything is already as it was before."""
        return not self.conflicts and not any(row.effect for row in self.rows)


def preview_of(plan: UndoPlan) -> Preview:
    about = Operation.objects.filter(pk__in={field.operation_id for field in plan.fields})
    writing = _Words(
        names=labels.Names.of(list(full(about))),
        lost=titles_of([key for field in plan.fields for key in field.along]),
    )
    grouped: dict[Key, list[FieldPlan]] = {}
    for field in plan.fields:
        grouped.setdefault((field.entity, field.entity_id), []).append(field)
    rows = [writing.row(key, plans) for key, plans in grouped.items()]
    deletion = _deletion_before(plan) if plan.hindrance else None
    return Preview(rows, plan.digest, plan.hindrance, deletion, len(plan.conflicts))


def _deletion_before(plan: UndoPlan) -> Operation | None:
    """What deleted a row that the failed operation of a rehearsal needs."""
    failed = next(item for item in plan.operations if item.status == Operation.Status.FAILED)
    entity_type = operable(failed.entity)
    row = entity_type.model._default_manager.filter(pk=failed.entity_id).first()
    values = serialization.read(entity_type, row, entity_type.parents) if row is not None else {}
    needed = serialization.references(entity_type, {**values, **(failed.payload.requested or {})})
    deletions = Operation.objects.filter(
        type=Operation.Type.DELETE,
        status=Operation.Status.COMPLETED,
        entity_id__in=[key for _name, entity, key in needed],
    )
    return deletions.order_by("-created_at", "-sequence").first()


@dataclass(frozen=True)
class _Words:
    names: labels.Names
    lost: Mapping[Key, str]

    def row(self, key: Key, plans: Sequence[FieldPlan]) -> Row:
        restored = [plan for plan in plans if plan.outcome == "restore"]
        return Row(
            noun=labels.capital_noun(key[0]),
            title=self.names.titles.get(key, ""),
            effect=_effect(plans),
            fields=list(self._row_fields([item for item in restored if item.field != WHOLE])),
            decisions=[self._decision(plan) for plan in plans if plan.outcome == "conflict"],
            along=[title for item in restored for title in self._along(item)],
        )

    def _row_fields(self, plans: Sequence[FieldPlan]) -> Iterator[Field]:
        """Each field once, from what it is now to what it was before everything undone."""
        before = {plan.field: plan.before for plan in plans}  # newest operation first: the oldest's
        displayed = set[str]()
        for plan in plans:
            entity_type = operable(plan.entity)
            if plan.field not in displayed and labels.is_shown(entity_type, plan.field):
                now = self.names.say(entity_type, plan.field, plan.current)
                then = self.names.say(entity_type, plan.field, before[plan.field])
                yield Field(plan.field, labels.label(entity_type, plan.field), now, then)
            displayed.add(plan.field)

    def _decision(self, plan: FieldPlan) -> Decision:
        entity_type, is_row = operable(plan.entity), plan.field == WHOLE
        return Decision(
            name=f"choice-{plan.operation_id}-{plan.field or 'row'}",
            label=labels.capital_noun(entity_type.name)
            if is_row
            else labels.label(entity_type, plan.field),
            restore="" if is_row else self.names.say(entity_type, plan.field, plan.before),
            keep="" if is_row else self.names.say(entity_type, plan.field, plan.current),
            is_row=is_row,
            along=self._along(plan),
        )

    def _along(self, plan: FieldPlan) -> list[str]:
        return [self.lost.get(key, labels.capital_noun(key[0])) for key in plan.along]


def _effect(plans: Sequence[FieldPlan]) -> str:
    whole = [plan for plan in plans if plan.field == WHOLE and plan.outcome == "restore"]
    if whole:
        return _("will be restored") if whole[-1].after is None else _("will be deleted")
    return _("will be changed back") if any(plan.outcome == "restore" for plan in plans) else ""


def titles_of(keys: Sequence[Key]) -> dict[Key, str]:
    """“Task: Draw” for rows that would go along; one query per kind."""
    titles: dict[Key, str] = {}
    for kind in {name for name, _key in keys}:
        ids = [key for name, key in keys if name == kind]
        rows: Any = operable(kind).model._default_manager.filter(pk__in=ids)
        titles |= {(kind, row.pk): f"{labels.capital_noun(kind)}: {row}" for row in rows}
    return titles
