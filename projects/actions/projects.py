"""Writes projects: make, edit, describe, finish, put away, delete."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from django.db import transaction
from django.utils.translation import gettext as _

from chat.operations.changes import Actor, Cause, Values
from projects import changes
from projects.actions.writing import Done, perform
from projects.changes import Merge
from projects.commands.todo_changes import todo_created
from projects.models import Project, ProjectDraft


def create_project(
    *, actor: Actor, values: Values, tasks: Sequence[str] = (), cause: Cause | None = None
) -> Done[Project]:
    """A project with a unique slug, and to-dos of these titles. Raises BadInput, TooLong."""
    with transaction.atomic():
        made = changes.project_created(actor.owner_id, values)
        project = Project(id=made.id)
        todos = [
            todo_created(project, {"title": title}, position=place)
            for place, title in enumerate(tasks, start=1)
        ]
        title = _("Created the project")
        batch = perform([made, *todos], actor=actor, title=title, cause=cause)
    return Done(Project.objects.get(pk=made.id), batch)


def edit_project(
    *,
    actor: Actor,
    project: Project,
    values: Values,
    version: int | None = None,
    cause: Cause | None = None,
) -> Done[Project]:
    """Other values for some fields. Raises BadInput, TooLong, Conflict for a stale version."""
    change = changes.project_edited(project, values, version=version)
    batch = perform([change], actor=actor, title=_("Edited the project"), cause=cause)
    return Done(Project.objects.get(pk=project.pk), batch)


def edit_dimension(
    *,
    actor: Actor,
    of: Project | ProjectDraft,
    field: str,
    text: str,
    merge: Merge = "replace",
    version: int | None = None,
    cause: Cause | None = None,
) -> Done[Project] | Done[ProjectDraft]:
    """A Markdown text for one dimension of a project or draft, replacing or joining what is there.

    Raises BadInput, TooLong, Conflict for a stale version.
    """
    change = changes.dimension_edited(of, field, text, merge, version=version)
    batch = perform([change], actor=actor, title=_("Edited a dimension"), cause=cause)
    if isinstance(of, ProjectDraft):
        return Done(ProjectDraft.objects.get(pk=of.pk), batch)
    return Done(Project.objects.get(pk=of.pk), batch)


def change_status(
    *,
    actor: Actor,
    project: Project,
    status: str,
    version: int | None = None,
    cause: Cause | None = None,
) -> Done[Project]:
    """Active, paused, completed or archived. Raises BadInput, Conflict."""
    change = changes.project_status(project, status, version=version)
    title = _("Changed the status of the project")
    batch = perform([change], actor=actor, title=title, cause=cause)
    return Done(Project.objects.get(pk=project.pk), batch)


def finish_project(
    *,
    actor: Actor,
    project: Project,
    time_share_after: Decimal | None = None,
    cause: Cause | None = None,
) -> Done[Project]:
    """Completed; for one that came from a survey, with the share its task takes now (percent)."""
    values: dict[str, object] = {"status": Project.Status.COMPLETED}
    if time_share_after is not None:
        values["time_share_after"] = time_share_after.quantize(Decimal("0.01"))
    change = changes.project_edited(project, values)
    batch = perform([change], actor=actor, title=_("Finished the project"), cause=cause)
    return Done(Project.objects.get(pk=project.pk), batch)


def delete_project(
    *, actor: Actor, project: Project, version: int | None = None, cause: Cause | None = None
) -> Done[Project]:
    """Takes a project away with its to-dos and notes; undo brings all of it back."""
    change = changes.project_deleted(project, version=version)
    batch = perform([change], actor=actor, title=_("Deleted the project"), cause=cause)
    return Done(Project.objects.get(pk=project.pk), batch)
