"""What all commands of a list share: the held list, its tasks, and the changes planned so far."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from django.db.models import Max
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from pydantic import Field

from chat.commands.base import Command, NotInScope, Rejected, Scope, SeenVersion
from chat.operations.changes import Change, Create, Delete, Kind, Update
from futura.errors import BadInput, Conflict
from futura.limits import TASK_STATEMENT_CHARS, required_text
from futura.rows import only
from tasks import activities, changes
from tasks.campaigns.journey import fixed_words
from tasks.models import SurveyResponse, TaskMatch, WorkTask
from tasks.queries import match_or_none

MAX_TASKS: Final = 100


@dataclass
class TaskList:
    """A survey's list, held until the transaction ends, and the changes planned so far."""

    response: SurveyResponse
    is_review: bool
    changes: list[Change] = field(default_factory=list)

    @property
    def living(self) -> list[WorkTask]:
        return list(self.response.tasks.filter(deleted_at=None).order_by("position", "created_at"))

    def last_places(self, count: int) -> list[int]:
        """So many places at the end of the list."""
        last = self.response.tasks.aggregate(last=Max("position"))["last"] or 0
        return changes.places_after(last, count)

    def places_behind(self, task: WorkTask, count: int) -> list[int] | None:
        """So many places between a task and the next one; None without room."""
        following = self.response.tasks.filter(position__gt=task.position).order_by("position")
        right = following.values_list("position", flat=True).first()
        return changes.places_between(task.position, right, count)

    def any_task(self, task_id: uuid.UUID, *, version: int | None = None) -> WorkTask:
        """A task of the list, deleted or not, with its match. Raises NotInScope, Conflict when
        `version` is not the current one.
        """
        rows = self.response.tasks.select_related("match").select_for_update(of=("self",))
        task = only(rows.filter(pk=task_id), NotInScope)
        if version is not None and version != task.version:
            raise Conflict(_("This task was changed in another tab."))
        return task

    def task(self, task_id: uuid.UUID, *, version: int | None = None) -> WorkTask:
        """Like `any_task`, but a deleted task cannot be worked on (BadInput)."""
        task = self.any_task(task_id, version=version)
        if task.deleted_at is not None:
            raise BadInput(_("This task was deleted."))
        return task

    def create(self, tasks: Sequence[WorkTask]) -> None:
        """New tasks (unsaved) with their groups; their matches are looked up. Raises BadInput."""
        if len(self.living) + len(tasks) > MAX_TASKS:
            raise BadInput(_("A task list can have at most %(most)d tasks.") % {"most": MAX_TASKS})
        activities.code(tasks, self.response.occupation_code)
        for task in tasks:
            self.changes += changes.creation(task)

    def update(self, task: WorkTask, *names: str) -> None:
        self._update(changes.put(task, *names))

    def delete(self, task: WorkTask) -> None:
        """A task off the list, with its match; both can be put back."""
        self.changes.append(Delete(changes.TASK, task.pk))

    def update_match(self, task: WorkTask, values: Mapping[str, Any]) -> None:
        match = match_or_none(task)
        if match is None:
            self.changes.append(Create(changes.MATCH, {"task": task.pk, **values}))
        else:
            self._update(changes.match_put(match, values))

    def reword(self, task: WorkTask, statement: str) -> None:
        """New words for a task, and its match looked up again; the old ones change nothing.

        What a reviewer words keeps its match and its groups.
        """
        text = statement_text(statement)
        if text == task.statement:
            return
        task.statement, task.english = text, ""
        if self.is_review:
            self.update(task, "statement", "english")
            return
        activities.code([task], self.response.occupation_code)
        self.update(task, *WORDED)
        self.update_match(task, changes.WAITING)

    def _update(self, update: Update) -> None:
        """Several updates of one row are one."""
        for place, change in enumerate(self.changes):
            if isinstance(change, Update) and change.id == update.id:
                joined = {**change.values, **update.values}
                self.changes[place] = Update(
                    change.entity, change.id, joined, version=change.version
                )
                return
        self.changes.append(update)


WORDED: Final = ("statement", "english", *activities.FIELDS)


class ListCommand(Command):
    """A command on the list of one survey; `title` is what the ledger calls it."""

    area: ClassVar[str] = "surveys"
    title: ClassVar[str | Promise]

    survey: uuid.UUID = Field(description="Id of the survey.")

    def plan(self, scope: Scope) -> list[Change]:
        """The changes, with the list held. Raises NotInScope, Rejected, BadInput, Conflict."""
        tasks = list_of(scope, self.survey)
        self.fill(tasks)
        return tasks.changes

    def fill(self, tasks: TaskList) -> None:
        raise NotImplementedError

    @property
    def ledger_title(self) -> str:
        return str(self.title)

    def sentence(self, scope: Scope) -> str:  # noqa: ARG002 - said without reading the list
        return self.ledger_title


class TaskCommand(ListCommand):
    """A command on one task of a list; with `version`, one that has moved on is refused."""

    task: uuid.UUID = Field(description="Id of the task.")
    version: SeenVersion | None = Field(None, description="The version that was seen.")


def list_of(scope: Scope, survey_id: uuid.UUID) -> TaskList:
    """The list, held. Reviewers may change one that was sent or whose campaign is over.

    Must run in a transaction. Raises NotInScope; Rejected for a list that can only be read.
    """
    session = scope.conversation(survey_id)
    rows = SurveyResponse.objects.select_related("campaign").select_for_update(of=("self",))
    response = only(rows.filter(pk=session.pk), NotInScope)
    response.session = session
    is_review = scope.actor.kind == Kind.STAFF
    if not is_review and (words := fixed_words(response)):
        raise Rejected(words)
    return TaskList(response, is_review)


def statement_text(text: object) -> str:
    return " ".join(required_text(text, limit=TASK_STATEMENT_CHARS, field="statement").split())


def match_of(task: WorkTask) -> TaskMatch:
    """The task's match. Raises NotInScope when it never had one."""
    match = match_or_none(task)
    if match is None:
        raise NotInScope
    return match
