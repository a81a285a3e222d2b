"""The commands of projects: create, change or clear any field, add to its texts, delete."""

from __future__ import annotations

import uuid
from decimal import Decimal
from typing import Annotated, ClassVar, Final, Literal, get_args

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from pydantic import Field

from chat.commands.base import Scope
from chat.operations.changes import Change, Create, Delete, Update, Values
from futura.errors import BadInput
from projects import dimensions
from projects.checks import checked
from projects.commands.project_fields import (
    Clearable,
    FieldChanges,
    FieldsCommand,
    ProjectFields,
)
from projects.commands.todo_changes import todo_created
from projects.commands.todos import AT_ONCE
from projects.commands.wording import RowCommand, Titled
from projects.models import Project
from projects.slugs import free_slug

Status = Literal["active", "paused", "completed", "archived"]
ProjectClearable = Literal[Clearable, "time_share_after"]
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
    status: Status | None = None
    todos: tuple[str, ...] = Field((), description="Titles of first to-dos, at most 200.")

    def plan(self, scope: Scope) -> list[Change]:
        """The project, then its to-dos. Raises BadInput, TooLong."""
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
        """“Create the project Garden”."""
        return _("Create the project “%(name)s”") % {"name": self.project_name}


class ProjectChanges(FieldChanges):
    """Fields that are left out stay; the status `archived` puts a project away.

    A long text is replaced whole only with the `version` that was read whole; `parts` add to it
    or replace a quoted stretch.
    """

    status: Status | None = None
    time_share_after: Share = None


class ChangeProject(ProjectChanges, FieldsCommand):
    """Changes a project: any field, its status (archived puts it away), parts of its texts.

    A long text is replaced whole only with the `version` that was read whole; `parts` add to it
    or replace a quoted stretch. `clear` empties fields.
    """

    name: ClassVar[str] = "change_project"
    clearable: ClassVar[frozenset[str]] = frozenset(get_args(ProjectClearable))
    model = Project
    wish = gettext_lazy("Edit %(row)s: %(phrases)s")

    clear: tuple[ProjectClearable, ...] = ()

    def plan(self, scope: Scope) -> list[Change]:
        """One update. Raises NotInScope, Rejected, BadInput, TooLong."""
        project = scope.get(Project, self.id)
        version = self.version or project.version
        fields = checked(self.values_on(project), row=project, required="name")
        return [Update("project", project.pk, fields, version)]

    @property
    def ledger_title(self) -> str:
        """“Changed the status of the project”, “Edited a dimension”, “Edited the project”."""
        names = self.names()
        if names == {"status"}:
            return _("Changed project status")
        if names == {"status", "time_share_after"} and self.status == "completed":
            return _("Completed project")
        if len(names) == 1 and names <= set(dimensions.FIELDS):
            return _("Edited dimension")
        return _("Edited project")


class DeleteProject(RowCommand):
    """Deletes a project with its to-dos and notes; undo brings all of it back."""

    name: ClassVar[str] = "delete_project"
    model = Project
    done = gettext_lazy("Deleted project")
    wish = gettext_lazy("Delete the project “%(row)s” with its to-dos and notes")

    version: int | None = Field(None, description="The version that was seen.")

    def plan(self, scope: Scope) -> list[Change]:
        """One deletion, which takes along what belongs to it. Raises NotInScope."""
        project = scope.get(Project, self.id)
        return [Delete("project", project.pk, self.version or project.version)]


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
