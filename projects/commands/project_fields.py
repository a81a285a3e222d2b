"""The fields that projects and drafts share, as commands set, add to and empty them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any, Final, Literal

from django.utils.translation import gettext as _
from pydantic import BaseModel, ConfigDict, Field

from chat.commands.base import Scope
from futura.errors import BadInput
from projects.commands.texts import LONG, LongField, TextPart, refuse_unseen, with_parts
from projects.commands.wording import RowCommand, label, phrases_of
from projects.models import Project, ProjectDraft

Clearable = Literal[LongField, "tags", "start_date", "end_date"]
_STEERING: Final = frozenset({"id", "parts", "version", "clear", "todos"})


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
            for name, field in type(self).model_fields.items()
            if name not in _STEERING
        }
        return {name: value for name, value in given.items() if value is not None}


class FieldChanges(ProjectFields):
    """Fields that are set whole, and parts of long texts.

    A long text is replaced whole only with the `version` that was read whole; `parts` add to it
    or replace a quoted stretch.
    """

    parts: tuple[TextPart, ...] = ()
    version: int | None = Field(None, description="The version that was seen.")


class FieldsCommand(FieldChanges, RowCommand):
    """A command that changes a project or draft; a subclass says what it may empty."""

    clear: tuple[str, ...] = ()

    def values_on(self, row: Project | ProjectDraft) -> dict[str, Any]:
        """New values for the row. Raises Rejected, BadInput when nothing changes."""
        given = self.values()
        refuse_unseen(row, given, self.version)
        values = with_parts(row, {**dict.fromkeys(self.clear), **given}, self.parts)
        if not values:
            raise BadInput(_("Give at least one field to change."), field="id")
        return {
            name: _empty(row, name) if value is None else value for name, value in values.items()
        }

    def names(self) -> set[str]:
        """The fields that change."""
        return {*self.values(), *(part.field for part in self.parts), *self.clear}

    def sentence(self, scope: Scope) -> str:
        """“Change Garden: ends 1 May 2027, more in Goals and momentum”. Raises NotInScope."""
        values = {name: value for name, value in self.values().items() if name not in LONG}
        parts = [label(name) for name in LONG if name in self.values()]
        for part in self.parts:
            words = _("part of %(field)s") if part.replaced else _("addition to %(field)s")
            parts.append(words % {"field": label(part.field)})
        phrases = phrases_of(values, self.clear, scope, None)
        row = scope.get(self.model, self.id)
        named = {"row": row, "phrases": ", ".join(filter(None, [phrases, *parts]))}
        return str(self.wish) % named


def without_nothing(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a form for something new: what was left empty is not given."""
    return {name: value for name, value in values.items() if value not in (None, "", [])}


def _empty(row: Project | ProjectDraft, name: str) -> Any:
    field = row._meta.get_field(name)
    return None if field.null else field.get_default()  # type: ignore[union-attr]
