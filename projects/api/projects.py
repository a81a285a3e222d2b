"""JSON for programs: a person's projects, read whole and changed by the commands."""

from __future__ import annotations

import uuid
from typing import Any, Final, Literal

from django.http import HttpRequest
from ninja import Field, Query, Router, Schema, Status

from chat.commands.api import REFUSALS, run_by_program
from chat.commands.base import build
from chat.identity import identity_of
from projects import queries
from projects.commands.project_fields import ProjectFields
from projects.commands.projects import ChangeProject, CreateProject, DeleteProject, Share
from projects.commands.projects import Status as ProjectStatus
from projects.commands.texts import TextPart
from projects.models import Project
from projects.shapes import ProjectOut, ProjectsOut, page_of, values_of

router = Router(tags=["Projects"])
_ONE: Final = "/projects/{uuid:project_id}"
_PAGE: Final = 50


class ChangedOut(Schema):
    """A project as it is now, and the batch that undo takes."""

    project: ProjectOut
    batch_id: uuid.UUID


class DeletedOut(Schema):
    """The batch whose undo brings everything back."""

    batch_id: uuid.UUID


class ProjectIn(ProjectFields):
    """A project that is to be made."""

    project_name: str = Field(alias="name", description="At most 200 characters.")
    status: ProjectStatus | None = None
    todos: tuple[str, ...] = Field((), description="Titles of first to-dos, at most 200.")


class ProjectChange(ProjectFields):
    """Fields that are left out stay; null empties one that can be empty.

    A long text is replaced only with the `version` that was read; `parts` add to it or replace a
    quoted stretch. With `version`, a project that has moved on since is refused with 409.
    """

    status: ProjectStatus | None = None
    time_share_after: Share = None
    parts: tuple[TextPart, ...] = ()
    version: int | None = None


class ListOf(Schema):
    """Which projects."""

    status: Literal["", "active", "paused", "completed", "archived"] = ""
    page: int = Field(1, ge=1, le=1_000)


def _own(request: HttpRequest) -> Project:
    """The caller's project, looked at before anything that was sent. Raises NotFound."""
    match = request.resolver_match
    assert match is not None  # noqa: S101 - a view is running
    return queries.project_for(identity_of(request), uuid.UUID(str(match.kwargs["project_id"])))


@router.get(
    "/projects", response={200: ProjectsOut, **REFUSALS}, url_name="projects",
    summary="Projects, page by page",
)  # fmt: skip
def get_projects(request: HttpRequest, of: Query[ListOf]) -> dict[str, Any]:
    """The caller's projects, last changed first."""
    return page_of(identity_of(request), of.status, of.page)


@router.post(
    "/projects", response={201: ChangedOut, **REFUSALS}, url_name="projects",
    summary="Create a project",
)  # fmt: skip
def post_project(request: HttpRequest, project: ProjectIn) -> Status[dict[str, Any]]:
    """With first to-dos, if there are some."""
    values = project.model_dump(by_alias=True, exclude_none=True)
    outcome = run_by_program(request, build(CreateProject, values))
    return Status(201, _changed(request, outcome.created[0], outcome.batch.pk))


@router.get(
    _ONE, auth=_own, response={200: ProjectOut, **REFUSALS}, url_name="project",
    summary="A project",
)  # fmt: skip
def get_project(request: HttpRequest, project_id: uuid.UUID) -> dict[str, Any]:
    """All its texts; its to-dos and notes have addresses of their own."""
    return values_of(queries.project_for(identity_of(request), project_id), ProjectOut)


@router.patch(
    _ONE, auth=_own, response={200: ChangedOut, **REFUSALS}, url_name="project",
    summary="Change or clear fields of a project",
)  # fmt: skip
def patch_project(
    request: HttpRequest, project_id: uuid.UUID, change: ProjectChange
) -> dict[str, Any]:
    """See the command `change_project`; the status `archived` puts a project away."""
    values = change.model_dump(exclude_unset=True, by_alias=True)
    outcome = run_by_program(request, build(ChangeProject, values, id=project_id))
    return _changed(request, project_id, outcome.batch.pk)


@router.delete(
    _ONE, auth=_own, response={200: DeletedOut, **REFUSALS}, url_name="project",
    summary="Delete a project",
)  # fmt: skip
def delete_project(request: HttpRequest, project_id: uuid.UUID) -> dict[str, Any]:
    """With its to-dos and notes; undo brings all of it back."""
    return {"batch_id": run_by_program(request, DeleteProject(id=project_id)).batch.pk}


def _changed(request: HttpRequest, project_id: uuid.UUID, batch_id: uuid.UUID) -> dict[str, Any]:
    project = queries.project_for(identity_of(request), project_id)
    return {"project": values_of(project, ProjectOut), "batch_id": batch_id}
