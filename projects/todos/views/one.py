"""One to-do on a page of its own."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from chat.commands.base import build
from chat.commands.forms import run_for
from chat.identity import identity_of
from chat.operations.models import OperationBatch
from projects.commands.todos import ChangeTodos
from projects.editing import rebased
from projects.models import Task
from projects.todos import queries
from projects.todos.forms import TodoForm
from projects.todos.rows import now, row
from projects.todos.views.answers import changed, next_in, own
from projects.views import answers


@require_http_methods(["GET", "HEAD", "POST"])
def todo(request: HttpRequest, todo_id: uuid.UUID) -> HttpResponse:
    """All of it, to read and to change."""
    task = own(request, todo_id)
    identity = identity_of(request)
    others, projects = (
        queries.can_wait_for(identity, task),
        _with_its_own(queries.projects_to_choose(identity), task),
    )
    context: dict[str, Any] = {
        "task": task,
        "todo": row(task, now()),
        "title": task.title,
        "action": request.path,
        "back": next_in(request),
        "people": queries.people_and_tags(identity.participant_ids)[0],
    }
    template = "projects/todos/todo.html"
    if request.method != "POST":
        form: Any = TodoForm.of(task, others=others, projects=projects)
        done = answers.just_done(request)
        return answers.form_page(request, form, template=template, done=done, **context)
    form = TodoForm(request.POST, others=others, projects=projects)

    def write() -> OperationBatch:
        values = rebased("task", task, form.values(), form.seen())
        command = build(ChangeTodos, values, ids=[task.pk], version=task.version)
        return run_for(request, command)

    sent = answers.save(form, write)
    if sent.batch is None:
        if sent.clashes:
            answers.fresh(form, task.version)
        return answers.form_page(request, form, sent, template=template, **context)
    return changed(request, sent.batch)


def _with_its_own(projects: list[Any], task: Task) -> list[Any]:
    """The projects to choose from; the one it is in may rest."""
    if task.project is None or any(one.pk == task.project_id for one in projects):
        return projects
    return [task.project, *projects]
