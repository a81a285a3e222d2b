"""What every change to a response shares: the lock, the version check, one batch of the ledger."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from chat import events
from chat.operations.changes import Actor, Change, Create, Update
from futura.errors import BadInput, Conflict, NotFound
from tasks import changes
from tasks.campaigns.closing import fixed_words
from tasks.changes import owner_of, perform
from tasks.models import SurveyResponse, TaskMatch, WorkTask
from tasks.queries import match_or_none

RUNNING_STEPS = frozenset(
    {
        SurveyResponse.Step.QUEUED,
        SurveyResponse.Step.EXTRACTING,
        SurveyResponse.Step.NORMALISING,
        SurveyResponse.Step.DEDUPLICATING,
    }
)


@dataclass
class Desk:
    """A response that is being changed, and the changes of one gesture so far."""

    response: SurveyResponse
    changes: list[Change] = field(default_factory=list)
    touched: list[WorkTask] = field(default_factory=list)

    def make(self, task: WorkTask) -> None:
        """A new task, whose match is looked up."""
        self.changes += changes.made(task)

    def put(self, task: WorkTask, *names: str) -> None:
        """These fields of a task, as they stand on it now."""
        self._update(changes.put(task, *names))
        self.touched.append(task)

    def take_off(self, task: WorkTask) -> None:
        """A task off the list, with its match; both can be put back."""
        self.changes.append(changes.gone(task.pk))
        self.touched.append(task)

    def match(self, task: WorkTask, values: Mapping[str, Any]) -> None:
        """Other values for a task's match."""
        match = match_or_none(task)
        if match is None:
            self.changes.append(Create(changes.MATCH, {"task": task.pk, **values}))
        else:
            self._update(changes.match_put(match, values))

    def _update(self, update: Update) -> None:
        """Several updates of one row are one."""
        for place, one in enumerate(self.changes):
            if isinstance(one, Update) and one.id == update.id:
                joined = {**one.values, **update.values}
                self.changes[place] = Update(one.entity, one.id, joined, version=one.version)
                return
        self.changes.append(update)


@contextmanager
def editing(response: SurveyResponse, title: str, actor: Actor | None = None) -> Iterator[Desk]:
    """A transaction that holds the response; what is put on the desk is done as one batch.

    Its owner acts unless another actor is named. Raises Conflict when the list was submitted,
    NotFound when it is gone. All gestures on one list queue up here.
    """
    with transaction.atomic():
        desk = Desk(locked(response))
        yield desk
        if desk.changes:
            by = actor or owner_of(desk.response)
            perform(desk.response, desk.changes, actor=by, title=title)
            _read_versions(desk.touched)


def locked(response: SurveyResponse) -> SurveyResponse:
    """The response, held until the transaction ends.

    Raises NotFound; Conflict when submitted, or when its campaign is over.
    """
    rows = SurveyResponse.objects.select_related("session").select_for_update(of=("self",))
    found = rows.filter(pk=response.pk).first()
    if found is None:
        raise NotFound
    if words := fixed_words(found):
        raise Conflict(words)
    return found


def _read_versions(tasks: Sequence[WorkTask]) -> None:
    """The tasks as they stand after the gesture."""
    if not tasks:
        return
    stored = WorkTask.objects.filter(pk__in=[task.pk for task in tasks])
    now = {pk: (version, gone) for pk, version, gone in stored.values_list(*_MOVING)}
    for task in tasks:
        task.version, task.deleted_at = now[task.pk]


_MOVING = ("pk", "version", "deleted_at")


def task_in(
    response: SurveyResponse, task_id: uuid.UUID, *, version: int | None = None
) -> WorkTask:
    """A task of the response, held, deleted or not, with its match.

    Raises Conflict when `version` is not the current one, NotFound.
    """
    rows = response.tasks.select_related("match").select_for_update(of=("self",))
    task = rows.filter(pk=task_id).first()
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


def match_of(task: WorkTask) -> TaskMatch:
    """The task's match; NotFound when it never had one."""
    match = match_or_none(task)
    if match is None:
        raise NotFound
    return match


def tell(session_id: uuid.UUID, *, kind: str, id: uuid.UUID, version: int) -> None:  # noqa: A002
    """Appends a reference to the session's log once the change is committed."""
    feature = events.Feature(kind=kind, id=str(id), version=version)
    transaction.on_commit(partial(events.append, session_id, feature))
