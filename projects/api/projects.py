"""JSON for programs: a person's projects, read whole and changed by the commands."""

from __future__ import annotations

import uuid
from functools import partial
from typing import Any, Final

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status

from chat.api import own
from chat.commands.api import scope_of
from chat.commands.base import build
from chat.identity import identity_of
from projects import queries
from projects.api.doors import DeletedOut, changed, deleted
from projects.commands.projects import ChangeProject, CreateProject, DeleteProject, ProjectChanges
from projects.commands.reads import ListProjects
from projects.shapes import ProjectOut, ProjectsOut, shaped

router = Router(tags=["Projects"])
_PROJECT: Final[dict[str, Any]] = {
    "path": "/projects/{uuid:project_id}", "auth": own("project_id", queries.project_for),
    "url_name": "project",
}  # fmt: skip
_whole = partial(shaped, shape=ProjectOut)
_changed = partial(changed, "project", queries.project_for, _whole)


class ProjectChangedOut(Schema):
    """A project as it is now, and the batch that undo takes."""

    project: ProjectOut
    batch_id: uuid.UUID


@router.get(
    "/projects", response=ProjectsOut, url_name="projects",
    summary="Projects, page by page",
)  # fmt: skip
def get_projects(request: HttpRequest, of: Query[ListProjects]) -> ProjectsOut:
    """The caller's projects, last changed first."""
    return of.read(scope_of(request))


@router.post(
    "/projects", response={201: ProjectChangedOut}, url_name="projects",
    summary="Create a project",
)  # fmt: skip
def post_project(request: HttpRequest, project: CreateProject) -> Status[dict[str, Any]]:
    """With first to-dos, if there are some."""
    return Status(201, _changed(request, project))


@router.get(**_PROJECT, response=ProjectOut, summary="A project")
def get_project(request: HttpRequest, project_id: uuid.UUID) -> ProjectOut:
    """All its texts; its to-dos and notes have addresses of their own."""
    return _whole(queries.project_for(identity_of(request), project_id))


@router.patch(
    **_PROJECT,
    response=ProjectChangedOut,
    summary="Change or clear fields of a project",
)
def patch_project(
    request: HttpRequest, project_id: uuid.UUID, change: ProjectChanges
) -> dict[str, Any]:
    """See the command `change_project`; the status `archived` puts a project away."""
    values = change.model_dump(exclude_unset=True, by_alias=True)
    return _changed(request, build(ChangeProject, values, id=project_id), project_id)


@router.delete(**_PROJECT, response=DeletedOut, summary="Delete a project")
def delete_project(request: HttpRequest, project_id: uuid.UUID) -> dict[str, Any]:
    """With its to-dos and notes; undo brings all of it back."""
    return deleted(request, DeleteProject(id=project_id))
