"""JSON for programs: a person's to-dos, read in lists and changed by the commands."""

from __future__ import annotations

import uuid
from functools import partial
from typing import Any, Final

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status

from chat.api import own
from chat.commands.api import scope_of
from chat.commands.base import build
from chat.identity import identity_of
from projects import queries
from projects.api.doors import DeletedOut, changed, deleted
from projects.commands import todos
from projects.commands.reads import ListTodos
from projects.shapes import TodoOut, TodosOut, todo_out

router = Router(tags=["To-dos"])
_PATH: Final = "/todos/{uuid:todo_id}"
_AUTH: Final = own("todo_id", queries.task_for)
_TODO: Final[dict[str, Any]] = {"path": _PATH, "auth": _AUTH, "url_name": "todo"}
_changed = partial(changed, "todo", queries.task_for, todo_out)


class TodoChangedOut(Schema):
    """A to-do as it is now, and the batch that undo takes."""

    todo: TodoOut
    batch_id: uuid.UUID


@router.get("/todos", response=TodosOut, url_name="todos", summary="To-dos, page by page")
def get_todos(request: HttpRequest, query: Query[ListTodos]) -> TodosOut:
    """The caller's living to-dos, across projects."""
    return query.read(scope_of(request))


@router.post("/todos", response={201: TodoChangedOut}, url_name="todos", summary="Create a to-do")
def post_todo(request: HttpRequest, todo: todos.CreateTodo) -> Status[dict[str, Any]]:
    """At the end of its project, or in the inbox without one."""
    return Status(201, _changed(request, todo))


@router.get(**_TODO, response=TodoOut, summary="A to-do")
def get_todo(request: HttpRequest, todo_id: uuid.UUID) -> TodoOut:
    """With everything that it holds."""
    return todo_out(queries.task_for(identity_of(request), todo_id))


@router.patch(**_TODO, response=TodoChangedOut, summary="Change or clear fields of a to-do")
def patch_todo(
    request: HttpRequest, todo_id: uuid.UUID, change: todos.TodoChanges
) -> dict[str, Any]:
    """A start that would come after a new due date moves to it."""
    values = change.model_dump(exclude_unset=True)
    return _changed(request, build(todos.ChangeTodos, values, ids=[todo_id]), todo_id)


@router.delete(**_TODO, response=DeletedOut, summary="Delete a to-do")
def delete_todo(request: HttpRequest, todo_id: uuid.UUID) -> dict[str, Any]:
    """Those that waited for it wait no more."""
    return deleted(request, todos.DeleteTodos(ids=(todo_id,)))


@router.post(
    f"{_PATH}/complete", auth=_AUTH, response=TodoChangedOut, url_name="todo_complete",
    summary="Complete a to-do",
)  # fmt: skip
def complete_todo(request: HttpRequest, todo_id: uuid.UUID) -> dict[str, Any]:
    """Done, now."""
    return _changed(request, todos.CompleteTodos(ids=(todo_id,)), todo_id)


@router.post(
    f"{_PATH}/reopen", auth=_AUTH, response=TodoChangedOut, url_name="todo_reopen",
    summary="Reopen a to-do",
)  # fmt: skip
def reopen_todo(request: HttpRequest, todo_id: uuid.UUID) -> dict[str, Any]:
    """Available again."""
    return _changed(request, todos.ReopenTodos(ids=(todo_id,)), todo_id)
