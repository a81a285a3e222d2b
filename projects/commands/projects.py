"""The commands of projects: create, change or clear any field, add to its texts, delete."""

from __future__ import annotations

import uuid
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Final, Literal, get_args

from django.utils.translation import gettext as _
from pydantic import Field

from chat.commands.base import Command, Scope
from chat.operations.changes import Change, Create, Delete, Update, Values
from futura.errors import BadInput
from projects import dimensions
from projects.checks import checked, status_of
from projects.commands.project_fields import Clearable, FieldChanges, ProjectFields
from projects.commands.todo_changes import todo_created
from projects.commands.todos import AT_ONCE
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


class CreateProject(ProjectFields, Command):
    """Makes a project, with first to-dos if there are some."""

    name: ClassVar[str] = "create_project"
    area: ClassVar[str] = "projects"

    project_name: str = Field(alias="name", description="At most 200 characters.")
    status: Status | None = None
    todos: tuple[str, ...] = Field((), description="Titles of first to-dos, at most 200.")

    def plan(self, scope: Scope) -> list[Change]:
        """The project, then its to-dos. Raises BadInput, TooLong."""
        if len(self.todos) > AT_ONCE:
            raise BadInput(_("At most %(n)d at once, please.") % {"n": AT_ONCE}, field="todos")
        status = {"status": self.status} if self.status else {}
        created = project_created(scope.actor.owner_id, {**self.values(), **status})
        project = Project(id=created.id)
        todos = [
            todo_created(project, {"title": title}, position=position)
            for position, title in enumerate(self.todos, start=1)
        ]
        return [created, *todos]

    @property
    def ledger_title(self) -> str:
        """“Created the project”."""
        return _("Created the project")

    def sentence(self, scope: Scope) -> str:  # noqa: ARG002
        """“Create the project Garden”."""
        return _("Create the project “%(name)s”") % {"name": self.project_name}


class ChangeProject(FieldChanges, Command):
    """Changes a project: any field, its status (archived puts it away), parts of its texts.

    A long text is replaced whole only with the `version` that was read whole; `parts` add to it
    or replace a quoted stretch. `clear` empties fields.
    """

    name: ClassVar[str] = "change_project"
    area: ClassVar[str] = "projects"
    clearable: ClassVar[frozenset[str]] = frozenset(get_args(ProjectClearable))

    status: Status | None = None
    time_share_after: Share = None
    clear: tuple[ProjectClearable, ...] = ()

    def values(self) -> dict[str, Any]:
        """What is given, by field."""
        more = {"status": self.status, "time_share_after": self.time_share_after}
        return super().values() | {name: value for name, value in more.items() if value is not None}

    def plan(self, scope: Scope) -> list[Change]:
        """One update. Raises NotInScope, Rejected, BadInput, TooLong."""
        project = scope.get(Project, self.id)
        version = self.version or project.version
        return [project_changed(project, self.values_on(project), version=version)]

    @property
    def ledger_title(self) -> str:
        """“Changed the status of the project”, “Edited a dimension”, “Edited the project”."""
        names = self.names()
        if names == {"status"}:
            return _("Changed the status of the project")
        if names == {"status", "time_share_after"} and self.status == "completed":
            return _("Finished the project")
        if len(names) == 1 and names <= set(dimensions.FIELDS):
            return _("Edited a dimension")
        return _("Edited the project")

    def sentence(self, scope: Scope) -> str:
        """“Change Garden: ends 1 May 2027”."""
        name = scope.get(Project, self.id).name
        return _("Change %(project)s: %(phrases)s") % {"project": name, "phrases": self.phrases()}


class DeleteProject(Command):
    """Deletes a project with its to-dos and notes; undo brings all of it back."""

    name: ClassVar[str] = "delete_project"
    area: ClassVar[str] = "projects"

    id: uuid.UUID
    version: int | None = Field(None, description="The version that was seen.")

    def plan(self, scope: Scope) -> list[Change]:
        """One deletion, which takes along what belongs to it. Raises NotInScope."""
        project = scope.get(Project, self.id)
        return [Delete("project", project.pk, self.version or project.version)]

    @property
    def ledger_title(self) -> str:
        """“Deleted the project”."""
        return _("Deleted the project")

    def sentence(self, scope: Scope) -> str:
        """“Delete the project Garden with all that belongs to it”."""
        name = scope.get(Project, self.id).name
        return _("Delete the project “%(name)s” with its to-dos and notes") % {"name": name}


COMMANDS: Final = (CreateProject, ChangeProject, DeleteProject)


def project_created(owner_id: uuid.UUID, values: Values) -> Create:
    """A new project with a slug of its own. Raises BadInput, TooLong.

    Within a transaction the slug stays free until it ends.
    """
    fields = checked(values)
    if not fields.get("name"):
        raise BadInput(_("Give the project a name."), field="name")
    fields["slug"] = free_slug(owner_id, fields["name"])
    return Create("project", fields)


def project_changed(project: Project, values: Values, *, version: int | None = None) -> Update:
    """Other values for some fields. Raises BadInput, TooLong."""
    fields = checked(values, row=project, required="name")
    if "status" in fields:
        status_of(Project, fields["status"])
    return Update("project", project.pk, fields, version)
