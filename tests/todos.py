"""To-dos and notes for tests of everything else, made and changed by the product's commands."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from chat.commands.base import build
from chat.operations.changes import Actor
from chat.operations.models import OperationBatch
from projects.commands.notes import CreateNote
from projects.commands.todos import (
    ChangeTodos,
    CompleteTodos,
    CreateTodo,
    CreateTodos,
    DeleteTodos,
    PlaceTodo,
    ReopenTodos,
)
from projects.models import Note, Project, Task
from tests.project_rows import Done, carried_out


def add(*, actor: Actor, project: Project | None = None, values: Mapping[str, Any]) -> Done[Task]:
    """A to-do of a project, or on its own."""
    given = {**values, "project": project.pk} if project else dict(values)
    outcome = carried_out(actor, build(CreateTodo, given))
    return Done(Task.objects.get(pk=outcome.created[0]), outcome.batch)


def add_all(
    *, actor: Actor, project: Project | None = None, all_values: Sequence[Mapping[str, Any]]
) -> list[Task]:
    """Several to-dos by one command, in this order."""
    place = {"project": project.pk} if project else {}
    given = [{**values, **place} for values in all_values]
    created = carried_out(actor, build(CreateTodos, {}, todos=given)).created
    rows = Task.objects.in_bulk(created)
    return [rows[key] for key in created]


def change(*, actor: Actor, task: Task, values: Mapping[str, Any]) -> Done[Task]:
    """Other values for some fields; None empties one."""
    outcome = carried_out(actor, build(ChangeTodos, values, ids=[task.pk]))
    return Done(Task.objects.get(pk=task.pk), outcome.batch)


def complete(*, actor: Actor, task: Task) -> Done[Task]:
    """Done, now."""
    outcome = carried_out(actor, CompleteTodos(ids=(task.pk,)))
    return Done(Task.objects.get(pk=task.pk), outcome.batch)


def reopen(*, actor: Actor, task: Task) -> Done[Task]:
    """Not done after all."""
    outcome = carried_out(actor, ReopenTodos(ids=(task.pk,)))
    return Done(Task.objects.get(pk=task.pk), outcome.batch)


def move(*, actor: Actor, task: Task, to: str) -> OperationBatch:
    """Another place in its list."""
    return carried_out(actor, build(PlaceTodo, {"to": to}, id=task.pk)).batch


def wait_for(*, actor: Actor, task: Task, needed: Iterable[uuid.UUID]) -> Done[Task]:
    """What must be done before this one."""
    return change(actor=actor, task=task, values={"depends_on": list(needed)})


def delete(*, actor: Actor, tasks: Sequence[Task]) -> OperationBatch:
    """Takes them away."""
    return carried_out(actor, DeleteTodos(ids=tuple(task.pk for task in tasks))).batch


def add_note(*, actor: Actor, project: Project, values: Mapping[str, Any]) -> Done[Note]:
    """A piece of Markdown kept with a project."""
    outcome = carried_out(actor, build(CreateNote, values, project=project.pk))
    return Done(Note.objects.get(pk=outcome.created[0]), outcome.batch)
