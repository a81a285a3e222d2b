"""Rows as plain JSON and back: what payloads hold, and how values reach the model's fields."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from functools import cache
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext as _

from chat.operations.models import Operation
from chat.operations.registry import Operable, OperableModel, Plain, named
from futura.characters import cleaned as clean_texts, is_blank
from futura.errors import BadInput


def read(operable: Operable, row: OperableModel, names: Iterable[str] | None = None) -> Plain:
    """The declared fields of a row (or some of them) as plain JSON."""
    requested = operable.fields if names is None else names
    return {name: _value(row, name) for name in requested}


def _value(row: OperableModel, name: str) -> Any:
    field = row._meta.get_field(name)
    if isinstance(field, models.ManyToManyField):
        return sorted(str(linked.pk) for linked in getattr(row, name).all())
    return as_json(field.value_from_object(row))  # type: ignore[union-attr]


def as_json(value: Any) -> Any:
    """A field's value as JSON knows it: ids and dates as text, decimals exactly."""
    if isinstance(value, uuid.UUID | Decimal):
        return str(value)
    if isinstance(value, dt.date | dt.time):  # a datetime is a date
        return value.isoformat()
    return value


def cleaned(operable: Operable, values: Plain) -> Plain:
    """The values as the fields take them, again as plain JSON.

    Raises BadInput that names the field: unknown, of a wrong form, too long, not one of the
    choices, naming a row that is not there or not the owner's (the latter when applied).
    """
    clean: Plain = {}
    for name, value in values.items():
        if name not in operable.fields:
            text = _("There is no field “%(name)s”.") % {"name": name}
            raise BadInput(text, field=name)
        clean[name] = _cleaned(operable, name, value)
    return clean


def _cleaned(operable: Operable, name: str, value: Any) -> Any:
    field = operable.model._meta.get_field(name)
    try:
        if isinstance(field, models.ManyToManyField):
            return sorted({str(uuid.UUID(str(item))) for item in value})
        if isinstance(field, models.ForeignKey):
            return None if value is None and field.null else str(uuid.UUID(str(value)))
        text = "" if isinstance(value, str) and is_blank(value) else clean_texts(value)
        good = field.clean(text, None)  # type: ignore[union-attr]
        if isinstance(field, models.DecimalField) and isinstance(good, Decimal):
            good = good.quantize(Decimal(1).scaleb(-field.decimal_places))  # as it is read back
        return as_json(good)
    except ValidationError as error:
        text = " ".join(error.messages)
        raise BadInput(f"{field.name}: {text}", field=name) from error
    except (TypeError, ValueError, AttributeError) as error:
        text = _("%(field)s: this value has the wrong form.") % {"field": field.name}
        raise BadInput(text, field=name) from error


def references(operable: Operable, values: Plain) -> Iterator[tuple[str, str, uuid.UUID]]:
    """Which operable rows these values name: field, kind and id of each."""
    for name, (kind, is_many) in _relations(operable.model).items():
        value = values.get(name)
        if value is not None:
            for key in value if is_many else [value]:
                yield name, kind, uuid.UUID(key)


@cache
def _relations(model: type[OperableModel]) -> Mapping[str, tuple[str, bool]]:
    """Fields that name operable rows: of what kind, and whether they name many."""
    return {
        field.name: (kind, isinstance(field, models.ManyToManyField))
        for field in model._meta.get_fields()
        if field.concrete and (kind := named(field.related_model))
    }


def write(row: OperableModel, values: Plain) -> Plain:
    """Puts plain values on the row, unsaved; the many-to-many ones, which must follow it."""
    links: Plain = {}
    for name, value in values.items():
        field = row._meta.get_field(name)
        if isinstance(field, models.ManyToManyField):
            links[name] = value
        elif isinstance(field, models.ForeignKey):
            setattr(row, field.attname, None if value is None else uuid.UUID(value))
        else:
            setattr(row, name, field.to_python(value))  # type: ignore[union-attr]
    return links


def sides_of(operation: Operation) -> tuple[Plain, Plain]:
    """Before and after of an operation by field; of one that waits, what is and what it asks."""
    payload = operation.payload
    requested = payload.after if operation.executed_at else payload.requested
    return payload.before or {}, requested or {}
