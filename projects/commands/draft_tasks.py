"""The commands of a draft's to-dos: add, change or clear any field, delete."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, Literal, get_args

from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pydantic import BaseModel, ConfigDict, Field

from chat.commands.base import Command, Scope
from chat.operations.changes import Change, Create, Delete, Update, Values
from futura.errors import BadInput
from projects.checks import checked, priority_of
from projects.commands.drafts import must_be_open
from projects.commands.texts import merged_text
from projects.commands.todo_changes import freed_of, without_cycle
from projects.commands.todo_phrases import emptied, phrases_of
from projects.commands.todos import AT_ONCE, Days, Ids, Priority
from projects.models import DraftTask, ProjectDraft

Clearable = Literal[
    "details", "start_date", "due_date", "due_time", "estimate_low_days", "estimate_high_days",
    "depends_on",
]  # fmt: skip
_EMPTY: Final[Mapping[str, Any]] = {"details": "", "depends_on": []}


class DraftTaskFields(BaseModel):
    """The fields of a draft's to-do; null leaves one as it is."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str | None = Field(None, description="At most 200 characters.")
    details: str | None = Field(None, description="Markdown, at most 10,000 characters.")
    priority: Priority | None = None
    start_date: dt.date | None = None
    due_date: dt.date | None = None
    due_time: dt.time | None = Field(None, description="By the person's clock; needs a due date.")
    estimate_low_days: Days = None
    estimate_high_days: Days = None
    depends_on: tuple[uuid.UUID, ...] | None = Field(
        None, description="Ids of to-dos of the draft that have to be done first."
    )

    def values(self) -> dict[str, Any]:
        """What is given, by field."""
        given = {name: getattr(self, name) for name in DraftTaskFields.model_fields}
        return {name: value for name, value in given.items() if value is not None}


class NewDraftTask(DraftTaskFields):
    """A to-do that is to be added to a draft."""

    title: str = Field(description="At most 200 characters.")
    is_suggested: bool = Field(False, description="Nobody has said it: a likely first step.")


class CreateDraftTasks(Command):
    """Adds to-dos at the end of a draft."""

    name: ClassVar[str] = "create_draft_tasks"
    area: ClassVar[str] = "projects"

    draft: uuid.UUID = Field(description="Id of the draft.")
    tasks: tuple[NewDraftTask, ...]

    def plan(self, scope: Scope) -> list[Change]:
        """One new row for each. Raises NotInScope, Rejected, BadInput, TooLong."""
        if not 0 < len(self.tasks) <= AT_ONCE:
            raise BadInput(_("Say what is to be done."), field="tasks")
        draft = scope.get(ProjectDraft, self.draft)
        first = next_position(draft)
        return [
            draft_task_created(
                draft, {**task.values(), "is_suggested": task.is_suggested}, position=first + n
            )
            for n, task in enumerate(self.tasks)
        ]

    @property
    def ledger_title(self) -> str:
        """“Added a to-do to the draft”."""
        n = len(self.tasks)
        text = ngettext("Added a to-do to the draft", "Added %(n)d to-dos to the draft", n)
        return text % {"n": n}

    def sentence(self, scope: Scope) -> str:
        """“Add “Sketch” to the draft”."""
        which = _("%(n)d to-dos") % {"n": len(self.tasks)}
        if len(self.tasks) == 1:
            which = _("“%(title)s”") % {"title": self.tasks[0].title}
        draft = scope.get(ProjectDraft, self.draft)
        return _("Add %(which)s to the draft “%(draft)s”") % {"which": which, "draft": draft}


class ChangeDraftTasks(DraftTaskFields, Command):
    """Changes the same fields of to-dos of drafts; `clear` empties fields.

    With `version`, one that has moved on is refused (one id only).
    """

    name: ClassVar[str] = "change_draft_tasks"
    area: ClassVar[str] = "projects"
    clearable: ClassVar[frozenset[str]] = frozenset(get_args(Clearable))

    ids: Ids
    clear: tuple[Clearable, ...] = ()
    append_details: str | None = Field(None, description="Added below the details that are there.")
    version: int | None = Field(None, description="The version that was seen.")

    def plan(self, scope: Scope) -> list[Change]:
        """One update for each. Raises NotInScope, Rejected, BadInput, TooLong."""
        tasks = _draft_tasks(scope, self.ids)
        if self.version is not None and len(tasks) > 1:
            raise BadInput(_("A version belongs to one to-do."), field="version")
        return [self._change(task) for task in tasks]

    def _change(self, task: DraftTask) -> Update:
        values: dict[str, Any] = {name: _EMPTY.get(name) for name in self.clear}
        values |= self.values()
        if self.append_details is not None:
            values["details"] = merged_text(task.details, self.append_details, "append")
        if not values:
            raise BadInput(_("Say what shall change."), field="ids")
        return draft_task_changed(task, values, version=self.version or task.version)

    @property
    def ledger_title(self) -> str:
        """“Edited a to-do of the draft”."""
        n = len(self.ids)
        text = ngettext("Edited a to-do of the draft", "Edited %(n)d to-dos of the draft", n)
        return text % {"n": n}

    def sentence(self, scope: Scope) -> str:
        """“Change “Sketch”: due 7 December 2026”."""
        values: Mapping[str, Any] = self.values()
        phrases = [*phrases_of(values, None, scope), *(emptied(name) for name in self.clear)]
        if self.append_details is not None:
            phrases.append(_("more details"))
        named = {"which": _which(scope, self.ids), "phrases": ", ".join(phrases)}
        return _("Change %(which)s: %(phrases)s") % named


class DeleteDraftTasks(Command):
    """Takes to-dos out of a draft; undo brings them back."""

    name: ClassVar[str] = "delete_draft_tasks"
    area: ClassVar[str] = "projects"

    ids: Ids

    def plan(self, scope: Scope) -> list[Change]:
        """One deletion for each. Raises NotInScope, Rejected, BadInput."""
        tasks = _draft_tasks(scope, self.ids)
        for task in tasks:
            must_be_open(task.draft)
        gone = (Delete("draft_task", task.pk, task.version) for task in tasks)
        return [*freed_of(tasks), *gone]

    @property
    def ledger_title(self) -> str:
        """“Deleted a to-do of the draft”."""
        n = len(self.ids)
        text = ngettext("Deleted a to-do of the draft", "Deleted %(n)d to-dos of the draft", n)
        return text % {"n": n}

    def sentence(self, scope: Scope) -> str:
        """“Delete “Sketch””."""
        return _("Delete %(which)s") % {"which": _which(scope, self.ids)}


COMMANDS: Final = (CreateDraftTasks, ChangeDraftTasks, DeleteDraftTasks)


def draft_task_created(draft: ProjectDraft, values: Values, *, position: int) -> Create:
    """A to-do of a draft. Raises BadInput, TooLong, Rejected."""
    must_be_open(draft)
    fields = _checked(values)
    _must_be_of(draft, fields)
    if not fields.get("title"):
        raise BadInput(_("Say what is to be done."), field="title")
    return Create("draft_task", {**fields, "position": position, "draft": str(draft.pk)})


def draft_task_changed(task: DraftTask, values: Values, *, version: int | None = None) -> Update:
    """Other values for a to-do of a draft. Raises BadInput, TooLong, Rejected."""
    must_be_open(task.draft)
    fields = _checked(values, task)
    _must_be_of(task.draft, fields)
    if "depends_on" in fields:
        fields["depends_on"] = without_cycle(task, fields["depends_on"])
    return Update("draft_task", task.pk, fields, version)


def next_position(draft: ProjectDraft) -> int:
    """Behind the last to-do of a draft."""
    last = draft.tasks.filter(deleted_at=None).aggregate(at=Max("position"))["at"]
    return (last or 0) + 1


def _checked(values: Values, task: DraftTask | None = None) -> dict[str, Any]:
    fields = checked(values, row=task, required="title" if task else "")
    if "priority" in fields:
        fields["priority"] = priority_of(fields["priority"])
    return fields


def _must_be_of(draft: ProjectDraft, values: Values) -> None:
    """Raises BadInput where a to-do would wait for one that is not of its draft."""
    needed = {str(key) for key in values.get("depends_on") or ()}
    if needed:
        own = draft.tasks.filter(deleted_at=None).values_list("pk", flat=True)
        if needed - {str(key) for key in own}:
            raise BadInput(_("Choose to-dos of this list."), field="depends_on")


def _draft_tasks(scope: Scope, ids: Sequence[uuid.UUID]) -> list[DraftTask]:
    if not 0 < len(ids) <= AT_ONCE:
        raise BadInput(_("Choose at least one to-do."), field="ids")
    return scope.rows(DraftTask, ids)


def _which(scope: Scope, ids: Sequence[uuid.UUID]) -> str:
    if len(ids) != 1:
        return _("%(n)d to-dos") % {"n": len(ids)}
    return _("“%(title)s”") % {"title": scope.get(DraftTask, ids[0]).title}
