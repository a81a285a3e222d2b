"""Projects and drafts for tests of everything else, made and changed by the product's commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Generic, TypeVar

from chat.commands.base import Command, Scope, build
from chat.commands.run import Outcome, run
from chat.operations.changes import Actor, Cause
from chat.operations.execute import execute, raise_if_failed
from chat.operations.registry import OperableModel
from projects.checks import tidied
from projects.commands.drafts import (
    AbandonDraft,
    ChangeDraft,
    ChangeDraftTasks,
    CreateDraft,
    CreateDraftTasks,
    DeleteDraftTasks,
    FinaliseDraft,
    ResumeDraft,
    draft_created,
)
from projects.commands.projects import (
    ChangeProject,
    CreateProject,
    DeleteProject,
    project_created,
    without_nothing,
)
from projects.commands.wording import LONG
from projects.models import DraftTask, Project, ProjectDraft

RowT = TypeVar("RowT", bound=OperableModel)


@dataclass(frozen=True)
class Done(Generic[RowT]):
    """A row as it stands now, and the batch that undo takes."""

    row: RowT
    batch: Any


def carried_out(actor: Actor, command: Command, cause: Cause | None = None) -> Outcome:
    return run(command, Scope.of_actor(actor), cause=cause)


def create_project(
    *, actor: Actor, values: Mapping[str, Any], tasks: Sequence[str] = ()
) -> Done[Project]:
    """A project, and to-dos of these titles; one of a survey's task as finalising makes it."""
    if "survey_task" in values:
        created = project_created(actor.owner_id, values)
        batch = raise_if_failed(execute(actor=actor, changes=[created], is_atomic=True))
        return Done(Project.objects.get(pk=created.id), batch)
    given = without_nothing(tidied(values)) | {"name": values["name"]}
    outcome = carried_out(actor, build(CreateProject, given, todos=tasks))
    return Done(Project.objects.get(pk=outcome.created[0]), outcome.batch)


def edit_project(
    *, actor: Actor, project: Project, values: Mapping[str, Any], version: int | None = None
) -> Done[Project]:
    """Other values for some fields; a long text as it was read on the row given."""
    if not values:
        return Done(project, None)
    seen = version or (project.version if set(values) & set(LONG) else None)
    outcome = carried_out(actor, build(ChangeProject, values, id=project.pk, version=seen))
    return Done(Project.objects.get(pk=project.pk), outcome.batch)


def edit_dimension(
    *, actor: Actor, of: Project | ProjectDraft, field: str, text: str, merge: str = "replace"
) -> Done[Any]:
    """A text for one dimension, whole or joined with what is there."""
    kind = ChangeDraft if isinstance(of, ProjectDraft) else ChangeProject
    values: dict[str, Any] = {field: text}
    if merge != "replace":
        values = {"parts": [{"field": field, "text": text, "place": merge}]}
    outcome = carried_out(actor, build(kind, values, id=of.pk, version=of.version))
    return Done(type(of).objects.get(pk=of.pk), outcome.batch)


def change_status(*, actor: Actor, project: Project, status: str) -> Done[Project]:
    """Active, paused, completed or archived."""
    return edit_project(actor=actor, project=project, values={"status": status})


def finish_project(
    *, actor: Actor, project: Project, time_share_after: Decimal | None = None
) -> Done[Project]:
    """Completed, with the share that its survey task takes now."""
    values = {"status": "completed", "time_share_after": time_share_after}
    return edit_project(actor=actor, project=project, values=without_nothing(values))


def delete_project(*, actor: Actor, project: Project) -> Done[Project]:
    """Takes a project away with its to-dos and notes."""
    outcome = carried_out(actor, DeleteProject(id=project.pk))
    return Done(Project.objects.get(pk=project.pk), outcome.batch)


def start_draft(*, actor: Actor, values: Mapping[str, Any] | None = None) -> Done[ProjectDraft]:
    """A new draft; one of a survey's task as its page makes it."""
    if "survey_task" in (values or {}):
        created = draft_created(values or {})
        batch = raise_if_failed(execute(actor=actor, changes=[created], is_atomic=True))
        return Done(ProjectDraft.objects.get(pk=created.id), batch)
    outcome = carried_out(actor, build(CreateDraft, without_nothing(tidied(values or {}))))
    return Done(ProjectDraft.objects.get(pk=outcome.created[0]), outcome.batch)


def edit_draft(
    *, actor: Actor, draft: ProjectDraft, values: Mapping[str, Any], version: int | None = None
) -> Done[ProjectDraft]:
    """Other values for some fields; a long text as it was read on the row given."""
    seen = version or (draft.version if set(values) & set(LONG) else None)
    outcome = carried_out(actor, build(ChangeDraft, values, id=draft.pk, version=seen))
    return Done(ProjectDraft.objects.get(pk=draft.pk), outcome.batch)


def add_draft_task(
    *, actor: Actor, draft: ProjectDraft, values: Mapping[str, Any]
) -> Done[DraftTask]:
    """A to-do at the end of a draft."""
    outcome = carried_out(actor, build(CreateDraftTasks, {"tasks": [values]}, draft=draft.pk))
    return Done(DraftTask.objects.get(pk=outcome.created[0]), outcome.batch)


def edit_draft_task(*, actor: Actor, task: DraftTask, values: Mapping[str, Any]) -> Done[DraftTask]:
    """Other values for a to-do of a draft."""
    outcome = carried_out(actor, build(ChangeDraftTasks, values, ids=[task.pk]))
    return Done(DraftTask.objects.get(pk=task.pk), outcome.batch)


def delete_draft_task(*, actor: Actor, task: DraftTask) -> Done[DraftTask]:
    """Takes a to-do out of a draft."""
    outcome = carried_out(actor, DeleteDraftTasks(ids=(task.pk,)))
    return Done(DraftTask.objects.get(pk=task.pk), outcome.batch)


def abandon_draft(*, actor: Actor, draft: ProjectDraft) -> Done[ProjectDraft]:
    """Gives a draft up."""
    outcome = carried_out(actor, AbandonDraft(id=draft.pk))
    return Done(ProjectDraft.objects.get(pk=draft.pk), outcome.batch)


def resume_draft(*, actor: Actor, draft: ProjectDraft) -> Done[ProjectDraft]:
    """Takes a draft up again."""
    outcome = carried_out(actor, ResumeDraft(id=draft.pk))
    return Done(ProjectDraft.objects.get(pk=draft.pk), outcome.batch)


def finalise_draft(
    *, actor: Actor, draft: ProjectDraft, name: str = "", cause: Cause | None = None
) -> Done[Project]:
    """Makes the project of a draft."""
    command = build(FinaliseDraft, {"name": name or None}, id=draft.pk, version=draft.version)
    outcome = carried_out(actor, command, cause)
    return Done(Project.objects.get(pk=outcome.created[0]), outcome.batch)
