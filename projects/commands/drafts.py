"""The commands of drafts: start, change, give up, take up again, delete, make a project of one."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final, Literal, get_args

from django.utils import timezone
from django.utils.translation import gettext as _
from pydantic import Field

from chat.commands.base import Command, Rejected, Scope
from chat.models import Session
from chat.operations.changes import Change, Create, Delete, Update, Values
from projects import dimensions, queries
from projects.checks import checked
from projects.commands.project_fields import Clearable, FieldChanges, ProjectFields
from projects.commands.projects import project_created
from projects.commands.todo_changes import needed_first
from projects.models import DraftTask, ProjectDraft, Task

DraftStatus = ProjectDraft.Status
DraftClearable = Literal[Clearable, "name"]
CARRIED: Final = (
    "name",
    "description",
    "context",
    "executive_summary",
    *dimensions.FIELDS,
    "tags",
    "start_date",
    "end_date",
    "survey_task",
    "time_share_before",
)
CARRIED_BY_TASKS: Final = (
    "title",
    "details",
    "priority",
    "start_date",
    "due_date",
    "due_time",
    "estimate_low_days",
    "estimate_high_days",
    "is_suggested",
)


class CreateDraft(ProjectFields, Command):
    """Starts a draft: a project that is still being thought out."""

    name: ClassVar[str] = "create_draft"
    area: ClassVar[str] = "projects"

    def plan(self, scope: Scope) -> list[Change]:  # noqa: ARG002
        """One new row. Raises BadInput, TooLong."""
        return [draft_created(self.values())]

    @property
    def ledger_title(self) -> str:
        """“Started a draft”."""
        return _("Started a draft")

    def sentence(self, scope: Scope) -> str:  # noqa: ARG002
        """“Start the draft Garden”."""
        return _("Start the draft “%(name)s”") % {"name": self.project_name or _("Draft")}


class ChangeDraft(FieldChanges, Command):
    """Changes a draft: any field, parts of its texts; dimensions that get a text count as covered.

    A long text is replaced whole only with the `version` that was read whole; `parts` add to it
    or replace a quoted stretch. `clear` empties fields.
    """

    name: ClassVar[str] = "change_draft"
    area: ClassVar[str] = "projects"
    clearable: ClassVar[frozenset[str]] = frozenset(get_args(DraftClearable))

    clear: tuple[DraftClearable, ...] = ()

    def plan(self, scope: Scope) -> list[Change]:
        """One update. Raises NotInScope, Rejected, BadInput, TooLong."""
        draft = scope.get(ProjectDraft, self.id)
        version = self.version or draft.version
        return [draft_changed(draft, self.values_on(draft), version=version)]

    @property
    def ledger_title(self) -> str:
        """“Edited the draft”."""
        return _("Edited the draft")

    def sentence(self, scope: Scope) -> str:
        """“Change the draft Garden: ends 1 May 2027”."""
        names = {"draft": scope.get(ProjectDraft, self.id), "phrases": self.phrases()}
        return _("Change the draft “%(draft)s”: %(phrases)s") % names


class _DraftCommand(Command):
    """What the commands of one draft have in common."""

    area: ClassVar[str] = "projects"

    id: uuid.UUID

    def _named(self, scope: Scope) -> Mapping[str, Any]:
        return {"draft": scope.get(ProjectDraft, self.id)}


class AbandonDraft(_DraftCommand):
    """Gives a draft up; it stays for 30 days and can be taken up again."""

    name: ClassVar[str] = "abandon_draft"

    version: int | None = Field(None, description="The version that was seen.")

    def plan(self, scope: Scope) -> list[Change]:
        """One update. Raises NotInScope, Rejected."""
        draft = scope.get(ProjectDraft, self.id)
        must_be_open(draft)
        version = self.version or draft.version
        return [Update("draft", draft.pk, {"status": DraftStatus.ABANDONED}, version)]

    @property
    def ledger_title(self) -> str:
        """“Gave the draft up”."""
        return _("Gave the draft up")

    def sentence(self, scope: Scope) -> str:
        """“Give the draft Garden up”."""
        return _("Give the draft “%(draft)s” up") % self._named(scope)


class ResumeDraft(_DraftCommand):
    """Takes a draft up again that was given up."""

    name: ClassVar[str] = "resume_draft"

    def plan(self, scope: Scope) -> list[Change]:
        """One update. Raises NotInScope, Rejected for one that is a project."""
        return [draft_resumed(scope.get(ProjectDraft, self.id))]

    @property
    def ledger_title(self) -> str:
        """“Took the draft up again”."""
        return _("Took the draft up again")

    def sentence(self, scope: Scope) -> str:
        """“Take the draft Garden up again”."""
        return _("Take the draft “%(draft)s” up again") % self._named(scope)


class DeleteDraft(_DraftCommand):
    """Deletes a draft with its to-dos; undo brings it back."""

    name: ClassVar[str] = "delete_draft"

    def plan(self, scope: Scope) -> list[Change]:
        """One deletion. Raises NotInScope."""
        draft = scope.get(ProjectDraft, self.id)
        return [Delete("draft", draft.pk, draft.version)]

    @property
    def ledger_title(self) -> str:
        """“Deleted the draft”."""
        return _("Deleted the draft")

    def sentence(self, scope: Scope) -> str:
        """“Delete the draft Garden”."""
        return _("Delete the draft “%(draft)s”") % self._named(scope)


class FinaliseDraft(_DraftCommand):
    """Makes the project and its to-dos and ends the draft: all of it, or nothing.

    Undo takes the project back and opens the draft again.
    """

    name: ClassVar[str] = "finalise_draft"

    project_name: str | None = Field(None, alias="name", description="When it gets another one.")
    with_suggested: bool = Field(True, description="Whether suggested first to-dos come along.")
    version: int | None = Field(None, description="The version of the draft that was shown.")

    def plan(self, scope: Scope) -> list[Change]:
        """The project, its to-dos, the draft's end. Raises NotInScope, Rejected, BadInput."""
        draft = scope.get(ProjectDraft, self.id)
        tasks = [
            task
            for task in queries.draft_tasks_of(draft)
            if self.with_suggested or not task.is_suggested
        ]
        name = self.project_name or ""
        return draft_finalised(draft, tasks, name=name, version=self.version)

    @property
    def ledger_title(self) -> str:
        """“Made the draft a project”."""
        return _("Made the draft a project")

    def sentence(self, scope: Scope) -> str:
        """“Make the draft Garden a project”."""
        return _("Make the draft “%(draft)s” a project") % self._named(scope)


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


def draft_resumed(draft: ProjectDraft) -> Update:
    """Taken up again. Raises Rejected for one that became a project."""
    if draft.status == DraftStatus.COMPLETED:
        raise Rejected(_("This draft is a project already."))
    return Update("draft", draft.pk, {"status": DraftStatus.IN_PROGRESS}, draft.version)


def draft_finalised(
    draft: ProjectDraft,
    tasks: Sequence[DraftTask],
    *,
    name: str = "",
    version: int | None = None,
) -> list[Change]:
    """The project, its to-dos, and the draft's end: to be executed whole or not at all.

    The first change makes the project. Raises BadInput without a name, Rejected when the draft
    is no longer in progress.
    """
    must_be_open(draft)
    values = {field: getattr(draft, field) for field in CARRIED} | {"name": name or draft.name}
    project = project_created(draft.owner_id, values)
    end = {
        "status": DraftStatus.COMPLETED,
        "completed_at": timezone.now(),
        "finalized_project": str(project.id),
        "name": project.values["name"],
    }
    return [
        project,
        *_carried(tasks, project),
        Update("draft", draft.pk, end, version or draft.version),
    ]


def must_be_open(draft: ProjectDraft) -> None:
    """Raises Rejected for a draft that is no longer in progress."""
    if draft.status == DraftStatus.COMPLETED:
        raise Rejected(_("This draft is a project already."))
    if draft.status == DraftStatus.ABANDONED:
        raise Rejected(_("This draft was given up. Take it up again first."))


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
