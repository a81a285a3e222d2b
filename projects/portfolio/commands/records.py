"""The commands of records: add, change, delete.

What a person writes is theirs: the fields are noted in `kept_fields`, and reading the source again
leaves them.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from django.utils.translation import gettext as _, gettext_noop
from pydantic import Field, StringConstraints

from chat.commands.base import Rejected, Scope
from chat.operations.changes import Change, Create
from futura.errors import BadInput
from projects.portfolio.commands.base import DeleteRow, PortfolioCommand, RowCommand, next_position
from projects.portfolio.models import Entry, Portfolio
from projects.portfolio.models.portfolio import Belonging
from projects.portfolio.schema.fields import check_span, tidied
from projects.portfolio.schema.kinds import KINDS, Kind

KindName = Annotated[
    Literal["profile", "experience", "education", "awards", "credentials", "skills", "persona"],
    Field(description="The kind of record."),
]
FieldName = Annotated[str, StringConstraints(max_length=40)]
_FIELDS: Final = "; ".join(
    f"{kind.slug}: {', '.join(field.name for field in kind.fields)}" for kind in KINDS.values()
)
FieldValues = Annotated[dict[FieldName, Any], Field(description=f"Values by field. {_FIELDS}.")]


class _KindCommand(PortfolioCommand):
    kind: KindName

    @property
    def record_kind(self) -> Kind:
        """The kind of the record."""
        return KINDS[self.kind]

    @property
    def placeholders(self) -> Mapping[str, object]:
        return {"kind": str(self.record_kind.name)}


class CreateRecord(_KindCommand):
    """Adds a record to a portfolio, at the end of its kind; there is one profile and one voice."""

    name = "create_record"
    done = gettext_noop("Added to “%(kind)s”")
    proposal = gettext_noop("Add to “%(kind)s”")

    portfolio: uuid.UUID
    values: FieldValues

    def plan(self, scope: Scope) -> list[Change]:
        kind, portfolio = self.record_kind, scope.get(Portfolio, self.portfolio)
        typed = _checked(scope, kind, self.values)
        for field in kind.fields:
            if field.is_required and not typed.get(field.name):
                text = _("“%(field)s” is required.") % {"field": field.label}
                raise BadInput(text, field=field.name)
        values = {name: value for name, value in typed.items() if value or value is False}
        own = sorted(name for name, value in values.items() if value)
        values |= {"portfolio": portfolio.pk, "kept_fields": own}
        # one after the other, so that neither an id nor a place is given twice
        Portfolio.objects.select_for_update(no_key=True).get(pk=portfolio.pk)
        living: Any = kind.model._default_manager.filter(portfolio=portfolio, deleted_at=None)
        if kind.is_single:
            if living.exists():
                raise Rejected(_("This already exists. Edit the existing one."))
            return [Create(kind.entity, values)]
        ids = living.values_list("doc_id", flat=True)
        values |= {"position": next_position(living), "doc_id": kind.id_for(values, taken=ids)}
        return [Create(kind.entity, values)]


class RecordCommand(_KindCommand, RowCommand):
    """A command on one record of a kind."""

    def row(self, scope: Scope) -> Any:
        return scope.get(self.record_kind.model, self.id)


class ChangeRecord(RecordCommand):
    """Changes fields of a record; a list replaces the one that stands, an empty text clears."""

    name = "change_record"
    done = gettext_noop("Edited “%(kind)s”")
    proposal = gettext_noop("Edit “%(row)s” in “%(kind)s”")

    values: FieldValues

    def plan(self, scope: Scope) -> list[Change]:
        row = self.row(scope)
        values = _checked(scope, self.record_kind, self.values, row)
        changed = {name: value for name, value in values.items() if _stored(row, name) != value}
        if changed:
            changed["kept_fields"] = sorted({*row.kept_fields, *changed})
        return self.put(row, changed)


class DeleteRecord(RecordCommand, DeleteRow):
    """Deletes a record; undo brings it back. Reading its source again does not."""

    name = "delete_record"
    done = gettext_noop("Deleted from “%(kind)s”")
    proposal = gettext_noop("Delete “%(row)s” from “%(kind)s”")


COMMANDS: Final = (CreateRecord, ChangeRecord, DeleteRecord)


def _checked(
    scope: Scope, kind: Kind, values: dict[str, Any], row: Belonging | None = None
) -> dict[str, Any]:
    """Values of a record as they are stored. Raises BadInput, NotInScope."""
    typed = tidied(kind.values, values)
    check_span(typed, row)
    if typed.get("is_current") and typed.get("ended"):
        text = _("A current position has no end date. Clear the end date or “Current position”.")
        raise BadInput(text, field="ended")
    if typed.get("linked_entries"):
        typed["linked_entries"].sort()
        scope.rows(Entry, [uuid.UUID(key) for key in typed["linked_entries"]])
    return typed


def _stored(row: Belonging, name: str) -> Any:
    value = getattr(row, name)
    if name == "linked_entries":
        return sorted(str(key) for key in value.values_list("pk", flat=True))
    return value
