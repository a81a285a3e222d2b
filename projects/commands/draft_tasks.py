"""The commands of a draft's to-dos: add, change or clear any field, delete."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar, Final, Literal, get_args

from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy
from pydantic import Field

from chat.commands.base import Scope
from chat.operations.changes import Change, Create, Delete, Update, Values
from futura.errors import BadInput
from futura.text import quoted
from projects.checks import checked
from projects.commands.drafts import must_be_open
from projects.commands.todo_changes import freed_of, without_cycle
from projects.commands.todos import AT_ONCE, TaskFields, TasksChange, rows_of
from projects.commands.wording import Titled, TodosCommand
from projects.models import DraftTask, ProjectDraft

Clearable = Literal[
    "details", "start_date", "due_date", "due_time", "estimate_low_days", "estimate_high_days",
    "depends_on",
]  # fmt: skip


class DraftTaskChanges(TaskFields):
    """Fields that are left out stay; null empties one that can be empty."""

    append_details: str | None = Field(None, description="Added below the details.")
    version: int | None = None


class NewDraftTask(TaskFields):
    """A to-do that is to be added to a draft."""

    title: str = Field(description="At most 200 characters.")
    is_suggested: bool = Field(False, description="Nobody has said it: a likely first step.")


class CreateDraftTasks(Titled):
    """Adds to-dos at the end of a draft."""

    name: ClassVar[str] = "create_draft_tasks"

    draft: uuid.UUID = Field(description="Id of the draft.")
    tasks: tuple[NewDraftTask, ...]

    def plan(self, scope: Scope) -> list[Change]:
        """One new row for each. Raises NotInScope, Rejected, BadInput, TooLong."""
        if not 0 < len(self.tasks) <= AT_ONCE:
            raise BadInput(_("Enter a title."), field="tasks")
        draft = scope.get(ProjectDraft, self.draft)
        first = next_position(draft)
        return [
            draft_task_created(draft, task.values(), position=first + n)
            for n, task in enumerate(self.tasks)
        ]

    @property
    def ledger_title(self) -> str:
        """“Added a to-do to the draft”."""
        n = len(self.tasks)
        text = ngettext("Added draft to-do", "Added %(n)d draft to-dos", n)
        return text % {"n": n}

    def sentence(self, scope: Scope) -> str:
        """“Add “Sketch” to the draft”."""
        which = _("%(n)d to-dos") % {"n": len(self.tasks)}
        if len(self.tasks) == 1:
            which = quoted(self.tasks[0].title)
        draft = scope.get(ProjectDraft, self.draft)
        return _("Add %(which)s to the draft “%(draft)s”") % {"which": which, "draft": draft}


class ChangeDraftTasks(TasksChange):
    """Changes the same fields of to-dos of drafts; `clear` empties fields.

    With `version`, one that has moved on is refused (one id only).
    """

    name: ClassVar[str] = "change_draft_tasks"
    area: ClassVar[str] = "projects"
    clearable: ClassVar[frozenset[str]] = frozenset(get_args(Clearable))
    model = DraftTask
    done = ngettext_lazy("Edited draft to-do", "Edited %(n)d draft to-dos", "n")

    clear: tuple[Clearable, ...] = ()

    def plan(self, scope: Scope) -> list[Change]:
        """One update for each. Raises NotInScope, Rejected, BadInput, TooLong."""
        return [self._change(task) for task in self.tasks(scope)]

    def _change(self, task: DraftTask) -> Update:
        must_be_open(task.draft)
        fields = _checked(self.values_on(task), task.draft, task)
        if "depends_on" in fields:
            fields["depends_on"] = without_cycle(task, fields["depends_on"])
        return Update("draft_task", task.pk, fields, self.version or task.version)


class DeleteDraftTasks(TodosCommand):
    """Takes to-dos out of a draft; undo brings them back."""

    name: ClassVar[str] = "delete_draft_tasks"
    area: ClassVar[str] = "projects"
    model = DraftTask
    done = ngettext_lazy("Deleted draft to-do", "Deleted %(n)d draft to-dos", "n")
    wish = gettext_lazy("Delete %(which)s")

    def plan(self, scope: Scope) -> list[Change]:
        """One deletion for each. Raises NotInScope, Rejected, BadInput."""
        tasks = rows_of(scope, DraftTask, self.ids)
        for task in tasks:
            must_be_open(task.draft)
        gone = (Delete("draft_task", task.pk, task.version) for task in tasks)
        return [*freed_of(tasks), *gone]


COMMANDS: Final = (CreateDraftTasks, ChangeDraftTasks, DeleteDraftTasks)


def draft_task_created(draft: ProjectDraft, values: Values, *, position: int) -> Create:
    """A to-do of a draft. Raises BadInput, TooLong, Rejected."""
    must_be_open(draft)
    fields = _checked(values, draft)
    if not fields.get("title"):
        raise BadInput(_("Enter a title."), field="title")
    return Create("draft_task", {**fields, "position": position, "draft": str(draft.pk)})


def next_position(draft: ProjectDraft) -> int:
    """Behind the last to-do of a draft."""
    last = draft.tasks.filter(deleted_at=None).aggregate(at=Max("position"))["at"]
    return (last or 0) + 1


def _checked(values: Values, draft: ProjectDraft, task: DraftTask | None = None) -> dict[str, Any]:
    """Fit to be stored. Raises BadInput, too, where it would wait for one of another draft."""
    fields = checked(values, row=task, required="title" if task else "")
    needed = {str(key) for key in values.get("depends_on") or ()}
    if needed:
        own = draft.tasks.filter(deleted_at=None).values_list("pk", flat=True)
        if needed - {str(key) for key in own}:
            raise BadInput(_("Select to-dos from this list."), field="depends_on")
    return fields
