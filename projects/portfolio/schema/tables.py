"""A table of fields as three things: values of a command, a form, and names in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from chat.commands.base import bad_input
from futura.errors import BadInput
from projects.portfolio.schema.shapes import Shape

Text = str | Promise


@dataclass(frozen=True)
class Field:
    """One field; named as the model's. Private ones are never shown to visitors."""

    name: str
    shape: Shape
    label: Text
    help: Text = ""
    is_required: bool = False
    is_private: bool = False


class Values(BaseModel):
    """Values of some fields; what is absent or null stays as it is."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    names: ClassVar[frozenset[str]] = frozenset()  # of the table

    def given(self) -> dict[str, Any]:
        """What is named of the table, by field."""
        values = {name: getattr(self, name) for name in self.model_fields_set & self.names}
        return {name: value for name, value in values.items() if value is not None}


def values_model(name: str, fields: Sequence[Field]) -> type[Values]:
    """The typed values of a table of fields."""
    types: dict[str, Any] = {field.name: (field.shape.type | None, None) for field in fields}
    model = create_model(name, __base__=Values, __doc__=Values.__doc__, **types)
    model.names = frozenset(types)
    return model


def tidied(model: type[Values], values: Mapping[str, Any]) -> dict[str, Any]:
    """Values as they are stored. Raises BadInput that names the field."""
    try:
        return model.model_validate(dict(values)).given()
    except ValidationError as error:
        refused = bad_input(error)
        if error.errors()[0]["type"] == "extra_forbidden":
            raise BadInput(_("There is no field “%(name)s”.") % {"name": refused.field}) from error
        field = str(refused.field or "").partition(".")[0]
        raise BadInput(str(refused), field=field) from error


def check_span(values: Mapping[str, Any], row: object = None) -> None:
    """The end does not lie before the start. Raises BadInput."""
    started, ended = (
        str(values.get(name, getattr(row, name, "")) or "") for name in ("started", "ended")
    )
    if started and ended and ended[: len(started)] < started[: len(ended)]:
        raise BadInput(_("The end is before the start."), field="ended")
