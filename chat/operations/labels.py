"""What the ledger's things are called: rows, fields, values, what was done, how long ago."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from django.db import models
from django.template.defaultfilters import date as date_words
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _, gettext_lazy

from chat.operations import serialization
from chat.operations.models import Operation, OperationBatch
from chat.operations.registry import Operable, Plain, all_operables, operable

Type, Status = Operation.Type, Operation.Status
ICONS: Final[Mapping[str, str]] = {
    Type.CREATE: "plus",
    Type.UPDATE: "pencil",
    Type.DELETE: "trash",
    Type.RESTORE: "undo",
    Type.ERASE: "trash",
}
STATE_ICONS: Final[Mapping[str, str]] = {
    Status.FAILED: "close",
    Status.REJECTED: "close",
    Status.ROLLED_BACK: "undo",
}
_DONE: Final[Mapping[str, str | Promise]] = {
    Type.CREATE: gettext_lazy("%(thing)s created"),
    Type.UPDATE: gettext_lazy("%(thing)s updated"),
    Type.DELETE: gettext_lazy("%(thing)s deleted"),
    Type.RESTORE: gettext_lazy("%(thing)s restored"),
    Type.ERASE: gettext_lazy("%(thing)s permanently deleted"),
}
_NOT_DONE: Final[Mapping[str, str | Promise]] = {
    Type.CREATE: gettext_lazy("%(thing)s not created"),
    Type.UPDATE: gettext_lazy("%(thing)s not updated"),
    Type.DELETE: gettext_lazy("%(thing)s not deleted"),
    Type.RESTORE: gettext_lazy("%(thing)s not restored"),
    Type.ERASE: gettext_lazy("%(thing)s not permanently deleted"),
}
_TO_DO: Final[Mapping[str, str | Promise]] = {
    Type.CREATE: gettext_lazy("Create: %(thing)s"),
    Type.UPDATE: gettext_lazy("Update: %(thing)s"),
    Type.DELETE: gettext_lazy("Delete: %(thing)s"),
    Type.RESTORE: gettext_lazy("Restore: %(thing)s"),
    Type.ERASE: gettext_lazy("Delete permanently: %(thing)s"),
}
DONE_WORDS: Final[Mapping[str, str | Promise]] = {
    Type.CREATE: gettext_lazy("created"),
    Type.UPDATE: gettext_lazy("updated"),
    Type.DELETE: gettext_lazy("deleted"),
    Type.RESTORE: gettext_lazy("restored"),
    Type.ERASE: gettext_lazy("permanently deleted"),
}
STATES: Final[Mapping[str, str | Promise]] = {
    Status.PENDING: gettext_lazy("waiting"),
    Status.EXECUTING: gettext_lazy("in progress"),
    Status.COMPLETED: gettext_lazy("done"),
    Status.FAILED: gettext_lazy("failed"),
    Status.ROLLED_BACK: gettext_lazy("undone"),
    Status.REJECTED: gettext_lazy("rejected"),
}


def noun(entity: str) -> str:
    """A kind of row, as it stands within a sentence: “to-do”."""
    operable = all_operables().get(entity)
    return str(operable.model._meta.verbose_name if operable else entity)


def capital_noun(entity: str) -> str:
    """A kind of row, as it begins a sentence: “To-do”."""
    return str(capfirst(noun(entity)))


def headline(operation: Operation) -> str:
    """“To-do created”, “Note not created”, “Delete: project”."""
    if operation.type == Type.UPDATE and operation.undoes_id and not operation.changed_fields:
        return _("%(thing)s unchanged") % {"thing": capital_noun(operation.entity)}
    words = {Status.FAILED: _NOT_DONE, Status.REJECTED: _NOT_DONE, Status.PENDING: _TO_DO}.get(
        Status(operation.status), _DONE
    )
    name = noun(operation.entity) if words is _TO_DO else capital_noun(operation.entity)
    return str(words[operation.type]) % {"thing": name}


def deed(operation: Operation) -> str:
    """A row as it is called now, with what was done to it: “Garden (created)”."""
    is_update = operation.type == Type.UPDATE
    entity_type = operable(operation.entity)
    rows = entity_type.model._default_manager.filter(pk=operation.entity_id)
    current = rows.values(*entity_type.fields).first()
    payload = operation.payload
    title = entity_type.title(current or payload.after or payload.before or {})
    name = " ".join((title or str(entity_type.model._meta.verbose_name)).split())[:120]
    done = _("changed") if is_update else DONE_WORDS[operation.type]
    return f"{name} ({done})"


def icon(operation: Operation) -> str:
    """Its sign: by what became of it, else by what it does."""
    return STATE_ICONS.get(operation.status) or ICONS.get(operation.type, "pencil")


def label(entity_type: Operable, name: str) -> str:
    meta = entity_type.model._meta.get_field(name)
    return str(capfirst(str(getattr(meta, "verbose_name", name))))


def is_shown(entity_type: Operable, name: str) -> bool:
    """Whether a field is for people: not the machinery's, and not the id of something else."""
    if name in entity_type.quiet or name not in entity_type.fields:
        return False
    target = getattr(entity_type.model._meta.get_field(name), "related_model", None)
    return target is None or any(operable.model is target for operable in all_operables().values())


def ago(at: datetime | None) -> str:
    """“now”, “2 min”, “5 h”, then the day."""
    if at is None:
        return ""
    minutes = int((timezone.now() - at).total_seconds() // 60)
    if minutes < 1:
        return _("now")
    if minutes < 60:
        return _("%(n)d min") % {"n": minutes}
    if minutes < 24 * 60:
        return _("%(n)d h") % {"n": minutes // 60}
    local = timezone.localtime(at)
    return date_words(local, "j M" if local.year == timezone.localtime().year else "j M Y")


WHO: Final[Mapping[str, str | Promise]] = {
    OperationBatch.Actor.PERSON: gettext_lazy("you"),
    OperationBatch.Actor.AGENT: gettext_lazy("the assistant"),
    OperationBatch.Actor.STAFF: gettext_lazy("staff"),
    OperationBatch.Actor.PROGRAM: gettext_lazy("a program"),
    OperationBatch.Actor.SYSTEM: gettext_lazy("Futura"),
}


def who(batch: OperationBatch) -> str:
    """Who did a batch, for its owner: “you”, “the agent”, “staff”."""
    return str(WHO[batch.actor])


@dataclass
class Names:
    titles: dict[tuple[str, uuid.UUID], str] = field(default_factory=dict)

    @classmethod
    def in_values(cls, entity_type: Operable, values: Plain, owner_id: uuid.UUID) -> Names:
        """Of the rows that these values name."""
        requested: dict[str, set[uuid.UUID]] = {}
        for kind, key in _named(entity_type, values):
            requested.setdefault(kind, set()).add(key)
        return cls(_titles(requested, {owner_id}))

    @classmethod
    def of(cls, operations: Sequence[Operation]) -> Names:
        requested: dict[str, set[uuid.UUID]] = {}
        owners: set[uuid.UUID] = set()
        for operation in operations:
            if operation.entity not in all_operables():
                continue
            owners.add(operation.batch.owner_id)
            requested.setdefault(operation.entity, set()).add(operation.entity_id)
            for values in _payloads(operation):
                for kind, key in _named(operable(operation.entity), values):
                    requested.setdefault(kind, set()).add(key)
        return cls(_titles(requested, owners))

    def title(self, operation: Operation) -> str:
        """What the row is called: as the operation left it, else as it is now."""
        entity_type = operable(operation.entity)
        now = self.titles.get((operation.entity, operation.entity_id), "")
        if now and operation.executed_at is None:
            return now
        for values in _payloads(operation):
            details = entity_type.title(values)
            if details:
                return details
        return now

    def say(self, entity_type: Operable, name: str, value: Any) -> str:
        """A value in words; empty for none."""
        if value is None:
            return ""
        if name in entity_type.display:
            return entity_type.display[name](value)
        meta = entity_type.model._meta.get_field(name)
        if isinstance(meta, models.ForeignKey | models.ManyToManyField):
            return self._rows(entity_type, name, value)
        if isinstance(value, list):
            return ", ".join(str(item) for item in value)
        if isinstance(value, bool):
            return _("yes") if value else _("no")
        choices = dict(getattr(meta, "flatchoices", ()))
        if value in choices:
            return str(capfirst(str(choices[value])))
        return _moment(meta, str(value))

    def _rows(self, entity_type: Operable, name: str, value: Any) -> str:
        ids = value if isinstance(value, list) else [value]
        named = serialization.references(entity_type, {name: value})
        values = [self.titles.get((kind, key), "") for _name, kind, key in named]
        return ", ".join(value or _("permanently deleted item") for value in values) or ", ".join(
            map(str, ids)
        )


def _titles(
    requested: Mapping[str, Iterable[uuid.UUID]], owners: Iterable[uuid.UUID]
) -> dict[tuple[str, uuid.UUID], str]:
    titles: dict[tuple[str, uuid.UUID], str] = {}
    for kind, ids in requested.items():
        rows = operable(kind).model._default_manager.filter(pk__in=ids, owner_id__in=owners)
        titles |= {(kind, row.pk): str(row) for row in rows}
    return titles


def _moment(meta: Any, value: str) -> str:
    """Dates as people write them, numbers without needless zeros, texts as they are."""
    try:
        if isinstance(meta, models.DateTimeField):
            return date_words(timezone.localtime(datetime.fromisoformat(value)), "j F Y, H:i")
        if isinstance(meta, models.DateField):
            return date_words(date.fromisoformat(value), "j F Y")
        if isinstance(meta, models.TimeField):
            return time.fromisoformat(value).strftime("%H:%M")
        if isinstance(meta, models.DecimalField):
            return f"{Decimal(value):f}".rstrip("0").rstrip(".") if "." in value else value
    except (ValueError, InvalidOperation):
        return value
    return value


def _payloads(operation: Operation) -> Iterable[Plain]:
    payload = operation.payload
    return filter(None, (payload.after, payload.requested, payload.before))


def _named(entity_type: Operable, values: Plain) -> Iterable[tuple[str, uuid.UUID]]:
    existing = {name: value for name, value in values.items() if name in entity_type.fields}
    for _name, kind, key in serialization.references(entity_type, existing):
        yield kind, key
