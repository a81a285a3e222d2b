"""The commands of to-dos: create, change or clear any field, complete, reopen, delete, place."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Final, Literal, get_args

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from chat.commands.base import Command, Scope
from chat.operations.changes import Change, Delete, Update
from futura.errors import BadInput
from projects.commands.texts import merged_text
from projects.commands.todo_changes import (
    freed_of,
    next_position,
    renumbered,
    step_between,
    todo_changed,
    todo_created,
    with_following,
)
from projects.commands.todo_phrases import emptied, phrases_of, status_title, which_todos
from projects.commands.todo_times import REMIND_MOST_MINUTES
from projects.models import Project, Task

AT_ONCE: Final = 200  # to-dos that one command may change
Status = Literal["inbox", "available", "scheduled", "blocked", "completed", "dropped"]
Clearable = Literal[
    "details", "project", "start_date", "due_date", "due_time", "estimate_low_days",
    "estimate_high_days", "depends_on", "repeat", "remind_at", "remind_minutes", "assignee", "tags",
]  # fmt: skip
_EMPTY: Final[Mapping[str, Any]] = {
    "details": "", "depends_on": [], "repeat": "", "assignee": "", "tags": [],
}  # fmt: skip


def _priority(value: object) -> object:
    return "normal" if value == "medium" else value  # DECISIONS 31


Priority = Annotated[Literal["critical", "high", "normal", "low"], BeforeValidator(_priority)]
Days = Annotated[Decimal | None, Field(description="Working days, from 0 to 3650.")]
Ids = Annotated[tuple[uuid.UUID, ...], Field(description="Ids of to-dos, at most 200.")]


class TodoFields(BaseModel):
    """The fields of a to-do that every door may set; null leaves one as it is."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str | None = Field(None, description="At most 200 characters.")
    details: str | None = Field(None, description="Markdown, at most 10,000 characters.")
    priority: Priority | None = None
    status: Status | None = None
    project: uuid.UUID | None = Field(None, description="Id of the project it belongs to.")
    start_date: dt.date | None = None
    due_date: dt.date | None = None
    due_time: dt.time | None = Field(None, description="By the person's clock; needs a due date.")
    estimate_low_days: Days = None
    estimate_high_days: Days = None
    depends_on: tuple[uuid.UUID, ...] | None = Field(
        None, description="Ids of the to-dos that must be done first."
    )
    repeat: str | None = Field(
        None,
        description="An RFC 5545 rule of days, such as FREQ=WEEKLY;BYDAY=TU, from the due date on. "
        "Completing the to-do makes the next one.",
    )
    remind_at: dt.datetime | None = Field(None, description="When a mail reminds of it.")
    remind_minutes: int | None = Field(
        None,
        ge=0,
        le=REMIND_MOST_MINUTES,
        description="A mail so long before it is due (at 9:00 without a time), not `remind_at`.",
    )
    assignee: str | None = Field(None, description="Who does it: a name of at most 80 characters.")
    tags: tuple[str, ...] | None = Field(None, description="At most 20 words or short phrases.")

    def values(self) -> dict[str, Any]:
        """What is given, without the project."""
        return {
            name: value
            for name in TodoFields.model_fields
            if name != "project" and (value := getattr(self, name)) is not None
        }


class NewTodo(TodoFields):
    """A to-do that is to be made."""

    title: str = Field(description="At most 200 characters.")


class CreateTodos(Command):
    """Makes to-dos, each at the end of its project or of the to-dos without one."""

    name: ClassVar[str] = "create_todos"
    area: ClassVar[str] = "todos"

    todos: tuple[NewTodo, ...]

    def plan(self, scope: Scope) -> list[Change]:
        """One new row for each. Raises NotInScope, BadInput, TooLong."""
        if not self.todos:
            raise BadInput(_("Say what is to be done."), field="todos")
        if len(self.todos) > AT_ONCE:
            raise BadInput(_("At most %(n)d at once, please.") % {"n": AT_ONCE}, field="todos")
        places: dict[uuid.UUID | None, int] = {}
        made: list[Change] = []
        for todo in self.todos:
            project = scope.get(Project, todo.project) if todo.project else None
            place = places.get(todo.project)
            if place is None:
                place = next_position(project, scope.actor.owner_id)
            places[todo.project] = place + step_between(project)
            made.append(todo_created(project, todo.values(), position=place))
        return made

    @property
    def ledger_title(self) -> str:
        """“Added a to-do”."""
        n = len(self.todos)
        return ngettext("Added a to-do", "Added %(n)d to-dos", n) % {"n": n}

    def sentence(self, scope: Scope) -> str:
        """“Add “Call the plumber”, due 20 December 2026”."""
        if len(self.todos) > 1:
            return _("Add %(n)d to-dos") % {"n": len(self.todos)}
        todo = self.todos[0]
        return ", ".join(
            [_("Add “%(title)s”") % {"title": todo.title}, *self._phrases(todo, scope)]
        )

    @staticmethod
    def _phrases(todo: NewTodo, scope: Scope) -> list[str]:
        values = {name: value for name, value in todo.values().items() if name != "title"}
        return phrases_of(values, todo.project, scope)


class CreateTodo(NewTodo, Command):
    """Makes one to-do at the end of its project or of the to-dos without one."""

    name: ClassVar[str] = "create_todo"
    area: ClassVar[str] = "todos"

    def plan(self, scope: Scope) -> list[Change]:
        """One new row. Raises NotInScope, BadInput, TooLong."""
        return self._alone.plan(scope)

    @property
    def ledger_title(self) -> str:
        """“Added a to-do”."""
        return self._alone.ledger_title

    def sentence(self, scope: Scope) -> str:
        """“Add “Call the plumber”, due 20 December 2026”."""
        return self._alone.sentence(scope)

    @property
    def _alone(self) -> CreateTodos:
        return CreateTodos(todos=(NewTodo(**self.model_dump(exclude_none=True)),))


class ChangeTodos(TodoFields, Command):
    """Changes the same fields of one or several to-dos; `clear` empties fields.

    A start that would come after a new due date moves to it. What comes into a project is put at
    its end, and out of the inbox. Completing one that repeats makes the next. With `version`, one
    that has moved on is refused (one id only).
    """

    name: ClassVar[str] = "change_todos"
    area: ClassVar[str] = "todos"
    clearable: ClassVar[frozenset[str]] = frozenset(get_args(Clearable))

    ids: Ids
    clear: tuple[Clearable, ...] = ()
    append_details: str | None = Field(None, description="Added below the details that are there.")
    version: int | None = Field(None, description="The version that was seen.")

    def values(self) -> dict[str, Any]:
        """What is given or emptied, without the project."""
        emptied = {name: _EMPTY.get(name) for name in self.clear if name != "project"}
        return emptied | super().values()

    def plan(self, scope: Scope) -> list[Change]:
        """One update for each, and the next of those that repeat. Raises as the base says."""
        tasks = _todos(scope, self.ids)
        if self.version is not None and len(tasks) > 1:
            raise BadInput(_("A version belongs to one to-do."), field="version")
        if not self._names:
            raise BadInput(_("Say what shall change."), field="ids")
        project = scope.get(Project, self.project) if self.project else None
        moves = self.project is not None or "project" in self.clear
        arriving = [task for task in tasks if task.project_id != self.project] if moves else []
        first = next_position(project, scope.actor.owner_id) if arriving else 0
        step = step_between(project)
        places = {task.pk: first + n * step for n, task in enumerate(arriving)}
        updates = [self._change(task, project, places.get(task.pk)) for task in tasks]
        return [
            change
            for task, update in zip(tasks, updates, strict=True)
            for change in with_following(task, update)
        ]

    def _change(self, task: Task, project: Project | None, place: int | None) -> Update:
        values = self.values()
        if place is not None:
            values |= {"project": str(project.pk) if project else None, "position": place}
            if project is not None and task.status == Task.Status.INBOX:
                values.setdefault("status", Task.Status.AVAILABLE)
        due = values.get("due_date")
        if due and task.start_date and task.start_date > due:
            values.setdefault("start_date", due)
        if self.append_details is not None:
            values["details"] = merged_text(task.details, self.append_details, "append")
        return todo_changed(task, values, version=self.version or task.version)

    @property
    def _names(self) -> set[str]:
        """The fields that change."""
        given = {name for name in TodoFields.model_fields if getattr(self, name) is not None}
        appended = {"details"} if self.append_details is not None else set()
        return given | appended | set(self.clear)

    @property
    def ledger_title(self) -> str:
        """“Completed 3 to-dos”, “Rescheduled a to-do”."""
        n, names = len(self.ids), self._names
        if names == {"status"}:
            return status_title(self.status or "", n)
        if names and names <= {"due_date", "due_time", "start_date"}:
            phrase = ngettext("Rescheduled a to-do", "Rescheduled %(n)d to-dos", n)
        elif names == {"priority"}:
            phrase = ngettext(
                "Changed the priority of a to-do", "Changed the priority of %(n)d to-dos", n
            )
        elif names == {"project"}:
            phrase = ngettext("Moved a to-do", "Moved %(n)d to-dos", n)
        else:
            phrase = ngettext("Edited a to-do", "Edited %(n)d to-dos", n)
        return phrase % {"n": n}

    def sentence(self, scope: Scope) -> str:
        """“Change 3 to-dos: due 7 December 2026, priority High”."""
        which = which_todos(scope, self.ids)
        if self._names == {"status"}:
            if self.status == "completed":
                return _("Complete %(which)s") % {"which": which}
            if self.status == "dropped":
                return _("Drop %(which)s") % {"which": which}
        given = phrases_of(self.values(), self.project, scope)
        phrases = ", ".join([*given, *(emptied(name) for name in self.clear)])
        return _("Change %(which)s: %(phrases)s") % {"which": which, "phrases": phrases}


class CompleteTodos(Command):
    """Marks to-dos as done."""

    name: ClassVar[str] = "complete_todos"
    area: ClassVar[str] = "todos"
    status: ClassVar[Status] = "completed"

    ids: Ids

    def plan(self, scope: Scope) -> list[Change]:
        """One update for each. Raises NotInScope, BadInput."""
        return self._change.plan(scope)

    @property
    def ledger_title(self) -> str:
        """“Completed a to-do”."""
        return self._change.ledger_title

    def sentence(self, scope: Scope) -> str:
        """“Complete “Call the plumber””."""
        return self._change.sentence(scope)

    @property
    def _change(self) -> ChangeTodos:
        return ChangeTodos(ids=self.ids, status=self.status)


class ReopenTodos(CompleteTodos):
    """Makes done or dropped to-dos available again."""

    name: ClassVar[str] = "reopen_todos"
    status: ClassVar[Status] = "available"

    @property
    def ledger_title(self) -> str:
        """“Reopened a to-do”."""
        n = len(self.ids)
        return ngettext("Reopened a to-do", "Reopened %(n)d to-dos", n) % {"n": n}

    def sentence(self, scope: Scope) -> str:
        """“Reopen “Call the plumber””."""
        return _("Reopen %(which)s") % {"which": which_todos(scope, self.ids)}


class DeleteTodos(Command):
    """Deletes to-dos; those that waited for them wait no more. Undo brings all of it back."""

    name: ClassVar[str] = "delete_todos"
    area: ClassVar[str] = "todos"

    ids: Ids

    def plan(self, scope: Scope) -> list[Change]:
        """One deletion for each, after the links to it. Raises NotInScope, BadInput."""
        tasks = _todos(scope, self.ids)
        return [*freed_of(tasks), *(Delete("task", task.pk, task.version) for task in tasks)]

    @property
    def ledger_title(self) -> str:
        """“Deleted a to-do”."""
        n = len(self.ids)
        return ngettext("Deleted a to-do", "Deleted %(n)d to-dos", n) % {"n": n}

    def sentence(self, scope: Scope) -> str:
        """“Delete “Call the plumber””."""
        return _("Delete %(which)s") % {"which": which_todos(scope, self.ids)}


class PlaceTodo(Command):
    """Puts a to-do in another place of its list, moving as few others as possible.

    `among` is the list in its order, as the person sees it; without it, the to-dos of its project.
    """

    name: ClassVar[str] = "place_todo"
    area: ClassVar[str] = "todos"

    id: uuid.UUID
    to: Literal["up", "down", "first", "last", "before", "after"]
    other: uuid.UUID | None = Field(None, description="For before and after.")
    among: tuple[uuid.UUID, ...] = ()

    def plan(self, scope: Scope) -> list[Change]:
        """New positions where they change. Raises NotInScope, BadInput."""
        task = scope.get(Task, self.id)
        among = scope.rows(Task, self.among) if self.among else _siblings(task)
        order = [other for other in among if other.pk != task.pk]
        at = self._place(task, among, order)
        order.insert(at, task)
        return renumbered(order, at)

    def _place(self, task: Task, among: Sequence[Task], order: Sequence[Task]) -> int:
        if self.to in {"before", "after"}:
            if self.to == "after" and self.other == task.pk:
                return len(order)
            at = next((n for n, row in enumerate(order) if row.pk == self.other), None)
            if at is None:
                raise BadInput(_("That place is not in this list."), field="before")
            return at + (self.to == "after")
        now = next((n for n, row in enumerate(among) if row.pk == task.pk), len(order))
        places = {"up": now - 1, "down": now + 1, "first": 0, "last": len(order)}
        return min(max(places[self.to], 0), len(order))

    @property
    def ledger_title(self) -> str:
        """“Moved a to-do”."""
        return _("Moved a to-do")

    def sentence(self, scope: Scope) -> str:
        """“Move “Call the plumber” to another place”."""
        return _("Move %(which)s to another place") % {"which": which_todos(scope, [self.id])}


COMMANDS: Final = (
    CreateTodo, CreateTodos, ChangeTodos, CompleteTodos, ReopenTodos, DeleteTodos, PlaceTodo,
)  # fmt: skip


def _todos(scope: Scope, ids: Sequence[uuid.UUID]) -> list[Task]:
    if not ids:
        raise BadInput(_("Choose at least one to-do."), field="ids")
    if len(ids) > AT_ONCE:
        raise BadInput(_("At most %(n)d at once, please.") % {"n": AT_ONCE}, field="ids")
    return scope.rows(Task, ids)


def _siblings(task: Task) -> list[Task]:
    same = Task.objects.filter(owner_id=task.owner_id, project=task.project_id, deleted_at=None)
    return list(same.order_by("position", "created_at"))
