"""The fields that projects and drafts share, as commands set, add to and empty them."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Mapping
from typing import Any, Final, Literal

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from pydantic import BaseModel, ConfigDict, Field

from futura.errors import BadInput
from projects import words
from projects.commands.texts import LongField, TextPart, label, refuse_unseen, with_parts
from projects.models import Project, ProjectDraft

Clearable = Literal[LongField, "tags", "start_date", "end_date"]
_DATES: Final = frozenset({"start_date", "end_date"})


class ProjectFields(BaseModel):
    """What every door may set on a project or draft; null leaves a field as it is.

    The nine dimensions are Markdown of at most 50,000 characters each.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    project_name: str | None = Field(
        None, alias="name", description="At most 200 characters."
    )  # `name` is the command's own
    description: str | None = Field(None, description="A few sentences of Markdown.")
    context: str | None = Field(None, description="Whatever else is known.")
    executive_summary: str | None = None
    core_integrity_ideals: str | None = Field(None, description="What success looks like.")
    core_people_bonds: str | None = Field(None, description="Who is involved or has a stake.")
    core_goals_momentum: str | None = Field(None, description="Milestones and what is next.")
    core_meaning_identity: str | None = Field(None, description="Why it matters.")
    core_reality_understanding: str | None = Field(None, description="How things stand today.")
    core_trust_safeguards: str | None = Field(None, description="What could go wrong.")
    core_opportunity_freedom: str | None = Field(None, description="Options, experiments.")
    core_power_resources: str | None = Field(None, description="Budget, tools, time, hands.")
    core_harmony_integration: str | None = Field(None, description="Feedback and tracking.")
    tags: tuple[str, ...] | None = Field(None, description="At most 20; replaces all of them.")
    start_date: dt.date | None = None
    end_date: dt.date | None = None

    def values(self) -> dict[str, Any]:
        """What is given, by field."""
        given = {
            field.alias or name: getattr(self, name)
            for name, field in ProjectFields.model_fields.items()
        }
        return {name: value for name, value in given.items() if value is not None}


class FieldChanges(ProjectFields):
    """Changes of a project or draft: fields set whole, parts of long texts, emptied fields.

    A long text is replaced whole only with the `version` that was read whole; `parts` add to it
    or replace a quoted stretch.
    """

    id: uuid.UUID
    parts: tuple[TextPart, ...] = ()
    version: int | None = Field(None, description="The version that was seen.")

    def values_on(self, row: Project | ProjectDraft) -> dict[str, Any]:
        """New values for the row. Raises Rejected, BadInput when nothing changes."""
        given = self.values()
        refuse_unseen(row, given, self.version)
        values = with_parts(row, {**dict.fromkeys(self.emptied()), **given}, self.parts)
        if not values:
            raise BadInput(_("Say what shall change."), field="id")
        return {name: _empty(row, name) if value is None else value
                for name, value in values.items()}  # fmt: skip

    def emptied(self) -> tuple[str, ...]:
        """The fields that lose their value."""
        cleared: tuple[str, ...] = getattr(self, "clear", ())
        return cleared

    def names(self) -> set[str]:
        """The fields that change."""
        return {*self.values(), *(part.field for part in self.parts), *self.emptied()}

    def phrases(self) -> str:
        """“ends 1 May 2027, more in Goals and momentum, no description”."""
        given = [phrase(name, value) for name, value in self.values().items()]
        parts = [
            (_("another part of %(field)s") if part.replaced else _("more in %(field)s"))
            % {"field": label(part.field)}
            for part in self.parts
        ]
        gone = [_("no %(field)s") % {"field": label(name).lower()} for name in self.emptied()]
        return ", ".join([*given, *parts, *gone])


def phrase(name: str, value: Any) -> str:
    """A field with its new value: “ends 1 May 2027”; a long text by its field alone."""
    if name in _DATES:
        return f"{label(name).lower()} {date_format(value, 'j F Y')}"
    if name == "name":
        return f"{label(name).lower()} “{value}”"
    if name == "tags":
        return f"{label(name).lower()} {', '.join(value)}"
    if name == "status":
        return f"{label(name).lower()} {words.PROJECT_STATUS[value]}"
    return label(name)


def without_nothing(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a form for something new: what was left empty is not given."""
    return {name: value for name, value in values.items() if value not in (None, "", [])}


def _empty(row: Project | ProjectDraft, name: str) -> Any:
    field = row._meta.get_field(name)
    return None if field.null else field.get_default()  # type: ignore[union-attr]
