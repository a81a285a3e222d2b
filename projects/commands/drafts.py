"""The commands of drafts: start, change, give up, take up again, delete, make a project of one."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final, Literal, get_args

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from pydantic import BaseModel, ConfigDict, Field

from chat.commands.base import Rejected, Scope
from chat.models import Session
from chat.operations.changes import Change, Create, Delete, Update, Values
from projects import dimensions, queries
from projects.checks import checked
from projects.commands.project_fields import Clearable, FieldsCommand, ProjectFields
from projects.commands.projects import project_created
from projects.commands.todo_changes import needed_first
from projects.commands.wording import RowCommand, Titled
from projects.from_survey import draft_values
from projects.models import DraftTask, ProjectDraft, Task
from tasks.models import WorkTask

DraftStatus = ProjectDraft.Status
DraftClearable = Literal[Clearable, "name"]
CARRIED: Final = (
    *("name", "description", "context", "executive_summary", *dimensions.FIELDS),
    *("tags", "start_date", "end_date", "survey_task", "time_share_before"),
)
CARRIED_BY_TASKS: Final = (
    *("title", "details", "priority", "start_date", "due_date", "due_time"),
    *("estimate_low_days", "estimate_high_days", "is_suggested"),
)


class CreateDraft(ProjectFields, Titled):
    """Starts a draft: a project that is still being thought out."""

    name: ClassVar[str] = "create_draft"
    done = gettext_lazy("Created draft")

    def plan(self, scope: Scope) -> list[Change]:  # noqa: ARG002
        """One new row. Raises BadInput, TooLong."""
        return [draft_created(self.values())]

    def sentence(self, scope: Scope) -> str:  # noqa: ARG002
        """“Start the draft Garden”."""
        return _("Create the draft “%(name)s”") % {"name": self.project_name or _("Draft")}


class DraftFromSurvey(Titled):
    """Starts a draft that knows what the survey says of a task; for pages."""

    name: ClassVar[str] = "draft_from_survey"
    done = gettext_lazy("Created draft")

    task: uuid.UUID

    def plan(self, scope: Scope) -> list[Change]:
        """One new row. Raises NotInScope, Rejected before the survey is sent."""
        task = scope.get(WorkTask, self.task)
        if task.response.submitted_at is None:
            raise Rejected(_("Submit your task list first."))
        return [draft_created(draft_values(task))]

    def sentence(self, scope: Scope) -> str:
        """“Start a draft for “Write reports””."""
        return _("Create a draft for “%(task)s”") % {"task": scope.get(WorkTask, self.task)}


class DraftCommand(RowCommand):
    """A command on a draft."""

    model = ProjectDraft

    def draft(self, scope: Scope) -> ProjectDraft:
        """The draft as it stands. Raises NotInScope."""
        return scope.get(ProjectDraft, self.id)


class ChangeDraft(FieldsCommand, DraftCommand):
    """Changes a draft: any field, parts of its texts; dimensions that get a text count as covered.

    A long text is replaced whole only with the `version` that was read whole; `parts` add to it
    or replace a quoted stretch. `clear` empties fields.
    """

    name: ClassVar[str] = "change_draft"
    clearable: ClassVar[frozenset[str]] = frozenset(get_args(DraftClearable))
    done = gettext_lazy("Edited draft")
    wish = gettext_lazy("Edit the draft “%(row)s”: %(phrases)s")

    clear: tuple[DraftClearable, ...] = ()

    def plan(self, scope: Scope) -> list[Change]:
        """One update. Raises NotInScope, Rejected, BadInput, TooLong."""
        draft = self.draft(scope)
        return [draft_changed(draft, self.values_on(draft), version=self.version or draft.version)]


class AbandonDraft(DraftCommand):
    """Gives a draft up; it stays for 30 days and can be taken up again."""

    name: ClassVar[str] = "abandon_draft"
    done = gettext_lazy("Discarded draft")
    wish = gettext_lazy("Discard the draft “%(row)s”")

    version: int | None = Field(None, description="The version that was seen.")

    def plan(self, scope: Scope) -> list[Change]:
        """One update. Raises NotInScope, Rejected."""
        draft = self.draft(scope)
        must_be_open(draft)
        version = self.version or draft.version
        return [Update("draft", draft.pk, {"status": DraftStatus.ABANDONED}, version)]


class ResumeDraft(DraftCommand):
    """Takes a draft up again that was given up."""

    name: ClassVar[str] = "resume_draft"
    done = gettext_lazy("Resumed draft")
    wish = gettext_lazy("Resume the draft “%(row)s”")

    def plan(self, scope: Scope) -> list[Change]:
        """One update. Raises NotInScope, Rejected for one that is a project."""
        draft = self.draft(scope)
        if draft.status == DraftStatus.COMPLETED:
            raise Rejected(_("This draft has already become a project."))
        return [Update("draft", draft.pk, {"status": DraftStatus.IN_PROGRESS}, draft.version)]


class DeleteDraft(DraftCommand):
    """Deletes a draft with its to-dos; undo brings it back."""

    name: ClassVar[str] = "delete_draft"
    done = gettext_lazy("Deleted draft")
    wish = gettext_lazy("Delete the draft “%(row)s”")

    def plan(self, scope: Scope) -> list[Change]:
        """One deletion. Raises NotInScope."""
        draft = self.draft(scope)
        return [Delete("draft", draft.pk, draft.version)]


class Finalisation(BaseModel):
    """How the project of a draft shall be made."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    project_name: str | None = Field(None, alias="name", description="When it gets another one.")
    with_suggested: bool = Field(True, description="Whether suggested first to-dos come along.")
    version: int | None = Field(None, description="The version of the draft that was shown.")


class FinaliseDraft(Finalisation, DraftCommand):
    """Makes the project and its to-dos and ends the draft: all of it, or nothing.

    Undo takes the project back and opens the draft again.
    """

    name: ClassVar[str] = "finalise_draft"
    done = gettext_lazy("Created project from draft")
    wish = gettext_lazy("Create a project from the draft “%(row)s”")

    def plan(self, scope: Scope) -> list[Change]:
        """The project, its to-dos, the draft's end.

        Raises NotInScope, BadInput without a name, Rejected when it is no longer in progress.
        """
        draft = self.draft(scope)
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


COMMANDS: Final = (
    CreateDraft, ChangeDraft, AbandonDraft, ResumeDraft, DeleteDraft, FinaliseDraft,
)  # fmt: skip


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
    """`dimensions_covered` as it must be when these texts are written; empty when it stays."""
    covered = [*draft.dimensions_covered]
    covered += [name for name in dimensions.FIELDS if values.get(name) and name not in covered]
    return {"dimensions_covered": covered} if covered != draft.dimensions_covered else {}


def _carried(tasks: Sequence[DraftTask], project: Create) -> Iterator[Create]:
    """The to-dos of a project, each after those it waits for."""
    places = {task.pk: position for position, task in enumerate(tasks, start=1)}
    by_key = {task.pk: task for task in tasks}
    needs = {
        key: [one.pk for one in task.depends_on.all() if one.pk in places]
        for key, task in by_key.items()
    }
    created: dict[uuid.UUID, str] = {}
    for key in needed_first(needs):
        values = {field: getattr(by_key[key], field) for field in CARRIED_BY_TASKS}
        values |= {"project": str(project.id), "position": places[key]}
        values |= {"status": Task.Status.AVAILABLE}
        values |= {"depends_on": [created[one] for one in needs[key]]}
        todo = Create("task", values)
        created[key] = str(todo.id)
        yield todo
