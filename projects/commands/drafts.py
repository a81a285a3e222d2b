"""The commands of drafts and of their to-dos: start, change, discard, resume, make a project."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Final

from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy, ngettext, ngettext_lazy
from pydantic import BaseModel, ConfigDict, Field

from chat.commands.base import Rejected, Scope, SeenVersion
from chat.models import Session
from chat.operations.changes import Change, Create, Delete, Update, Values
from futura.errors import BadInput
from futura.parameters import OneOf
from futura.text import quoted
from projects import dimensions, models, queries
from projects.checks import checked
from projects.commands.projects import FieldsCommand, ProjectFields, project_created
from projects.commands.todo_changes import freed_of, needed_first, without_cycle
from projects.commands.todos import AT_ONCE, TaskFields, TasksChange, rows_of
from projects.commands.wording import DeleteRow, RowCommand, Titled, TodosCommand
from projects.fields import emptiable, names_of
from projects.from_survey import draft_values
from projects.models import DraftTask, ProjectDraft, Task
from tasks.models import WorkTask

DraftStatus = ProjectDraft.Status
CARRIED: Final = names_of(models.ProjectFields, but=("slug",))
CARRIED_BY_TASKS: Final = names_of(DraftTask, but=("draft", "position", "depends_on"))
CLEARABLE: Final = emptiable(ProjectDraft, ProjectFields)
CLEARABLE_IN_TASKS: Final = emptiable(DraftTask, TaskFields)


class CreateDraft(ProjectFields, Titled):
    """Starts a draft: a project that is still being thought out."""

    name: ClassVar[str] = "create_draft"
    done = gettext_lazy("Created draft")

    def plan(self, scope: Scope) -> list[Change]:  # noqa: ARG002
        return [draft_created(self.values())]

    def sentence(self, scope: Scope) -> str:  # noqa: ARG002
        return _("Create the draft “%(name)s”") % {"name": self.project_name or _("Draft")}


class DraftFromSurvey(Titled):
    """Starts a draft that knows what the survey says of a task; for pages."""

    name: ClassVar[str] = "draft_from_survey"
    done = gettext_lazy("Created draft")

    task: uuid.UUID

    def plan(self, scope: Scope) -> list[Change]:
        task = scope.get(WorkTask, self.task)
        if task.response.submitted_at is None:
            raise Rejected(_("Submit your task list first."))
        return [draft_created(draft_values(task))]

    def sentence(self, scope: Scope) -> str:
        return _("Create a draft for “%(task)s”") % {"task": scope.get(WorkTask, self.task)}


class ChangeDraft(FieldsCommand):
    """Changes a draft: any field, parts of its texts; dimensions that get a text count as covered.

    A long text is replaced whole only with the `version` that was read whole; `parts` add to it
    or replace a quoted stretch. `clear` empties fields.
    """

    name: ClassVar[str] = "change_draft"
    model = ProjectDraft
    clearable: ClassVar[frozenset[str]] = frozenset(CLEARABLE)
    done = gettext_lazy("Edited draft")
    wish = gettext_lazy("Edit the draft “%(row)s”: %(phrases)s")

    clear: tuple[Annotated[str, OneOf(CLEARABLE)], ...] = ()

    def plan(self, scope: Scope) -> list[Change]:
        draft = scope.get(ProjectDraft, self.id)
        return [draft_changed(draft, self.values_on(draft), version=self.version or draft.version)]


class AbandonDraft(RowCommand):
    """Gives a draft up; it stays for 30 days and can be taken up again."""

    name: ClassVar[str] = "abandon_draft"
    model = ProjectDraft
    done = gettext_lazy("Discarded draft")
    wish = gettext_lazy("Discard the draft “%(row)s”")

    version: SeenVersion | None = Field(None, description="The version that was seen.")

    def plan(self, scope: Scope) -> list[Change]:
        draft = scope.get(ProjectDraft, self.id)
        must_be_open(draft)
        version = self.version or draft.version
        return [Update("draft", draft.pk, {"status": DraftStatus.ABANDONED}, version)]


class ResumeDraft(RowCommand):
    """Takes a draft up again that was given up."""

    name: ClassVar[str] = "resume_draft"
    model = ProjectDraft
    done = gettext_lazy("Resumed draft")
    wish = gettext_lazy("Resume the draft “%(row)s”")

    def plan(self, scope: Scope) -> list[Change]:
        draft = scope.get(ProjectDraft, self.id)
        if draft.status == DraftStatus.COMPLETED:
            raise Rejected(_("This draft has already become a project."))
        return [Update("draft", draft.pk, {"status": DraftStatus.IN_PROGRESS}, draft.version)]


class DeleteDraft(DeleteRow):
    """Deletes a draft with its to-dos; undo brings it back."""

    name: ClassVar[str] = "delete_draft"
    model = ProjectDraft
    done = gettext_lazy("Deleted draft")
    wish = gettext_lazy("Delete the draft “%(row)s”")


class Finalisation(BaseModel):
    """How the project of a draft shall be made."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    project_name: str | None = Field(None, alias="name", description="When it gets another one.")
    with_suggested: bool = Field(True, description="Whether suggested first to-dos come along.")
    version: SeenVersion | None = Field(
        None, description="The version of the draft that was shown."
    )


class FinaliseDraft(Finalisation, RowCommand):
    """Makes the project and its to-dos and ends the draft: all of it, or nothing.

    Undo takes the project back and opens the draft again.
    """

    name: ClassVar[str] = "finalise_draft"
    model = ProjectDraft
    done = gettext_lazy("Created project from draft")
    wish = gettext_lazy("Create a project from the draft “%(row)s”")

    def plan(self, scope: Scope) -> list[Change]:
        """The project, its to-dos, the draft's end.

        Raises NotInScope, BadInput without a name, Rejected when it is no longer in progress.
        """
        draft = scope.get(ProjectDraft, self.id)
        must_be_open(draft)
        values = {field: getattr(draft, field) for field in CARRIED}
        values["name"] = self.project_name or draft.name
        project = project_created(draft.owner_id, values)
        end = {
            "status": DraftStatus.COMPLETED,
            "completed_at": timezone.now(),
            "finalized_project": str(project.id),
            "name": project.values["name"],
        }
        tasks = [
            task
            for task in queries.draft_tasks_of(draft)
            if self.with_suggested or not task.is_suggested
        ]
        version = self.version or draft.version
        return [project, *_carried(tasks, project), Update("draft", draft.pk, end, version)]


def draft_created(values: Values, *, session: Session | None = None) -> Create:
    """A new draft, of a conversation or on its own. Raises BadInput, TooLong."""
    fields = checked(values)
    fields |= _covered_with(ProjectDraft(), fields)
    if session is not None:
        fields["session"] = str(session.pk)
    return Create("draft", fields)


def draft_changed(draft: ProjectDraft, values: Values, *, version: int | None = None) -> Update:
    """Other values for some fields; dimensions that get a text count as covered.

    Raises BadInput, TooLong, Rejected when it is no longer in progress.
    """
    must_be_open(draft)
    fields = checked(values, row=draft)
    if "dimensions_covered" not in fields:
        fields |= _covered_with(draft, fields)
    return Update("draft", draft.pk, fields, version)


def must_be_open(draft: ProjectDraft) -> None:
    """Raises Rejected for a draft that is no longer in progress."""
    if draft.status == DraftStatus.COMPLETED:
        raise Rejected(_("This draft has already become a project."))
    if draft.status == DraftStatus.ABANDONED:
        raise Rejected(_("This draft was discarded. Resume it first."))


def _covered_with(draft: ProjectDraft, values: Mapping[str, Any]) -> dict[str, Any]:
    covered = [*draft.dimensions_covered]
    covered += [name for name in dimensions.FIELDS if values.get(name) and name not in covered]
    return {"dimensions_covered": covered} if covered != draft.dimensions_covered else {}


def _carried(tasks: Sequence[DraftTask], project: Create) -> Iterator[Create]:
    places = {task.pk: position for position, task in enumerate(tasks, start=1)}
    by_key = {task.pk: task for task in tasks}
    needs = {
        key: [item.pk for item in task.depends_on.all() if item.pk in places]
        for key, task in by_key.items()
    }
    created: dict[uuid.UUID, str] = {}
    for key in needed_first(needs):
        values = {field: getattr(by_key[key], field) for field in CARRIED_BY_TASKS}
        values |= {"project": str(project.id), "position": places[key]}
        values |= {"status": Task.Status.AVAILABLE}
        values |= {"depends_on": [created[need] for need in needs[key]]}
        todo = Create("task", values)
        created[key] = str(todo.id)
        yield todo


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
        n = len(self.tasks)
        text = ngettext("Added draft to-do", "Added %(n)d draft to-dos", n)
        return text % {"n": n}

    def sentence(self, scope: Scope) -> str:
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
    clearable: ClassVar[frozenset[str]] = frozenset(CLEARABLE_IN_TASKS)
    model = DraftTask
    done = ngettext_lazy("Edited draft to-do", "Edited %(n)d draft to-dos", "n")

    clear: tuple[Annotated[str, OneOf(CLEARABLE_IN_TASKS)], ...] = ()

    def plan(self, scope: Scope) -> list[Change]:
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
        tasks = rows_of(scope, DraftTask, self.ids)
        for task in tasks:
            must_be_open(task.draft)
        gone = (Delete("draft_task", task.pk, task.version) for task in tasks)
        return [*freed_of(tasks), *gone]


COMMANDS: Final = (
    CreateDraft, ChangeDraft, AbandonDraft, ResumeDraft, DeleteDraft, FinaliseDraft,
    CreateDraftTasks, ChangeDraftTasks, DeleteDraftTasks,
)  # fmt: skip


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
