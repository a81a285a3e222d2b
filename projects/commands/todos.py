"""The commands of to-dos: create, change or clear any field, complete, reopen, delete, place."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Final, Literal, TypeVar

from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy, ngettext_lazy
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from chat.commands.base import Scope, SeenVersion
from chat.operations.changes import Change, Delete, Update
from futura.errors import BadInput
from futura.parameters import OneOf
from projects import fields
from projects.checks import REMIND_MOST_MINUTES, tidied
from projects.commands.todo_changes import (
    freed_of,
    next_position,
    renumbered,
    step_between,
    todo_changed,
    todo_created,
    with_following,
)
from projects.commands.wording import Ids, RowCommand, Titled, TodosCommand, merged_text, phrases_of
from projects.fields import TaskStatus, emptiable, empty_value
from projects.models import DraftTask, Project, Task

AT_ONCE: Final = 200  # to-dos that one command may change
TaskT = TypeVar("TaskT", Task, DraftTask)
_STEERING: Final = frozenset({"ids", "project", "clear", "append_details", "version"})


Priority = Annotated[
    fields.Priority,
    BeforeValidator(lambda value: "normal" if value == "medium" else value),  # DECISIONS 31
]
Days = Annotated[Decimal | None, Field(description="Working days, from 0 to 3650.")]


class TaskFields(BaseModel):
    """The fields that to-dos of projects and of drafts have; null leaves one as it is."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str | None = Field(None, description="At most 200 characters.")
    details: str | None = Field(None, description="Markdown, at most 10,000 characters.")
    priority: Priority | None = None
    start_date: dt.date | None = None
    due_date: dt.date | None = None
    due_time: dt.time | None = Field(None, description="By the person's clock; needs a due date.")
    estimate_low_days: Days = None
    estimate_high_days: Days = None
    assignee: str | None = Field(None, description="Who does it: a name of at most 80 characters.")
    depends_on: tuple[uuid.UUID, ...] | None = Field(
        None, description="Ids of the to-dos that must be done first."
    )

    def values(self) -> dict[str, Any]:
        """What is given, without the project."""
        return {
            name: value
            for name in type(self).model_fields
            if name not in _STEERING and (value := getattr(self, name)) is not None
        }


class TaskChanges(TaskFields):
    """Fields that are left out stay; null empties one that can be empty."""

    append_details: str | None = Field(None, description="Added below the details that are there.")
    version: SeenVersion | None = Field(None, description="The version that was seen.")


class TodoFields(TaskFields):
    """The fields of a to-do that every door may set; null leaves one as it is."""

    status: TaskStatus | None = None
    project: uuid.UUID | None = Field(None, description="Id of the project it belongs to.")
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
    tags: tuple[str, ...] | None = Field(None, description="At most 20 words or short phrases.")


CLEARABLE: Final = emptiable(Task, TodoFields)


class NewTodo(TodoFields):
    """A to-do that is to be made."""

    title: str = Field(description="At most 200 characters.")


class CreateTodos(Titled):
    """Makes to-dos, each at the end of its project or of the to-dos without one."""

    name: ClassVar[str] = "create_todos"
    area: ClassVar[str] = "todos"
    done = ngettext_lazy("Added to-do", "Added %(n)d to-dos", "n")

    todos: tuple[NewTodo, ...]

    def plan(self, scope: Scope) -> list[Change]:
        if not self.todos:
            raise BadInput(_("Enter a title."), field="todos")
        if len(self.todos) > AT_ONCE:
            raise BadInput(_("At most %(n)d at a time.") % {"n": AT_ONCE}, field="todos")
        return created_in(scope, self.todos)

    @property
    def ledger_title(self) -> str:
        return str(self.done % {"n": len(self.todos)})

    def sentence(self, scope: Scope) -> str:
        if len(self.todos) != 1:
            return _("Add %(n)d to-dos") % {"n": len(self.todos)}
        return addition(self.todos[0], scope)


class CreateTodo(NewTodo, Titled):
    """Makes one to-do at the end of its project or of the to-dos without one."""

    name: ClassVar[str] = "create_todo"
    area: ClassVar[str] = "todos"
    done = gettext_lazy("Added to-do")

    def plan(self, scope: Scope) -> list[Change]:
        return created_in(scope, [self])

    def sentence(self, scope: Scope) -> str:
        return addition(self, scope)


def created_in(scope: Scope, todos: Sequence[NewTodo]) -> list[Change]:
    """New to-dos at the ends of their lists. Raises NotInScope, BadInput, TooLong."""
    places: dict[uuid.UUID | None, int] = {}
    created: list[Change] = []
    for todo in todos:
        project = scope.get(Project, todo.project) if todo.project else None
        place = places.get(todo.project)
        if place is None:
            place = next_position(project, scope.actor.owner_id)
        places[todo.project] = place + step_between(project)
        created.append(todo_created(project, todo.values(), position=place))
    return created


def addition(todo: NewTodo, scope: Scope) -> str:
    """“Add “Call the plumber”, due 20 December 2026”. Raises NotInScope, BadInput, TooLong."""
    values = tidied(todo.values())
    title = _("Add “%(title)s”") % {"title": values.pop("title")}
    phrases = phrases_of(Task, values, (), scope, todo.project)
    return f"{title}, {phrases}" if phrases else title


class TasksChange(TaskChanges, TodosCommand):
    """A command that sets and empties the same fields of one or several to-dos."""

    wish = gettext_lazy("Edit %(which)s: %(phrases)s")

    clear: tuple[str, ...] = ()

    def tasks(self, scope: Scope) -> list[Any]:
        """The to-dos. Raises NotInScope, BadInput."""
        tasks = rows_of(scope, self.model, self.ids)  # type: ignore[type-var]
        if self.version is not None and len(tasks) > 1:
            raise BadInput(_("A version can only be given for one to-do."), field="version")
        if not self.names():
            raise BadInput(_("Give at least one field to change."))
        return tasks

    def values_on(self, task: Task | DraftTask) -> dict[str, Any]:
        """What a to-do gets, without the project."""
        values = {name: empty_value(self.model, name) for name in self.clear if name != "project"}
        values |= self.values()
        if self.append_details is not None:
            details = values.get("details", task.details)
            values["details"] = merged_text(details, self.append_details)
        return values

    def names(self) -> set[str]:
        project = {"project"} if getattr(self, "project", None) is not None else set()
        appended = {"details"} if self.append_details is not None else set()
        return {*self.values(), *self.clear} | project | appended

    def sentence(self, scope: Scope) -> str:
        values = self.values()
        if self.append_details is not None:
            values.setdefault("details", self.append_details)
        project = getattr(self, "project", None)
        phrases = phrases_of(self.model, values, self.clear, scope, project)
        return str(self.wish) % {"which": self.which(scope), "phrases": phrases}


class TodoChanges(TaskChanges, TodoFields):
    """Fields that are left out stay; null empties one that can be empty.

    With `version`, a to-do that has moved on since is refused with 409.
    """


_TITLES: Final[Sequence[tuple[frozenset[str], Any]]] = (
    (frozenset({"status"}), ngettext_lazy(
        "Changed to-do status", "Changed the status of %(n)d to-dos", "n")),
    (frozenset({"due_date", "due_time", "start_date"}), ngettext_lazy(
        "Rescheduled to-do", "Rescheduled %(n)d to-dos", "n")),
    (frozenset({"priority"}), ngettext_lazy(
        "Changed to-do priority", "Changed the priority of %(n)d to-dos", "n")),
    (frozenset({"project"}), ngettext_lazy("Moved to-do", "Moved %(n)d to-dos", "n")),
)  # fmt: skip


class ChangeTodos(TasksChange, TodoChanges):
    """Changes the same fields of one or several to-dos; `clear` empties fields.

    A start that would come after a new due date moves to it. What comes into a project is put at
    its end, and out of the inbox. Completing one that repeats makes the next. With `version`, one
    that has moved on is refused (one id only).
    """

    name: ClassVar[str] = "change_todos"
    clearable: ClassVar[frozenset[str]] = frozenset(CLEARABLE)
    done = ngettext_lazy("Edited to-do", "Edited %(n)d to-dos", "n")

    clear: tuple[Annotated[str, OneOf(CLEARABLE)], ...] = ()

    def plan(self, scope: Scope) -> list[Change]:
        tasks = self.tasks(scope)
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
        values = self.values_on(task)
        if place is not None:
            values |= {"project": str(project.pk) if project else None, "position": place}
            if project is not None and task.status == Task.Status.INBOX:
                values.setdefault("status", Task.Status.AVAILABLE)
        due = values.get("due_date")
        if due and task.start_date and task.start_date > due:
            values.setdefault("start_date", due)
        return todo_changed(task, values, version=self.version or task.version)

    @property
    def ledger_title(self) -> str:
        names, n = self.names(), {"n": len(self.ids)}
        if names == {"status"} and self.status in _ENDS:
            return str(_ENDS[self.status][0] % n)
        title = next((title for fields, title in _TITLES if names <= fields), self.done)
        return str(title % n)

    def sentence(self, scope: Scope) -> str:
        if self.names() == {"status"} and self.status in _ENDS:
            return str(_ENDS[self.status][1]) % {"which": self.which(scope)}
        return super().sentence(scope)


class CompleteTodos(TodosCommand):
    """Marks to-dos as done."""

    name: ClassVar[str] = "complete_todos"
    status: ClassVar[TaskStatus] = "completed"
    done = ngettext_lazy("Completed to-do", "Completed %(n)d to-dos", "n")
    wish = gettext_lazy("Complete %(which)s")

    def plan(self, scope: Scope) -> list[Change]:
        return ChangeTodos(ids=self.ids, status=self.status).plan(scope)


# what a change of the status alone that ends to-dos is called: once it is done, and before
_ENDS: Final[Mapping[str | None, tuple[Any, str | Promise]]] = {
    "completed": (CompleteTodos.done, CompleteTodos.wish),
    "dropped": (
        ngettext_lazy("Dropped to-do", "Dropped %(n)d to-dos", "n"),
        gettext_lazy("Drop %(which)s"),
    ),
}


class ReopenTodos(CompleteTodos):
    """Makes done or dropped to-dos available again."""

    name: ClassVar[str] = "reopen_todos"
    status: ClassVar[TaskStatus] = "available"
    done = ngettext_lazy("Reopened to-do", "Reopened %(n)d to-dos", "n")
    wish = gettext_lazy("Reopen %(which)s")


class DeleteTodos(TodosCommand):
    """Deletes to-dos; those that waited for them wait no more. Undo brings all of it back."""

    name: ClassVar[str] = "delete_todos"
    done = ngettext_lazy("Deleted to-do", "Deleted %(n)d to-dos", "n")
    wish = gettext_lazy("Delete %(which)s")

    def plan(self, scope: Scope) -> list[Change]:
        tasks = rows_of(scope, Task, self.ids)
        return [*freed_of(tasks), *(Delete("task", task.pk, task.version) for task in tasks)]


class PlaceTodo(RowCommand):
    """Puts a to-do in another place of its list, moving as few others as possible.

    `among` is the list in its order, as the person sees it; without it, the to-dos of its project.
    """

    name: ClassVar[str] = "place_todo"
    area: ClassVar[str] = "todos"
    model = Task
    done = gettext_lazy("Moved to-do")
    wish = gettext_lazy("Move “%(row)s” in the list")

    to: Literal["up", "down", "first", "last", "before", "after"]
    other: uuid.UUID | None = Field(None, description="For before and after.")
    among: tuple[uuid.UUID, ...] = ()

    def plan(self, scope: Scope) -> list[Change]:
        task = scope.get(Task, self.id)
        if self.among:
            among = scope.rows(Task, self.among)
        else:
            own = Task.objects.filter(owner_id=task.owner_id, deleted_at=None)
            siblings = own.filter(project=task.project_id)
            among = list(siblings.order_by("position", "created_at"))
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
                raise BadInput(_("This position is not in the list."), field="before")
            return at + (self.to == "after")
        now = next((n for n, row in enumerate(among) if row.pk == task.pk), len(order))
        places = {"up": now - 1, "down": now + 1, "first": 0, "last": len(order)}
        return min(max(places[self.to], 0), len(order))


COMMANDS: Final = (
    CreateTodo, CreateTodos, ChangeTodos, CompleteTodos, ReopenTodos, DeleteTodos, PlaceTodo,
)  # fmt: skip


def rows_of(scope: Scope, model: type[TaskT], ids: Ids) -> list[TaskT]:
    """To-dos by their ids, at most 200. Raises NotInScope, BadInput."""
    if not ids:
        raise BadInput(_("Select at least one to-do."), field="ids")
    if len(ids) > AT_ONCE:
        raise BadInput(_("At most %(n)d at a time.") % {"n": AT_ONCE}, field="ids")
    return scope.rows(model, ids)
