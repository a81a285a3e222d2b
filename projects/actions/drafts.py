"""Writes drafts: start, edit, give up, take up again, make a project of them."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.models import Session
from chat.operations.changes import Actor, Cause, Kind, Values
from chat.operations.erase import erase
from futura.errors import Conflict
from projects import changes, queries
from projects.actions.writing import Done, perform
from projects.models import DraftTask, Project, ProjectDraft


def start_draft(
    *,
    actor: Actor,
    values: Values | None = None,
    session: Session | None = None,
    cause: Cause | None = None,
) -> Done[ProjectDraft]:
    """A new draft; the one of a conversation that has one already is a Conflict.

    Raises BadInput, TooLong.
    """
    made = changes.draft_created(values or {}, session=session)
    batch = perform([made], actor=actor, title=_("Started a draft"), cause=cause)
    return Done(ProjectDraft.objects.get(pk=made.id), batch)


def edit_draft(
    *,
    actor: Actor,
    draft: ProjectDraft,
    values: Values,
    version: int | None = None,
    cause: Cause | None = None,
) -> Done[ProjectDraft]:
    """Other values for some fields. Raises BadInput, TooLong, Conflict for a stale version."""
    change = changes.draft_edited(draft, values, version=version)
    batch = perform([change], actor=actor, title=_("Edited the draft"), cause=cause)
    return Done(ProjectDraft.objects.get(pk=draft.pk), batch)


def add_draft_task(
    *, actor: Actor, draft: ProjectDraft, values: Values, cause: Cause | None = None
) -> Done[DraftTask]:
    """A to-do at the end of a draft. Raises BadInput, TooLong, Conflict."""
    made = changes.draft_task_created(draft, values)
    batch = perform([made], actor=actor, title=_("Added a to-do to the draft"), cause=cause)
    return Done(DraftTask.objects.get(pk=made.id), batch)


def edit_draft_task(
    *,
    actor: Actor,
    task: DraftTask,
    values: Values,
    version: int | None = None,
    cause: Cause | None = None,
) -> Done[DraftTask]:
    """Other values for a to-do of a draft. Raises BadInput, TooLong, Conflict."""
    change = changes.draft_task_edited(task, values, version=version)
    batch = perform([change], actor=actor, title=_("Edited a to-do of the draft"), cause=cause)
    return Done(DraftTask.objects.get(pk=task.pk), batch)


def delete_draft_task(
    *, actor: Actor, task: DraftTask, cause: Cause | None = None
) -> Done[DraftTask]:
    """Takes a to-do out of a draft; undo brings it back. Raises Conflict."""
    change = changes.draft_task_deleted(task)
    title = _("Deleted a to-do of the draft")
    batch = perform([change], actor=actor, title=title, cause=cause)
    return Done(DraftTask.objects.get(pk=task.pk), batch)


def abandon_draft(
    *, actor: Actor, draft: ProjectDraft, cause: Cause | None = None
) -> Done[ProjectDraft]:
    """Gives a draft up; it is kept for 30 days and can be taken up again. Raises Conflict."""
    change = changes.draft_abandoned(draft)
    batch = perform([change], actor=actor, title=_("Gave the draft up"), cause=cause)
    return Done(ProjectDraft.objects.get(pk=draft.pk), batch)


def resume_draft(
    *, actor: Actor, draft: ProjectDraft, cause: Cause | None = None
) -> Done[ProjectDraft]:
    """Takes a draft up again that was given up. Raises Conflict for one that is a project."""
    change = changes.draft_resumed(draft)
    batch = perform([change], actor=actor, title=_("Took the draft up again"), cause=cause)
    return Done(ProjectDraft.objects.get(pk=draft.pk), batch)


def finalise_draft(
    *, actor: Actor, draft: ProjectDraft, name: str = "", cause: Cause | None = None
) -> Done[Project]:
    """Makes the project and its to-dos and ends the draft: all of it, or nothing.

    Raises BadInput without a name, Conflict when the draft moved on or is a project already.
    Undoing the batch takes the project back and opens the draft again.
    """
    with transaction.atomic():
        told = changes.draft_finalised(draft, queries.draft_tasks_of(draft), name=name)
        title = _("Made the draft a project")
        batch = perform(told, actor=actor, title=title, cause=cause)
    return Done(Project.objects.get(pk=told[0].id), batch)


def abandon_untouched(now: datetime | None = None) -> int:
    """Gives up every draft that nobody touched for seven days; how many. Safe to run twice."""
    given_up = 0
    for draft in queries.untouched_drafts(now or timezone.now()):
        reason = _("Nobody touched it for seven days.")
        try:
            abandon_draft(
                actor=Actor(draft.owner_id, Kind.SYSTEM), draft=draft, cause=Cause(reason=reason)
            )
        except Conflict:
            continue  # touched, or given up, this very moment
        given_up += 1
    return given_up


def purge_abandoned(now: datetime | None = None) -> int:
    """Erases every draft that was given up 30 days ago; how many. Safe to run twice."""
    erased = 0
    for draft in queries.drafts_to_purge(now or timezone.now()):
        with transaction.atomic():
            same = ProjectDraft.objects.select_for_update().filter(version=draft.version)
            if not same.filter(pk=draft.pk).exists():
                continue  # taken up again this very moment
            erase(
                actor=Actor(draft.owner_id, Kind.SYSTEM),
                rows=[("draft", draft.pk)],
                reason=_("It was given up 30 days ago."),
            )
        erased += 1
    return erased
