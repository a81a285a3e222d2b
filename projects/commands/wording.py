"""What commands say: titles, sentences and fields in words; long texts added to, or replaced."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Final, Literal

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from pydantic import BaseModel, ConfigDict, Field

from chat.commands.base import Command, Rejected, Scope
from chat.operations.changes import Change, Delete
from chat.operations.labels import Names
from chat.operations.registry import OperableModel, named, operable
from futura.errors import BadInput
from futura.parameters import OneOf
from futura.text import quoted, repeats
from projects import field_labels
from projects.checks import LONG_TEXTS, tidied
from projects.dimensions import BY_FIELD, FIELDS
from projects.fields import LINES
from projects.models import Project, Task

Place = Literal["append", "prepend"]
LONG: Final[tuple[str, ...]] = (*FIELDS, "description", "context", "executive_summary")
LongField = Annotated[str, OneOf(LONG)]


class TextPart(BaseModel):
    """Text that is added to a long field, or put in place of one part of it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    field: LongField
    text: str
    replaced: str | None = Field(
        None, min_length=1,
        description="The part that `text` replaces, word for word and there only once.",
    )  # fmt: skip
    place: Place = Field("append", description="Where `text` is added when nothing is replaced.")


def merged_text(old: str, new: str, place: Place = "append") -> str:
    """Two Markdown texts as one, a blank line between them; whole sentences are not repeated."""
    old, new = old.strip(), new.strip()
    if not old:
        return new
    if repeats(new, old):
        return old
    return f"{old}\n\n{new}" if place == "append" else f"{new}\n\n{old}"


def replaced_in(text: str, part: str, new: str) -> str:
    """The text with one part of it replaced. Raises Rejected when that is not there just once."""
    if text.count(part) != 1:
        raise Rejected(_("This passage must occur exactly once in the text."))
    return text.replace(part, new)


def with_parts(row: object, values: Mapping[str, Any], parts: Sequence[TextPart]) -> dict[str, Any]:
    """The values with each part brought into its field, in order. Raises Rejected."""
    merged = dict(values)
    for part in parts:
        text = merged[part.field] if part.field in merged else getattr(row, part.field)
        if part.replaced is None:
            merged[part.field] = merged_text(text, part.text, part.place)
        else:
            merged[part.field] = replaced_in(text, part.replaced, part.text)
    return merged


def refuse_unseen(row: object, values: Mapping[str, Any], version: int | None) -> None:
    """Raises BadInput where a text would be replaced whole by who names no version of it."""
    if version is not None:
        return
    for name in LONG:
        stored = getattr(row, name)
        if stored and values.get(name) and values[name] != stored:
            raise BadInput(
                _(
                    "To replace this text, give the version that you have read, or add to the "
                    "text instead."
                ),
                field="version",
            )


Ids = Annotated[tuple[uuid.UUID, ...], Field(description="Ids of to-dos, at most 200.")]


class Titled(Command):
    """A command of one title: what the ledger calls it once it is done."""

    area: ClassVar[str] = "projects"
    done: ClassVar[Any]

    @property
    def ledger_title(self) -> str:
        return str(self.done)


class RowCommand(Titled):
    """A command on one row, which its sentence names as `%(row)s`."""

    model: ClassVar[type[OperableModel]]
    wish: ClassVar[str | Promise]

    id: uuid.UUID

    def sentence(self, scope: Scope) -> str:
        return str(self.wish) % {"row": scope.get(self.model, self.id)}


class DeleteRow(RowCommand):
    """Deletes a row and what belongs to it; undo brings all of it back."""

    def plan(self, scope: Scope) -> list[Change]:
        row = scope.get(self.model, self.id)
        version = getattr(self, "version", None) or row.version
        return [Delete(named(self.model), row.pk, version)]


class TodosCommand(Titled):
    """A command on to-dos, which its title counts and its sentence names as `%(which)s`."""

    area: ClassVar[str] = "todos"
    model: ClassVar[type[OperableModel]] = Task
    wish: ClassVar[str | Promise]

    ids: Ids

    @property
    def ledger_title(self) -> str:
        return str(self.done % {"n": len(self.ids)})

    def sentence(self, scope: Scope) -> str:
        return str(self.wish) % {"which": self.which(scope)}

    def which(self, scope: Scope) -> str:
        """One by its title, several by their number. Raises NotInScope."""
        if len(self.ids) != 1:
            return _("%(n)d to-dos") % {"n": len(self.ids)}
        return quoted(scope.get(self.model, self.ids[0]))


def label(name: str) -> str:
    dimension = BY_FIELD.get(name)
    return str(dimension.name if dimension else field_labels.FIELDS.get(name, name))


def phrases_of(
    model: type[OperableModel],
    values: Mapping[str, Any],
    emptied: Sequence[str],
    scope: Scope,
    project: uuid.UUID | None = None,
) -> str:
    """The fields that change: “due 20 December 2026, in Garden, no tags”. Raises NotInScope."""
    details = [
        f"{label(name).lower()} {value_words(model, name, value)}".strip()
        for name, value in tidied(values).items()
        if value not in (None, "", [])
    ]
    if project is not None:
        details.append(_("in %(project)s") % {"project": scope.get(Project, project).name})
    names = {"start_date": _("start date"), "due_date": _("due date"), "due_time": _("due time")}
    gone = [names.get(name) or label(name).lower() for name in emptied]
    return ", ".join([*details, *(_("no %(field)s") % {"field": name} for name in gone)])


def value_words(model: type[OperableModel], name: str, value: Any) -> str:
    """A field's value in words; empty for a text that is long."""
    entity_type = operable(named(model))
    if name == "depends_on":
        return str(len(value))
    if name in LINES and name not in entity_type.display:
        return quoted(value)
    return "" if name in LONG_TEXTS else Names().say(entity_type, name, value)
