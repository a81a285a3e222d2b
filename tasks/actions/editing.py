"""What every change to a response shares: the lock, the version check, telling other tabs."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from django.db import transaction
from django.utils.translation import gettext as _

from chat import events
from futura.errors import BadInput, Conflict, NotFound
from tasks.models import SurveyResponse, TaskMatch, WorkTask

RUNNING_STEPS = frozenset(
    {
        SurveyResponse.Step.QUEUED,
        SurveyResponse.Step.EXTRACTING,
        SurveyResponse.Step.NORMALISING,
        SurveyResponse.Step.DEDUPLICATING,
    }
)


@contextmanager
def editing(response: SurveyResponse) -> Iterator[SurveyResponse]:
    """A transaction that holds the response; Conflict when it was submitted, NotFound when gone.

    All changes to one response queue up here, so positions and totals never interleave.
    """
    with transaction.atomic():
        locked = SurveyResponse.objects.select_for_update().filter(pk=response.pk).first()
        if locked is None:
            raise NotFound
        if locked.submitted_at is not None:
            raise Conflict(_("This list was sent. It can be read, but no longer changed."))
        yield locked


def task_in(
    response: SurveyResponse, task_id: uuid.UUID, *, version: int | None = None
) -> WorkTask:
    """A task of the response, deleted or not; Conflict when `version` is not the current one."""
    task = response.tasks.filter(pk=task_id).first()
    if task is None:
        raise NotFound
    if version is not None and version != task.version:
        raise Conflict(_("This task was changed in another tab meanwhile."))
    return task


def living_task(
    response: SurveyResponse, task_id: uuid.UUID, *, version: int | None = None
) -> WorkTask:
    """Like `task_in`, but a deleted task cannot be worked on (BadInput)."""
    task = task_in(response, task_id, version=version)
    if task.deleted_at is not None:
        raise BadInput(_("This task was deleted. Put it back first."))
    return task


def save_task(task: WorkTask, *fields: str) -> None:
    """Saves the named fields, raises the version and tells other tabs after the commit."""
    task.version += 1
    task.save(update_fields=[*fields, "version", "updated_at"])
    tell(task.response_id, kind="task", id=task.pk, version=task.version)


def tell_list(response: SurveyResponse) -> None:
    """Other tabs fetch the whole list: tasks came, went or moved."""
    tell(response.pk, kind="list", id=response.pk, version=list_version(response))


def list_version(response: SurveyResponse) -> int:
    """Grows with every change to the list: the sum of all versions, deleted tasks included."""
    return sum(response.tasks.values_list("version", flat=True))


def tell(session_id: uuid.UUID, *, kind: str, id: uuid.UUID, version: int) -> None:  # noqa: A002
    """Appends a reference to the session's log once the change is committed."""
    feature = events.Feature(kind=kind, id=str(id), version=version)
    transaction.on_commit(partial(events.append, session_id, feature))


def match_of(task: WorkTask) -> TaskMatch:
    """The task's match row, locked; made when there was none."""
    match, _created = TaskMatch.objects.select_for_update().get_or_create(task=task)
    return match
