"""Changes of projects: made, edited, given another status, deleted."""

from __future__ import annotations

import uuid

from django.utils.translation import gettext as _

from chat.operations.changes import Create, Delete, Update, Values
from futura.errors import BadInput
from projects.checks import checked, status_of
from projects.models import Project
from projects.slugs import free_slug


def project_created(owner_id: uuid.UUID, values: Values) -> Create:
    """A new project with a slug of its own. Raises BadInput, TooLong.

    Within a transaction the slug stays free until it ends.
    """
    told = checked(values)
    if not told.get("name"):
        raise BadInput(_("Give the project a name."), field="name")
    if "status" in told:
        status_of(Project, told["status"])
    told["slug"] = free_slug(owner_id, told.get("slug") or told["name"])
    return Create("project", told)


def project_edited(project: Project, values: Values, *, version: int | None = None) -> Update:
    """Other values for some fields. Raises BadInput, TooLong."""
    told = checked(values, row=project, required="name")
    if "status" in told:
        status_of(Project, told["status"])
    return Update("project", project.pk, told, version)


def project_status(project: Project, status: str, *, version: int | None = None) -> Update:
    """Active, paused, completed or archived. Raises BadInput."""
    return Update("project", project.pk, {"status": status_of(Project, status)}, version)


def project_deleted(project: Project, *, version: int | None = None) -> Delete:
    """Takes its to-dos and notes along."""
    return Delete("project", project.pk, version)
