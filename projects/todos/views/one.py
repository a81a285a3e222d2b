"""One to-do on a page of its own."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from chat.identity import identity_of
from projects.commands.todos import ChangeTodos
from projects.forms import TodoForm
from projects.models import Task
from projects.todos import queries
from projects.todos.rows import now, row
from projects.todos.views.answers import changed, next_in, own
from projects.views import answers


@require_http_methods(["GET", "HEAD", "POST"])
def todo(request: HttpRequest, todo_id: uuid.UUID) -> HttpResponse:
    """All of it, to read and to change."""
    task = own(request, todo_id)
    identity = identity_of(request)
    choices = {
        "others": queries.can_wait_for(identity, task),
        "projects": _with_its_own(queries.projects_to_choose(identity), task),
    }
    return answers.edit_page(
        request, "task", task, TodoForm, ChangeTodos, back=next_in(request),
        template="projects/todos/todo.html", choices=choices,
        then=lambda batch: changed(request, batch),
        task=task, todo=row(task, now()), title=task.title, done=answers.just_done(request),
        people=queries.people_and_tags(identity.participant_ids)[0],
    )  # fmt: skip


def _with_its_own(projects: list[Any], task: Task) -> list[Any]:
    """The projects to choose from; the one it is in may rest."""
    if task.project is None or any(one.pk == task.project_id for one in projects):
        return projects
    return [task.project, *projects]
