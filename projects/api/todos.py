"""JSON for programs: a person's to-dos, read in lists and changed by the commands."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any, Final, Literal

from django.http import HttpRequest
from django.utils import timezone
from ninja import Field, Query, Router, Schema, Status

from chat.commands.api import REFUSALS, run_by_program
from chat.commands.base import Command, build
from chat.identity import identity_of
from chat.operations.models import OperationBatch
from projects.commands.todos import (
    ChangeTodos,
    CompleteTodos,
    CreateTodo,
    DeleteTodos,
    NewTodo,
    ReopenTodos,
    TodoFields,
)
from projects.models import Task
from projects.shapes import TodoOut, TodosOut, todo_out
from projects.todos import queries
from projects.todos.wanted import Wanted

router = Router(tags=["To-dos"])
_ONE: Final = "/todos/{uuid:todo_id}"


class ChangedOut(Schema):
    """A to-do as it is now, and the batch that undo takes."""

    todo: TodoOut
    batch_id: uuid.UUID


class DeletedOut(Schema):
    """The batch whose undo brings the to-do back."""

    batch_id: uuid.UUID


class TodoChange(TodoFields):
    """Fields that are left out stay; null empties one that can be empty.

    With `version`, a to-do that has moved on since is refused with 409.
    """

    append_details: str | None = Field(None, description="Added below the details.")
    version: int | None = None


class ListOf(Schema):
    """Which to-dos, in which order: as the list's page has them."""

    tab: Literal["today", "inbox", "upcoming", "available", "blocked", "done", "all"] = "all"
    q: str = Field("", max_length=200, description="Words in title, details or project.")
    project: str = Field("", description="A project's id, or `none`.")
    priority: Literal["", "critical", "high", "normal", "low"] = ""
    due: Literal["", "late", "today", "week", "later", "none"] = ""
    status: Literal["", "inbox", "available", "scheduled", "blocked", "completed", "dropped"] = ""
    sort: Literal["", "hand", "due", "priority", "new"] = ""
    page: int = Field(1, ge=1, le=1_000)


def _own(request: HttpRequest) -> Task:
    """The caller's to-do, looked at before anything that was sent. Raises NotFound."""
    match = request.resolver_match
    assert match is not None  # noqa: S101 - a view is running
    return _todo(request, uuid.UUID(str(match.kwargs["todo_id"])))


@router.get(
    "/todos", response={200: TodosOut, **REFUSALS}, url_name="todos", summary="To-dos, page by page"
)
def get_todos(request: HttpRequest, asked: Query[ListOf]) -> dict[str, Any]:
    """The caller's living to-dos, across projects."""
    wanted = Wanted.of({name: str(value) for name, value in asked.model_dump().items()})
    page = queries.page_of(identity_of(request), wanted, timezone.localdate())
    return {
        "todos": [todo_out(task) for task in page.tasks],
        "total": page.total,
        "page": page.number,
        "has_more": page.has_more,
    }


@router.post(
    "/todos", response={201: ChangedOut, **REFUSALS}, url_name="todos", summary="Create a to-do"
)
def post_todo(request: HttpRequest, todo: NewTodo) -> Status[dict[str, Any]]:
    """At the end of its project, or in the inbox without one."""
    outcome = run_by_program(request, build(CreateTodo, todo.model_dump(exclude_none=True)))
    return Status(201, _changed(request, outcome.created[0], outcome.batch))


@router.get(
    _ONE, auth=_own, response={200: TodoOut, **REFUSALS}, url_name="todo", summary="A to-do"
)
def get_todo(request: HttpRequest, todo_id: uuid.UUID) -> Mapping[str, Any]:
    """With everything that it holds."""
    return todo_out(_todo(request, todo_id))


@router.patch(
    _ONE, auth=_own, response={200: ChangedOut, **REFUSALS}, url_name="todo",
    summary="Change or clear fields of a to-do",
)  # fmt: skip
def patch_todo(request: HttpRequest, todo_id: uuid.UUID, change: TodoChange) -> dict[str, Any]:
    """A start that would come after a new due date moves to it."""
    values = change.model_dump(exclude_unset=True)
    return _ran(request, todo_id, build(ChangeTodos, values, ids=[todo_id]))


@router.delete(
    _ONE, auth=_own, response={200: DeletedOut, **REFUSALS}, url_name="todo",
    summary="Delete a to-do",
)  # fmt: skip
def delete_todo(request: HttpRequest, todo_id: uuid.UUID) -> dict[str, Any]:
    """Those that waited for it wait no more."""
    return {"batch_id": run_by_program(request, DeleteTodos(ids=(todo_id,))).batch.pk}


@router.post(
    f"{_ONE}/complete", auth=_own, response={200: ChangedOut, **REFUSALS},
    url_name="todo_complete", summary="Complete a to-do",
)  # fmt: skip
def complete_todo(request: HttpRequest, todo_id: uuid.UUID) -> dict[str, Any]:
    """Done, now."""
    return _ran(request, todo_id, CompleteTodos(ids=(todo_id,)))


@router.post(
    f"{_ONE}/reopen", auth=_own, response={200: ChangedOut, **REFUSALS},
    url_name="todo_reopen", summary="Reopen a to-do",
)  # fmt: skip
def reopen_todo(request: HttpRequest, todo_id: uuid.UUID) -> dict[str, Any]:
    """Available again."""
    return _ran(request, todo_id, ReopenTodos(ids=(todo_id,)))


def _ran(request: HttpRequest, todo_id: uuid.UUID, command: Command) -> dict[str, Any]:
    return _changed(request, todo_id, run_by_program(request, command).batch)


def _changed(request: HttpRequest, todo_id: uuid.UUID, batch: OperationBatch) -> dict[str, Any]:
    return {"todo": todo_out(_todo(request, todo_id)), "batch_id": batch.pk}


def _todo(request: HttpRequest, todo_id: uuid.UUID) -> Task:
    return queries.todos_for(identity_of(request), [todo_id])[0]
