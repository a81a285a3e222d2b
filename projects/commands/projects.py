"""The commands of projects: create, change or clear any field, add to its texts, delete."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Mapping
from decimal import Decimal
from itertools import count
from typing import Annotated, Any, ClassVar, Final, Literal

from django.utils.translation import gettext as _, gettext_lazy
from pydantic import BaseModel, ConfigDict, Field

from chat.commands.base import Scope, SeenVersion
from chat.operations.changes import Change, Create, Update, Values
from futura import locks
from futura.errors import BadInput
from futura.parameters import OneOf
from futura.text import latin_slug
from projects import dimensions
from projects.checks import checked
from projects.commands.todo_changes import todo_changed, todo_created
from projects.commands.todos import AT_ONCE
from projects.commands.wording import (
    LONG,
    DeleteRow,
    RowCommand,
    TextPart,
    Titled,
    label,
    phrases_of,
    refuse_unseen,
    with_parts,
)
from projects.fields import ProjectStatus, emptiable, empty_value
from projects.models import Project, ProjectDraft
from projects.queries import open_todos_of

_STEERING: Final = frozenset({"id", "parts", "version", "clear", "todos", "open_todos"})


@dimensions.with_dimensions(lambda dimension: (str | None, Field(None, description=dimension.hint)))
class _Texts(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    project_name: str | None = Field(
        None, alias="name", description="At most 200 characters."
    )  # `name` is the command's own
    description: str | None = Field(None, description="A few sentences of Markdown.")
    context: str | None = Field(None, description="Whatever else is known.")
    executive_summary: str | None = None


class ProjectFields(_Texts):
    """What every door may set on a project or draft; null leaves a field as it is.

    The nine dimensions are Markdown of at most 50,000 characters each.
    """

    tags: tuple[str, ...] | None = Field(None, description="At most 20; replaces all of them.")
    start_date: dt.date | None = None
    end_date: dt.date | None = None

    def values(self) -> dict[str, Any]:
        fields = {
            field.alias or name: getattr(self, name)
            for name, field in type(self).model_fields.items()
            if name not in _STEERING
        }
        return {name: value for name, value in fields.items() if value is not None}


class FieldChanges(ProjectFields):
    """Fields that are set whole, and parts of long texts.

    A long text is replaced whole only with the `version` that was read whole; `parts` add to it
    or replace a quoted stretch.
    """

    parts: tuple[TextPart, ...] = ()
    version: SeenVersion | None = Field(None, description="The version that was seen.")


class FieldsCommand(FieldChanges, RowCommand):
    """A command that changes a project or draft; a subclass says what it may empty."""

    clear: tuple[str, ...] = ()

    def values_on(self, row: Project | ProjectDraft) -> dict[str, Any]:
        """New values for the row. Raises Rejected, BadInput when nothing changes."""
        changed = self.values()
        refuse_unseen(row, changed, self.version)
        emptied = {name: empty_value(type(row), name) for name in self.clear}
        values = with_parts(row, {**emptied, **changed}, self.parts)
        if not values:
            raise BadInput(_("Give at least one field to change."))
        return values

    def _besides(self) -> list[str]:
        """What else it does, in words."""
        return []

    def names(self) -> set[str]:
        return {*self.values(), *(part.field for part in self.parts), *self.clear}

    def sentence(self, scope: Scope) -> str:
        values = {name: value for name, value in self.values().items() if name not in LONG}
        parts = [label(name) for name in LONG if name in self.values()]
        for part in self.parts:
            words = _("part of %(field)s") if part.replaced else _("addition to %(field)s")
            parts.append(words % {"field": label(part.field)})
        phrases = phrases_of(self.model, values, self.clear, scope)
        parts += self._besides()
        row = scope.get(self.model, self.id)
        named = {"row": row, "phrases": ", ".join(filter(None, [phrases, *parts]))}
        return str(self.wish) % named


def without_nothing(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a form for something new: what was left empty is not given."""
    return {name: value for name, value in values.items() if value not in (None, "", [])}


Share = Annotated[
    Decimal | None,
    Field(
        ge=0, le=100, decimal_places=2,
        description="Percent of working time that its survey task takes now.",
    ),
]  # fmt: skip


class CreateProject(ProjectFields, Titled):
    """Makes a project, with first to-dos if there are some."""

    name: ClassVar[str] = "create_project"
    done = gettext_lazy("Created project")

    project_name: str = Field(alias="name", description="At most 200 characters.")
    status: ProjectStatus | None = None
    todos: tuple[str, ...] = Field((), description="Titles of first to-dos, at most 200.")

    def plan(self, scope: Scope) -> list[Change]:
        if len(self.todos) > AT_ONCE:
            raise BadInput(_("At most %(n)d at a time.") % {"n": AT_ONCE}, field="todos")
        created = project_created(scope.actor.owner_id, self.values())
        project = Project(id=created.id)
        todos = [
            todo_created(project, {"title": title}, position=position)
            for position, title in enumerate(self.todos, start=1)
        ]
        return [created, *todos]

    def sentence(self, scope: Scope) -> str:  # noqa: ARG002
        return _("Create the project “%(name)s”") % {"name": self.project_name}


class ProjectChanges(FieldChanges):
    """Fields that are left out stay; the status `archived` puts a project away.

    A long text is replaced whole only with the `version` that was read whole; `parts` add to it
    or replace a quoted stretch.
    """

    status: ProjectStatus | None = None
    time_share_after: Share = None
    open_todos: Literal["completed", "dropped"] | None = Field(
        None, description="What becomes of the to-dos that are still open; null leaves them."
    )


CLEARABLE: Final = emptiable(Project, ProjectChanges, but=("name",))


class ChangeProject(ProjectChanges, FieldsCommand):
    """Changes a project: any field, its status (archived puts it away), parts of its texts.

    A long text is replaced whole only with the `version` that was read whole; `parts` add to it
    or replace a quoted stretch. `clear` empties fields.
    """

    name: ClassVar[str] = "change_project"
    clearable: ClassVar[frozenset[str]] = frozenset(CLEARABLE)
    model = Project
    wish = gettext_lazy("Edit %(row)s: %(phrases)s")

    clear: tuple[Annotated[str, OneOf(CLEARABLE)], ...] = ()

    def plan(self, scope: Scope) -> list[Change]:
        project = scope.get(Project, self.id)
        version = self.version or project.version
        fields = checked(self.values_on(project), row=project, required="name")
        return [Update("project", project.pk, fields, version), *self._ended(project)]

    def _besides(self) -> list[str]:
        ends = {
            "completed": _("its open to-dos completed"),
            "dropped": _("its open to-dos dropped"),
        }
        return [ends[self.open_todos]] if self.open_todos else []

    def _ended(self, project: Project) -> list[Change]:
        """Its open to-dos as `open_todos` says; those that repeat do not come again."""
        if self.open_todos is None:
            return []
        values = {"status": self.open_todos}
        return [todo_changed(task, values, version=task.version) for task in open_todos_of(project)]

    @property
    def ledger_title(self) -> str:
        names = self.names()
        if names <= {"status", "time_share_after"} and self.status == "completed":
            return _("Completed project")
        if names == {"status"}:
            return _("Changed project status")
        if len(names) == 1 and names <= set(dimensions.FIELDS):
            return _("Edited dimension")
        return _("Edited project")


class DeleteProject(DeleteRow):
    """Deletes a project with its to-dos and notes; undo brings all of it back."""

    name: ClassVar[str] = "delete_project"
    model = Project
    done = gettext_lazy("Deleted project")
    wish = gettext_lazy("Delete the project “%(row)s” with its to-dos and notes")

    version: SeenVersion | None = Field(None, description="The version that was seen.")


COMMANDS: Final = (CreateProject, ChangeProject, DeleteProject)


def project_created(owner_id: uuid.UUID, values: Values) -> Create:
    """A new project with a slug of its own. Raises BadInput, TooLong.

    Within a transaction the slug stays free until it ends.
    """
    fields = checked(values)
    if not fields.get("name"):
        raise BadInput(_("Enter a name for the project."), field="name")
    fields["slug"] = free_slug(owner_id, fields["name"])
    return Create("project", fields)


SLUG_CHARS: Final = 80
_ROOM: Final = SLUG_CHARS - 8  # for a number behind it
_FALLBACK: Final = "project"


def slug_of(name: str) -> str:
    """A name in lower-case ASCII words with hyphens; never empty, room left for a number."""
    whole = latin_slug(name)
    cut = whole[: _ROOM + 1].rpartition("-")[0] if len(whole) > _ROOM else whole
    return (cut or whole[:_ROOM]).strip("-_") or _FALLBACK


def free_slug(owner_id: uuid.UUID, name: str) -> str:
    """The first of `name`, `name-2`, `name-3` … that no living project of the owner has.

    Within a transaction it stays free until the end: others who ask for the same owner wait.
    """
    locks.wait_for(f"slugs {owner_id}")
    requested = slug_of(name)
    same = Project.objects.filter(owner_id=owner_id, deleted_at=None, slug__startswith=requested)
    taken = set(same.values_list("slug", flat=True))
    if requested not in taken:
        return requested
    return next(slug for n in count(2) if (slug := f"{requested}-{n}") not in taken)
